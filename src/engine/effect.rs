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
