//! `Name: value` lines at the end of a commit message or of an author's own text.

use serde::{Deserialize, Serialize};

/// One trailer, as written by the author of the mail (never one that is only quoted).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trailer {
    /// Spelled in the usual case: `Tested-by`, `Closes`, `Fixes`.
    pub name: String,
    /// Unfolded, trimmed.
    pub value: String,
}
