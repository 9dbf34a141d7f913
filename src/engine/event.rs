//! What can happen, and what must be known to decide about it.

use crate::mail::{Address, MessageId, Trailer};
use crate::regression::command::Commands;
use crate::regression::thread::About;
use crate::regression::{Order, Regression, RegressionId, Role, TreeCommit};
use crate::report::{Finding, Report};
use crate::stats::Overall;
use crate::triage::Reading;

/// The mail that an event came with.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MailRef {
    /// Its key in the store.
    pub key: String,
    /// Which of its results the event is about, where it brings several; empty for the first.
    pub part: String,
    /// Its Message-ID.
    pub id: Option<MessageId>,
    /// Its author.
    pub from: Option<Address>,
    /// Its subject.
    pub subject: String,
    /// Its thread, oldest first.
    pub references: Vec<MessageId>,
    /// Whether we are in To or Cc.
    pub addressed: bool,
    /// Why it must not be answered (RFC 3834), where it must not.
    pub no_answer: Option<String>,
    /// Why it is not proven that its author wrote it; `None` when it is, or when nobody asked.
    pub unproven: Option<String>,
}

impl MailRef {
    /// What the id of a regression derives from.
    pub(super) fn seed(&self) -> String {
        if self.part.is_empty() { self.key.clone() } else { format!("{} {}", self.key, self.part) }
    }
}

/// Something that happened. Timers and commits are events like any mail.
#[derive(Debug, Clone)]
pub enum Event {
    /// A lab sent results, and they were decided.
    Results {
        /// The mail.
        mail: MailRef,
        /// What came, with its decided metrics.
        finding: Box<Finding>,
        /// What it all comes to.
        overall: Overall,
    },
    /// A lab sent something that cannot be read.
    Malformed {
        /// The mail.
        mail: MailRef,
        /// File name of the attachment, or `body`.
        part: String,
        /// Each: where, what was found, what was expected.
        problems: Vec<String>,
    },
    /// A robot or a person reported something to a list.
    Reported {
        /// The mail.
        mail: MailRef,
        /// What it says.
        report: Box<Report>,
        /// Who is behind it.
        about: About,
    },
    /// A person wrote in a thread.
    Reply {
        /// The mail.
        mail: MailRef,
        /// In which role.
        role: Role,
        /// What triage concludes.
        reading: Reading,
        /// Explicit lines.
        commands: Commands,
        /// Trailers of the author's own text.
        tags: Vec<Trailer>,
        /// The operator who settled what the words mean, when no rule was sure.
        settled_by: Option<String>,
    },
    /// A watched tree has a new commit.
    Commit {
        /// The tree.
        tree: WatchedTree,
        /// The commit.
        commit: Box<TreeCommit>,
    },
    /// A watched tree was rewritten, and a fix that was found there is gone.
    Rewritten {
        /// The tree.
        tree: WatchedTree,
        /// Full id of the fix.
        lost: String,
        /// What came in its place.
        successor: Option<Box<TreeCommit>>,
    },
    /// Time has passed.
    Tick,
}

/// A git tree that is watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedTree {
    /// As notifications call it.
    pub name: String,
    /// As the log calls it: the name, with the branch where several are watched.
    pub label: String,
    /// What it means that it has a fix.
    pub order: Order,
}

/// What is known when the event comes.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// The regression that the event belongs to.
    pub regression: Option<Regression>,
    /// Open regressions of the same commit.
    pub same_commit: Vec<Regression>,
    /// Open regressions of the same series.
    pub same_series: Vec<Regression>,
    /// Those of them whose range shares a commit with that of the results, as git tells.
    pub overlapping: Vec<RegressionId>,
    /// Message and patch of the culprit, where a tree has it.
    pub patch: String,
    /// The regression that it is a duplicate of.
    pub canonical: Option<Regression>,
    /// First round of what the event confirms or not.
    pub first_round: Option<Box<Finding>>,
    /// What opened the regression, and the lab that sent it.
    pub opened_by: Option<(String, Box<Finding>)>,
    /// Which regression each pointer (URL, id, title, commit) of the mail, or trailer line of the commit, leads to.
    pub pointers: Vec<(String, Regression)>,
    /// Mails that the commands point at without being tracked, as far as they were seen.
    pub seen: Vec<SeenMail>,
    /// Letters about the regression that are held.
    pub held: usize,
    /// Letters about the regression that were thrown away.
    pub dropped: usize,
    /// Addresses that want no mail about anything, canonical.
    pub unwilling: Vec<String>,
    /// New reports written in the last 24 hours.
    pub written_today: u32,
    /// Answers written to this sender in the last 24 hours.
    pub answered_today: u32,
}

/// A mail that was seen.
#[derive(Debug, Clone)]
pub struct SeenMail {
    /// Its Message-ID.
    pub id: MessageId,
    /// Who wrote it.
    pub from: Option<Address>,
    /// Its subject.
    pub subject: String,
}

impl Snapshot {
    /// The regression that a pointer leads to.
    pub(super) fn named(&self, pointer: &str) -> Option<&Regression> {
        self.pointers.iter().find(|(p, _)| p == pointer).map(|(_, r)| r)
    }
}
