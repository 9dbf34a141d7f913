//! What is given to a relay, and what became of it.

use serde::{Deserialize, Serialize};

use super::Trouble;

/// A mail with its envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parcel {
    /// The caller's name for it; comes back in [`Delivery`].
    pub id: String,
    /// Sender of the envelope; empty for `<>`.
    pub from: String,
    /// Recipients that it has not reached yet.
    pub to: Vec<String>,
    /// The mail. Bare line ends become CRLF on the way.
    pub raw: Vec<u8>,
}

/// What became of a parcel.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    /// [`Parcel::id`].
    pub id: String,
    /// See there.
    pub outcome: Outcome,
}

/// Whether the relay had anything to say about a mail at all.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It did: each recipient in the order of the parcel. Counts as an attempt.
    Answered(Vec<(String, Fate)>),
    /// The relay cannot be used at the moment, which says nothing of this mail. Does not count as an attempt: try all
    /// mail again when the relay is back.
    NotTried(Trouble),
}

/// What became of one recipient's copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fate", rename_all = "kebab-case")]
pub enum Fate {
    /// The relay has taken responsibility.
    Accepted {
        /// SMTP code (250).
        code: u16,
        /// The relay's words, often with its own id of the mail.
        text: String,
    },
    /// Not now; see [`super::Schedule`].
    Deferred {
        /// Kebab-case slug.
        reason: String,
        /// SMTP code (4xx).
        code: u16,
        /// The relay's words.
        text: String,
    },
    /// Never.
    Refused {
        /// Kebab-case slug.
        reason: String,
        /// SMTP code (5xx); `None` when it was we who did not try.
        code: Option<u16>,
        /// The relay's words, or ours.
        text: String,
    },
    /// The mail was sent, and then no answer came: the relay may have taken it or not. To be tried again with the same
    /// Message-ID, but only a few times.
    Ambiguous {
        /// What happened.
        text: String,
    },
}

impl Fate {
    pub(super) fn deferred(reason: &str, code: u16, text: &str) -> Self {
        Self::Deferred { reason: reason.to_owned(), code, text: text.to_owned() }
    }

    pub(super) fn refused(reason: &str, code: Option<u16>, text: &str) -> Self {
        Self::Refused { reason: reason.to_owned(), code, text: text.to_owned() }
    }
}
