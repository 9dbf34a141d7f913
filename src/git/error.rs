//! What can go wrong with `git`.

use std::path::PathBuf;
use std::time::Duration;

/// A call of `git` that gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The command itself could not be started.
    #[error("`git` could not be started: {0}; install git, or check PATH")]
    Start(#[source] std::io::Error),
    /// The folder is no repository.
    #[error("{} is no git repository: {said}", dir.display())]
    NoRepository {
        /// The folder.
        dir: PathBuf,
        /// What git said.
        said: String,
    },
    /// The folder of a mirror cannot be made.
    #[error("{} cannot be made: {source}", dir.display())]
    Folder {
        /// The folder.
        dir: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A revision or path that git would take for something else.
    #[error("`{0}` is no revision or path")]
    Name(String),
    /// It took too long and was ended.
    #[error("`git {command}` took more than {} seconds and was ended", limit.as_secs())]
    Slow {
        /// First words of the command.
        command: String,
        /// How long it may take.
        limit: Duration,
    },
    /// It failed.
    #[error("`git {command}` failed: {said}")]
    Failed {
        /// First words of the command.
        command: String,
        /// What git said.
        said: String,
    },
}
