//! What can go wrong with an archive.

use std::io;

/// Why an archive, or a part of one, could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// A file or folder could not be read.
    #[error("{path}: {source}")]
    Io {
        /// Which one.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// git said no.
    #[error("{path}: git {verb}: {what}")]
    Git {
        /// Repository.
        path: String,
        /// The git command.
        verb: &'static str,
        /// Its words.
        what: String,
    },
}

impl ArchiveError {
    pub(super) fn io(path: &std::path::Path, source: io::Error) -> Self {
        Self::Io { path: path.display().to_string(), source }
    }
}
