//! What is to be done: the store keeps it, the outbox sends it.

use super::Draft;
use crate::mail::MessageId;
use crate::regression::{Entry, RegressionId};
use crate::report::Finding;

/// One consequence of an event.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// A new line in a regression's log; an opening makes the regression.
    Append(RegressionId, Box<Entry>),
    /// A Message-ID stands in the regression's thread.
    Join(RegressionId, MessageId),
    /// A Message-ID stands in the regression's thread no more.
    Leave(RegressionId, MessageId),
    /// A letter to write.
    Send(Box<Draft>),
    /// Wait for the confirmation of this first round.
    Await {
        /// The id that the answer must name.
        id: String,
        /// Who was asked.
        lab: String,
        /// The first round.
        finding: Box<Finding>,
    },
    /// The awaited round is here.
    Settle {
        /// Its id.
        id: String,
    },
    /// The results that opened a regression of ours, and who sent them: a lab can be asked to run them again.
    Keep {
        /// The regression.
        id: RegressionId,
        /// Who sent them.
        lab: String,
        /// The results.
        finding: Box<Finding>,
    },
    /// The held report of a regression may go out.
    Release(RegressionId),
    /// The held letters of a regression are thrown away.
    Reject(RegressionId),
    /// What was thrown away is held again.
    Unreject(RegressionId),
    /// An address is never written to again.
    OptOut {
        /// Canonical.
        email: String,
    },
    /// A person should look at this mail.
    Review {
        /// Why (slug).
        why: String,
        /// What triage thought.
        label: Option<String>,
        /// The words.
        words: String,
    },
    /// Nothing happens, for this reason (slug, then `: ` and words).
    Nothing(String),
}
