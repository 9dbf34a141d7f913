//! The event log of a regression: what happened, and what made it happen.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Gone, Order, RegressionId, Role, State, same_commit, subject_key};
use crate::mail::Address;
use crate::report::{Recipient, ReportKind};
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
        /// The operator who settled what the words mean, where no rule was sure.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        settled_by: Option<String>,
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
        /// What linked it to the regression: `Closes: ...`, `Fixes: ...`, `named as the fix: ...`.
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
    /// A watched tree has a fix.
    Found {
        /// The tree.
        tree: String,
        /// What that means.
        order: Order,
        /// Full commit id.
        commit: String,
        /// Its subject.
        subject: String,
        /// Address of its author.
        author: Option<String>,
        /// The commit in whose place it came when the branch was rewritten.
        instead_of: Option<String>,
    },
    /// A fix counts no more where it was found.
    Lost {
        /// Its ids in the trees concerned.
        commits: Vec<String>,
        /// The tree; none when all are meant.
        tree: Option<String>,
        /// Why.
        gone: Gone,
    },
    /// A watched tree took the culprit out.
    CulpritReverted {
        /// The tree.
        tree: String,
        /// The reverting commit.
        by: String,
    },
    /// A watched tree took the culprit in again.
    CulpritReapplied {
        /// The tree.
        tree: String,
        /// The revert that was undone.
        revert: String,
        /// The commit that undid it.
        by: String,
    },
    /// An announced fix is in no watched tree; that was asked about, or noted where we do not ask.
    FixMissed {
        /// What was announced.
        fix: String,
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
        /// Not about anything else, either.
        #[serde(default)]
        all: bool,
    },
    /// Somebody else reported it.
    ReportedBy {
        /// Who.
        reporter: Address,
    },
    /// Low priority until it is solved or taken back.
    Backburned {
        /// Why; may be empty.
        why: String,
    },
    /// Normal priority again.
    Unbackburned,
    /// A label was set.
    Labelled {
        /// Its name.
        label: String,
        /// Its values; none for a label that only stands there.
        values: Vec<String>,
    },
    /// A label was taken off.
    Unlabelled {
        /// Its name.
        label: String,
    },
    /// The mail that caused this is no activity.
    ActivityIgnored,
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
    /// Who got the report, and why: news of it go to nobody else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readers: Vec<Recipient>,
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
    /// Whether both are the same fix: they share the commit, the posting or the subject.
    pub fn is_same(&self, other: &Fix) -> bool {
        let commit =
            matches!((&self.commit, &other.commit), (Some(a), Some(b)) if same_commit(a, b));
        let patch = self.patch.is_some() && self.patch == other.patch;
        let key = |fix: &Fix| fix.subject.as_deref().map(subject_key).filter(|k| !k.is_empty());
        commit || patch || key(self).is_some_and(|k| Some(k) == key(other))
    }

    /// Takes over what the other names and this one does not; of two ids the longer.
    pub fn fill(&mut self, other: &Fix) {
        let longer = |a: &Option<String>, b: &Option<String>| {
            b.as_ref().map_or(0, String::len) > a.as_ref().map_or(0, String::len)
        };
        if longer(&self.commit, &other.commit) {
            self.commit.clone_from(&other.commit);
        }
        let take = |mine: &mut Option<String>, theirs: &Option<String>| {
            if mine.is_none() {
                mine.clone_from(theirs);
            }
        };
        take(&mut self.subject, &other.subject);
        take(&mut self.patch, &other.patch);
        take(&mut self.author, &other.author);
    }

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
