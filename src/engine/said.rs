//! What becomes of a command line. The words for it stand in `answer-commands.txt`.

use serde::{Deserialize, Serialize};

use crate::regression::Role;

/// The answer to one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Said {
    /// Carried out.
    Done,
    /// It was so already.
    AlreadySo,
    /// The sender may not.
    NotAllowed {
        /// Who may.
        needs: Role,
    },
    /// Nothing proves that the mail is by whom it says.
    NotProven {
        /// What is missing.
        why: String,
    },
    /// The mail belongs to nothing that is tracked.
    NotTracked,
    /// What the line points at is not known.
    Unknown {
        /// As given.
        what: String,
    },
    /// Not understood.
    Unclear {
        /// Why.
        why: String,
        /// The nearest line that would work.
        did_you_mean: Option<String>,
    },
    /// There is nothing to take back.
    NothingToUndo,
    /// Understood, but it does nothing here: this bot has no such thing.
    Nothing,
    /// Too many lines: none was carried out.
    Flood,
    /// How it stands.
    Status {
        /// Title.
        title: String,
        /// State.
        state: String,
        /// `YYYY-MM-DD`.
        since: String,
        /// Who moved it, and the words.
        by: Option<(String, String)>,
        /// The named fix.
        fix: Option<String>,
    },
    /// What can be asked: name and what it does.
    Help(Vec<(String, String)>),
}

impl Said {
    /// Whether the sender should hear of it although everything went well, or because it did not.
    pub(super) fn wants_answer(&self) -> bool {
        !matches!(self, Said::Done | Said::AlreadySo)
    }
}
