//! The event log of a regression: what happened, and what made it happen.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{RegressionId, Role, State};
use crate::mail::Address;
use crate::report::ReportKind;
use crate::triage::Label;

/// One line of the log. A regression is nothing but its entries, folded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// When it took effect.
    pub at: Timestamp,
    /// What made it happen.
    pub cause: Cause,
    /// What happened.
    pub what: Happening,
}

/// Why an entry exists: every transition can be traced to a message, words, a command, a commit or a rule of time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "by")]
pub enum Cause {
    /// Somebody's words, understood by a rule.
    Words {
        /// Key of the message.
        message: String,
        /// Who wrote it.
        from: Option<Address>,
        /// In which role.
        role: Role,
        /// The words that decided.
        words: String,
        /// Id of the rule.
        rule: String,
    },
    /// An explicit command in a mail.
    Command {
        /// Key of the message.
        message: String,
        /// Who wrote it.
        from: Option<Address>,
        /// In which role.
        role: Role,
        /// The line as understood.
        line: String,
    },
    /// A trailer in a mail.
    Tag {
        /// Key of the message.
        message: String,
        /// Who wrote it.
        from: Option<Address>,
        /// `Closes: https://...`.
        line: String,
    },
    /// Benchmark results.
    Results {
        /// Key of the message that brought them.
        message: String,
        /// The decision in one line.
        reason: String,
    },
    /// A report that somebody else wrote.
    Report {
        /// Key of the message.
        message: String,
        /// Who wrote it.
        from: Option<Address>,
    },
    /// A commit in a watched tree.
    Commit {
        /// Tree name of the config.
        tree: String,
        /// Commit id.
        commit: String,
        /// Its subject.
        subject: String,
        /// What linked it to the regression: `Closes: ...`, `Fixes: ...`, `announced subject`.
        link: String,
    },
    /// The operator, on the command line.
    Operator {
        /// Login or address.
        who: String,
        /// What was typed.
        line: String,
    },
    /// Time has passed.
    Timer {
        /// The rule of time: `dismissal-unopposed`.
        rule: String,
    },
}

impl Cause {
    /// The message that caused it, where one did.
    pub fn message(&self) -> Option<&str> {
        match self {
            Cause::Words { message, .. }
            | Cause::Command { message, .. }
            | Cause::Tag { message, .. }
            | Cause::Results { message, .. }
            | Cause::Report { message, .. } => Some(message),
            Cause::Commit { .. } | Cause::Operator { .. } | Cause::Timer { .. } => None,
        }
    }

    /// The person behind it, where there is one.
    pub fn person(&self) -> Option<&Address> {
        match self {
            Cause::Words { from, .. }
            | Cause::Command { from, .. }
            | Cause::Tag { from, .. }
            | Cause::Report { from, .. } => from.as_ref(),
            _ => None,
        }
    }
}

/// What happened to the regression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "did")]
pub enum Happening {
    /// It is tracked from here on.
    Opened(Box<Opening>),
    /// The state moved.
    Moved {
        /// Before.
        from: State,
        /// After.
        to: State,
    },
    /// A verdict was understood, but moved nothing.
    Kept {
        /// The verdict.
        label: Label,
        /// Why the state stays.
        why: String,
    },
    /// A fix was named.
    FixNamed(Fix),
    /// The named fix is not one.
    FixForgotten,
    /// It is the same as another.
    DuplicateOf {
        /// The one that stays.
        of: RegressionId,
    },
    /// Renamed.
    Titled {
        /// New title.
        title: String,
    },
    /// The culprit was named or corrected.
    Introduced {
        /// Commit, range or subject, as given.
        commit: String,
    },
    /// Something worth reading.
    Linked {
        /// Where.
        url: String,
        /// What.
        text: String,
        /// Whether its thread is followed too.
        followed: bool,
    },
    /// A link was taken away.
    Unlinked {
        /// Where.
        url: String,
    },
    /// Results of a confirmation round, of another machine, of a newer tree.
    Measured {
        /// `confirmed`, `not-confirmed`, `more`, `still-there`, `fixed`.
        outcome: String,
        /// One line of numbers.
        summary: String,
    },
    /// A letter was put into the outbox.
    Wrote {
        /// Key of the draft.
        key: String,
    },
    /// The follow-up that announces the closing was written.
    ClosingAnnounced,
    /// Nobody objected in time: closed, with the answer that stood.
    LaidToRest,
    /// No reminders until then.
    Snoozed {
        /// Date.
        until: Timestamp,
    },
    /// Somebody does not want mail about it.
    OptedOut {
        /// Who.
        email: String,
    },
    /// Plain remark.
    Noted {
        /// What.
        text: String,
    },
    /// An earlier entry does not count any more.
    Undone {
        /// Its number in the log, from 1.
        entry: usize,
    },
}

/// What is known when tracking begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opening {
    /// Our name for it.
    pub id: RegressionId,
    /// Regression, improvement, failure...
    pub kind: ReportKind,
    /// `unixbench.score -4.3% regression`.
    pub title: String,
    /// Whether the report is ours (as opposed to one we only track).
    pub ours: bool,
    /// Message-ID of the report (without `<>`): the root of its thread.
    pub report: Option<String>,
    /// Who reported it.
    pub reporter: Option<Address>,
    /// Whether a machine did.
    #[serde(default)]
    pub by_robot: bool,
    /// Tree name or URL.
    pub tree: Option<String>,
    /// Branch.
    pub branch: Option<String>,
    /// Commit compared against.
    pub base: Option<String>,
    /// Culprit, as long as known.
    pub commit: Option<String>,
    /// Its subject.
    pub commit_subject: Option<String>,
    /// Its author.
    pub author: Option<Address>,
    /// People of its trailers who sign for the area (Signed-off-by, maintainers).
    #[serde(default)]
    pub maintainers: Vec<Address>,
    /// Message-ID of the posted patch (without `<>`).
    pub patch: Option<String>,
    /// Test name.
    pub test: Option<String>,
    /// Metric of the title.
    pub metric: Option<String>,
    /// Its change in percent, signed.
    pub change_percent: Option<f64>,
    /// Machine.
    pub machine: Option<String>,
    /// Test parameters, `k=v` joined by `/`.
    #[serde(default)]
    pub parameters: String,
}

impl Opening {
    /// Test x machine x parameters x metric, as one string; `None` when the test or the metric is unknown.
    pub fn series(&self) -> Option<String> {
        let machine = self.machine.as_deref().unwrap_or("");
        Some(format!(
            "{} {} {} {}",
            self.test.as_ref()?,
            machine,
            self.parameters,
            self.metric.as_ref()?
        ))
    }
}

/// A fix, as somebody named it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// Commit id, as long as given.
    pub commit: Option<String>,
    /// Subject.
    pub subject: Option<String>,
    /// Message-ID of the posted patch (without `<>`).
    pub patch: Option<String>,
    /// Who wrote or posted it (address), where known.
    pub author: Option<String>,
}

impl Fix {
    /// The shortest thing that names it.
    pub fn name(&self) -> String {
        match (&self.commit, &self.subject, &self.patch) {
            (Some(c), Some(s), _) => format!("{c} (\"{s}\")"),
            (Some(c), None, _) => c.clone(),
            (None, Some(s), _) => format!("\"{s}\""),
            (None, None, Some(p)) => format!("<{p}>"),
            (None, None, None) => "unnamed fix".to_owned(),
        }
    }
}
