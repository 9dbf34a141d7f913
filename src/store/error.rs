//! What can go wrong with the database, in words for the operator.

use std::path::Path;

use rusqlite::ErrorCode;
use thiserror::Error;

/// A failed read or write. [`StoreError::is_transient`] tells whether waiting helps.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file cannot be opened.
    #[error("store {path}: cannot be opened: {source}; check [store] path and its permissions")]
    Open {
        /// As configured.
        path: String,
        /// SQLite's reason.
        source: rusqlite::Error,
    },
    /// Written by a newer regard.
    #[error(
        "store: schema version {found} is newer than this regard knows ({known}); use the newer binary"
    )]
    Newer {
        /// In the file.
        found: i64,
        /// Of this binary.
        known: i64,
    },
    /// Another daemon holds it.
    #[error("store {path}: another regard daemon (pid {pid}) is using it")]
    Held {
        /// Lock file.
        path: String,
        /// Who wrote the lock file.
        pid: String,
    },
    /// The lock file cannot be made.
    #[error("store {path}: cannot be locked: {source}")]
    Lock {
        /// Lock file.
        path: String,
        /// Reason.
        source: std::io::Error,
    },
    /// A row that does not decode: refused, not guessed at.
    #[error("store: row {row}: {what}")]
    Row {
        /// Table and key.
        row: String,
        /// What is wrong.
        what: String,
    },
    /// No room left on the device.
    #[error(
        "store: the disk is full; nothing was lost, processing waits until there is room ({0})"
    )]
    Full(rusqlite::Error),
    /// Somebody else writes.
    #[error("store: locked by another process for more than ten seconds ({0})")]
    Locked(rusqlite::Error),
    /// Anything else.
    #[error("store: {0}")]
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(e: rusqlite::Error) -> Self {
        match e.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full(e),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked(e),
            _ => StoreError::Sqlite(e),
        }
    }
}

impl StoreError {
    pub(super) fn open(path: &Path, source: rusqlite::Error) -> Self {
        StoreError::Open { path: path.display().to_string(), source }
    }

    pub(super) fn row(row: impl Into<String>, what: impl ToString) -> Self {
        StoreError::Row { row: row.into(), what: what.to_string() }
    }

    /// Whether the same thing may succeed later without anybody changing the configuration.
    pub fn is_transient(&self) -> bool {
        matches!(self, StoreError::Full(_) | StoreError::Locked(_))
            || matches!(self, StoreError::Sqlite(e)
                if matches!(e.sqlite_error_code(), Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen | ErrorCode::ReadOnly)))
    }
}
