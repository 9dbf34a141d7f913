//! Explicit lines for bots: `#regard`, `#regzbot`, `#syz` (see `docs/commands.md`).
//!
//! Commands are taken from the author's own words only: never from quotes, code, templates or footers. What is meant but
//! cannot be understood comes back with the nearest command.

mod lines;
mod parse;
mod value;
mod verb;

use serde::Serialize;

pub use parse::{parse, parse_line};
pub use value::{Reference, Target};
pub use verb::{VERBS, Verb};

use super::State;

/// Which bot's vocabulary a line uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Marker {
    /// `#regard`
    Regard,
    /// `#regzbot`
    Regzbot,
    /// `#syz`
    Syz,
}

impl Marker {
    /// As typed, with its `#`.
    pub fn as_str(self) -> &'static str {
        match self {
            Marker::Regard => "#regard",
            Marker::Regzbot => "#regzbot",
            Marker::Syz => "#syz",
        }
    }
}

/// What somebody asks for, with all that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Command {
    /// Tell how it stands.
    Status,
    /// Tell what can be asked.
    Help,
    /// Rename.
    Title(String),
    /// Track this (or the mail pointed at) as a regression, or correct its culprit.
    Introduced {
        /// Commit or range `a..b`.
        range: String,
        /// The mail that is the report.
        target: Target,
    },
    /// This commit or subject fixes it.
    Fix(Reference),
    /// Forget the announced fix.
    Unfix,
    /// The same as another one.
    DupOf(Reference),
    /// Not the same after all.
    Undup,
    /// There never was a regression.
    Invalid(String),
    /// Done with, for this reason.
    Resolve(String),
    /// It cannot be told.
    Inconclusive(String),
    /// Intended or unavoidable.
    Expected(String),
    /// Accepted; nobody will work on it.
    WontFix(String),
    /// Open again.
    Reopen(String),
    /// Take the last change back.
    Undo,
    /// Show this link, with a text.
    Link(String, String),
    /// Remove a link, or stop following a thread.
    Unlink(String),
    /// Follow that thread too.
    Monitor(String, String),
    /// No reminders for a while: days, or until a date.
    Snooze(String),
    /// Low priority until it is solved or taken back.
    Backburn(String),
    /// Normal priority again.
    Unbackburn,
    /// Leave a note in the history.
    Note(String),
    /// This mail is no activity.
    IgnoreActivity,
    /// Somebody else reported it.
    From(String),
    /// The following commands act on that report.
    Use(Target),
    /// I am not the right person.
    NotMe,
    /// Never mail me.
    OptOut {
        /// About anything; else about this one only.
        all: bool,
    },
    /// Run the benchmark again.
    Retest,
    /// Test the attached patch, or a branch.
    Test {
        /// Repository, empty when none is given.
        repository: String,
        /// Branch or commit, empty when none is given.
        branch: String,
    },
    /// Send the held report.
    Send,
    /// To the next stage (moderation to public).
    Upstream,
    /// Set a label.
    Set(String, Vec<String>),
    /// Remove a label.
    Unset(String),
    /// Make the list again.
    Regenerate,
    /// Reject what is proposed.
    Reject,
    /// Take a rejection back.
    Unreject,
}

impl Command {
    /// The usual name of its verb.
    pub fn verb(&self) -> &'static str {
        match self {
            Command::Status => "status",
            Command::Help => "help",
            Command::Title(_) => "title",
            Command::Introduced { .. } => "introduced",
            Command::Fix(_) => "fix",
            Command::Unfix => "unfix",
            Command::DupOf(_) => "dup-of",
            Command::Undup => "undup",
            Command::Invalid(_) => "invalid",
            Command::Resolve(_) => "resolve",
            Command::Inconclusive(_) => "inconclusive",
            Command::Expected(_) => "expected",
            Command::WontFix(_) => "wont-fix",
            Command::Reopen(_) => "reopen",
            Command::Undo => "undo",
            Command::Link(..) => "link",
            Command::Unlink(_) => "unlink",
            Command::Monitor(..) => "monitor",
            Command::Snooze(_) => "snooze",
            Command::Backburn(_) => "backburn",
            Command::Unbackburn => "unbackburn",
            Command::Note(_) => "note",
            Command::IgnoreActivity => "ignore-activity",
            Command::From(_) => "from",
            Command::Use(_) => "use",
            Command::NotMe => "not-me",
            Command::OptOut { .. } => "opt-out",
            Command::Retest => "retest",
            Command::Test { .. } => "test",
            Command::Send => "send",
            Command::Upstream => "upstream",
            Command::Set(..) => "set",
            Command::Unset(_) => "unset",
            Command::Regenerate => "regenerate",
            Command::Reject => "reject",
            Command::Unreject => "unreject",
        }
    }

    /// Where the command moves the state, all else being equal; `None` when it moves nothing.
    pub fn moves_to(&self) -> Option<State> {
        match self {
            Command::Fix(_) => Some(State::FixQueued),
            Command::DupOf(_) => Some(State::Duplicate),
            Command::Invalid(_) | Command::Resolve(_) => Some(State::Invalid),
            Command::Inconclusive(_) => Some(State::Inconclusive),
            Command::Expected(_) => Some(State::Expected),
            Command::WontFix(_) => Some(State::WontFix),
            Command::Reopen(_) | Command::Unfix | Command::Undup => Some(State::Open),
            _ => None,
        }
    }
}

/// A command that was understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Given {
    /// Whose vocabulary.
    pub marker: Marker,
    /// What is asked.
    pub command: Command,
    /// As understood, unfolded: `#regzbot fix: mm: cap the batch`.
    pub line: String,
    /// Line of the body, 0-based; `None` for one in the subject.
    pub at: Option<usize>,
}

/// A line that is meant as a command but cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unclear {
    /// As typed, unfolded.
    pub line: String,
    /// What is wrong with it, a short sentence.
    pub why: String,
    /// The nearest line that would work.
    pub did_you_mean: Option<String>,
}

/// All command lines of a mail.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Commands {
    /// Understood, in the order in which they are to be carried out: `introduced` first, notes last.
    pub given: Vec<Given>,
    /// Not understood.
    pub unclear: Vec<Unclear>,
    /// More than ten: a flood, none of them is carried out.
    pub flood: bool,
}

impl Commands {
    /// Whether the mail has no line that is meant as a command.
    pub fn is_empty(&self) -> bool {
        self.given.is_empty() && self.unclear.is_empty() && !self.flood
    }

    /// Whether one of them points at that mail.
    pub fn name(&self, id: &crate::mail::MessageId) -> bool {
        let named = |given: &Given| super::thread::named_ids(&given.line).contains(id);
        self.given.iter().any(named)
    }
}
