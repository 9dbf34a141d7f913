//! Short answers to one person.

use schemars::JsonSchema;
use serde::Serialize;

use super::FooterView;

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
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CommandLine {
    /// As typed.
    pub line: String,
    /// What was done, or why not; one line each.
    pub outcome: Vec<String>,
}
