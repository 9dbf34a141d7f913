//! A mail that we want to send, before wording: `render` knows the words, `smtp` the wire.

use super::Said;
use crate::mail::MessageId;
use crate::regression::{RegressionId, State};
use crate::report::{Brief, Finding};

pub use crate::report::Recipient;

/// A letter with its envelope. The key makes it idempotent: the Message-ID derives from it, and the outbox refuses a
/// second row with the same key.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// `report/<regression>`, `follow-up/<regression>/fixed`, `answer/<message key>`.
    pub key: String,
    /// The regression that it belongs to.
    pub regression: Option<RegressionId>,
    /// Why it exists, kebab-case: stands in the log, the row and `X-Regard-Reason`.
    pub reason: String,
    /// Set when the gate before the door held it: the slug, then `: `, then what the operator needs to know.
    pub hold: Option<String>,
    /// What it says.
    pub letter: Letter,
    /// To.
    pub to: Vec<Recipient>,
    /// Cc.
    pub cc: Vec<Recipient>,
    /// The mail that it answers.
    pub in_reply_to: Option<MessageId>,
    /// Its thread, oldest first, without itself.
    pub references: Vec<MessageId>,
    /// Subject of the mail that it answers; reports make their own.
    pub answers_subject: Option<String>,
}

/// What a mail says. One variant a template family.
#[derive(Debug, Clone, PartialEq)]
pub enum Letter {
    /// `report.txt`, or `improvement.txt`: the first mail about a commit.
    Report(Box<Brief>),
    /// `follow-up-*.txt`: later news in the same thread.
    FollowUp(Box<FollowUp>),
    /// `answer-*.txt`: one short mail to one person.
    Answer(Answer),
    /// `run-request.txt`: asks the lab for a confirmation round or for the test of a fix.
    RunRequest(Box<RunRequest>),
}

/// Later news of a regression.
#[derive(Debug, Clone, PartialEq)]
pub struct FollowUp {
    /// Where the regression stands after the news.
    pub state: State,
    /// Title of the regression (`metric -X% regression`).
    pub title: String,
    /// The news.
    pub news: News,
}

/// What happened. Each has its own template: `follow-up-<name>.txt`.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// `follow-up-more.txt`: other tests or machines show it too.
    More(Vec<Finding>),
    /// `follow-up-confirmed.txt`: the confirmation round agrees.
    Confirmed(Finding),
    /// `follow-up-not-confirmed.txt`: the confirmation round does not show it.
    NotConfirmed(Finding),
    /// `follow-up-still-there.txt`: seen on a newer commit of the tree.
    StillThere(Finding),
    /// `follow-up-fixed.txt`: the numbers are back within noise.
    Fixed(Finding),
    /// `follow-up-closing.txt`: a dismissal stood unopposed; closes on that date unless somebody objects.
    Closing {
        /// Who dismissed it.
        by: String,
        /// Their words.
        words: String,
        /// `YYYY-MM-DD`.
        on: String,
    },
    /// `follow-up-fix-missing.txt`: a fix was announced, but no watched tree has it.
    FixMissing {
        /// Subject or id that was announced.
        fix: String,
        /// When.
        announced: String,
    },
}

/// A short answer to one person.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// `answer-malformed.txt`: the notification could not be read.
    Malformed {
        /// File name of the attachment, or `body`.
        part: String,
        /// Each: where, what was found, what was expected.
        problems: Vec<String>,
    },
    /// `answer-commands.txt`: what became of each command line.
    Commands {
        /// The line as typed, then what became of it.
        lines: Vec<(String, Said)>,
    },
}

/// A machine-readable request to a lab.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRequest {
    /// What to run again: the lab's own words for it.
    pub finding: Finding,
    /// `confirm`, `test-fix`, `retest`.
    pub purpose: String,
    /// Runs a side that are asked for.
    pub runs: u32,
    /// Commit, subject, Message-ID or URL of the fix to test.
    pub fix: Option<String>,
}
