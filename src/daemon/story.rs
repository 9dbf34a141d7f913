//! What became of one mail, or of one tick: for the log, and for the demo that tells it.

use crate::engine::Effect;
use crate::mail::{Address, Origin};
use crate::regression::RegressionId;
use crate::stats::Overall;
use crate::triage::Reading;

/// One event from end to end.
#[derive(Debug, Clone)]
pub struct Story {
    /// Key of the mail; empty for a tick.
    pub key: String,
    /// Author.
    pub from: Option<Address>,
    /// Subject.
    pub subject: String,
    /// What sort of mail it is; `None` for a tick.
    pub origin: Option<Origin>,
    /// The regression that it belongs to.
    pub regression: Option<RegressionId>,
    /// What was understood.
    pub understood: Vec<Understood>,
    /// What was decided.
    pub effects: Vec<Effect>,
    /// Rows of the outbox that it made.
    pub written: Vec<i64>,
    /// What could not be understood.
    pub defects: Vec<String>,
}

/// What a mail was understood to say.
#[derive(Debug, Clone)]
pub enum Understood {
    /// Seen before.
    Known,
    /// Results, with the decision.
    Results {
        /// Test and commits in one line.
        title: String,
        /// The decision.
        overall: Overall,
    },
    /// Results that cannot be read.
    Malformed {
        /// The part.
        part: String,
        /// What is wrong.
        problems: Vec<String>,
    },
    /// Somebody's report.
    Report {
        /// Its title line.
        title: String,
    },
    /// Somebody's words.
    Reply(Reading),
    /// Our own mail came back: delivery is confirmed.
    Echo {
        /// Row of the outbox.
        outbox: i64,
    },
    /// A delivery failed.
    Bounce {
        /// Address and reason.
        recipients: Vec<(String, String)>,
    },
    /// A commit of a watched tree that means what is tracked.
    Commit {
        /// The tree.
        tree: String,
        /// Full id.
        commit: String,
        /// Its subject; empty for a fix that is gone.
        subject: String,
    },
    /// Put aside whole.
    Quarantined {
        /// Why.
        why: String,
    },
}

impl Story {
    /// A story that begins with this mail.
    pub(super) fn new(key: &str) -> Self {
        Self {
            key: key.to_owned(),
            from: None,
            subject: String::new(),
            origin: None,
            regression: None,
            understood: Vec::new(),
            effects: Vec::new(),
            written: Vec::new(),
            defects: Vec::new(),
        }
    }
}
