//! Where the fix of a regression was found, and what became of it there.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What it means that a watched tree has a fix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Users get what is in it: a fix there is there to stay, and a revert there counts everywhere.
    Mainline,
    /// On its way to mainline (`next`, a subsystem's tree): a fix only there is incoming, and may vanish again.
    Incoming,
    /// Takes copies of what mainline has: noted, moves nothing, unless the regression was seen on this very tree.
    Stable,
}

/// A fix in a watched tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Landing {
    /// The tree, as the log calls it.
    pub tree: String,
    /// What that means.
    pub order: Order,
    /// Full commit id.
    pub commit: String,
    /// Its subject.
    pub subject: String,
    /// When it was found.
    pub since: Timestamp,
    /// Why it counts no more.
    pub gone: Option<Gone>,
}

/// How a fix came to count no more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "how")]
pub enum Gone {
    /// A later commit took it out.
    Reverted {
        /// That commit's id.
        by: String,
    },
    /// The branch was rewritten without it.
    Rewritten,
    /// Somebody tested it, and it does not help.
    Refuted,
}

/// A commit that took the culprit out of a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenOut {
    /// The tree, as the log calls it.
    pub tree: String,
    /// The reverting commit's id.
    pub by: String,
    /// The commit that undid the revert again.
    pub undone_by: Option<String>,
}

impl Landing {
    /// Whether it still counts.
    pub fn is_live(&self) -> bool {
        self.gone.is_none()
    }
}
