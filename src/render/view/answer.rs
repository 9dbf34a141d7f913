//! Short answers to one person.

use schemars::JsonSchema;
use serde::Serialize;

use super::FooterView;
use crate::engine::Said;
use crate::render::clean::Cleaner;

/// What `answer-malformed.txt` sees.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MalformedView {
    /// The whole subject line.
    pub subject: String,
    /// File name of the attachment, or `body`.
    pub part: String,
    /// Each: where, what was found, what was expected.
    pub problems: Vec<String>,
    /// The foot.
    pub footer: FooterView,
}

/// What `answer-commands.txt` sees.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CommandsView {
    /// The whole subject line.
    pub subject: String,
    /// The lines, in the order of the mail.
    pub commands: Vec<CommandLine>,
    /// The foot.
    pub footer: FooterView,
}

/// One command line and what became of it.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct CommandLine {
    /// As typed; empty when the mail as a whole is meant.
    pub line: String,
    /// `done`, `already-so`, `not-allowed`, `not-proven`, `not-tracked`, `unknown`, `unclear`, `nothing-to-undo`, `nothing`, `flood`,
    /// `status` or `help`.
    pub outcome: String,
    /// `not-allowed`: the role that may.
    pub needs: String,
    /// `unknown`: what could not be found. `unclear`, `not-proven`: why.
    pub what: String,
    /// `unclear`: the nearest line that would work; may be empty.
    pub did_you_mean: String,
    /// `status`: how it stands.
    pub status: Option<StatusView>,
    /// `help`: what can be asked.
    pub help: Vec<HelpLine>,
}

/// How a regression stands.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct StatusView {
    /// `metric -X% regression`.
    pub title: String,
    /// State.
    pub state: String,
    /// `YYYY-MM-DD`.
    pub since: String,
    /// Who moved it last; may be empty.
    pub by: String,
    /// Their words; may be empty.
    pub words: String,
    /// The named fix; may be empty.
    pub fix: String,
}

/// One command that can be given.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct HelpLine {
    /// Its name.
    pub name: String,
    /// What it does.
    pub does: String,
}

impl CommandLine {
    pub(in crate::render) fn new(line: &str, said: &Said, clean: Cleaner) -> Self {
        let mut view = Self { line: clean.brief_text(line), ..Self::default() };
        view.outcome = match said {
            Said::Done => "done",
            Said::AlreadySo => "already-so",
            Said::NotAllowed { needs } => {
                view.needs =
                    serde_json::to_string(needs).unwrap_or_default().trim_matches('"').to_owned();
                "not-allowed"
            }
            Said::NotProven { why } => {
                view.what = clean.brief_text(why);
                "not-proven"
            }
            Said::NotTracked => "not-tracked",
            Said::Unknown { what } => {
                view.what = clean.brief_text(what);
                "unknown"
            }
            Said::Unclear { why, did_you_mean } => {
                view.what = clean.brief_text(why);
                view.did_you_mean =
                    did_you_mean.as_deref().map_or_else(String::new, |m| clean.brief_text(m));
                "unclear"
            }
            Said::NothingToUndo => "nothing-to-undo",
            Said::Nothing => "nothing",
            Said::Flood => "flood",
            Said::Status { title, state, since, by, fix } => {
                let (by, words) = by.clone().unwrap_or_default();
                view.status = Some(StatusView {
                    title: clean.brief_text(title),
                    state: state.clone(),
                    since: since.clone(),
                    by: clean.brief_text(&by),
                    words: clean.brief_text(&words),
                    fix: fix.as_deref().map_or_else(String::new, |f| clean.brief_text(f)),
                });
                "status"
            }
            Said::Help(lines) => {
                let line = |(name, does): &(String, String)| HelpLine {
                    name: name.clone(),
                    does: does.clone(),
                };
                view.help = lines.iter().map(line).collect();
                "help"
            }
        }
        .to_owned();
        view
    }
}
