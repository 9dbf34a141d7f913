//! Git trees are watched: what is asked of one, what it answers, and what that means for what is tracked.
//!
//! A look at a tree has three steps, so that no other work waits while git runs: the desk says what it wants to know
//! ([`Question`]), git answers ([`survey`]), and the desk works through the answer in one transaction ([`Haul`]).

mod question;
mod settle;
mod survey;
mod watch;

pub use question::{Needle, Question};
pub use survey::{Haul, survey};
pub(super) use watch::watch;

use jiff::{SignedDuration, Timestamp};

use super::{Desk, Story};
use crate::config::Tree;
use crate::git::GitError;
use crate::store::StoreError;

/// How far the first look at a tree goes back, and every look for what was learned since: a year.
pub(super) const LOOK_BACK: SignedDuration = SignedDuration::from_hours(24 * 365);

/// Why a look at a tree came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// The tree cannot be read.
    #[error(transparent)]
    Git(#[from] GitError),
    /// It has no such branch.
    #[error("{tree}: there is no branch `{branch}`")]
    Branch {
        /// Name of the tree.
        tree: String,
        /// Of the configuration.
        branch: String,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Desk {
    /// One whole look at a tree.
    ///
    /// # Errors
    /// See [`TreeError`]; then nothing of it happened.
    pub fn visit(&mut self, tree: &Tree, now: Timestamp) -> Result<Vec<Story>, TreeError> {
        let question = self.question(tree)?;
        let haul = survey(tree, &question, now)?;
        Ok(self.commits(haul, now)?)
    }
}
