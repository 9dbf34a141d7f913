//! SQLite: messages, regressions, their logs, the outbox, the cursors, and what was measured.
//!
//! One writer at a time. An event, the new state and its outbox rows are one transaction, and so is a mailbox cursor
//! with the mail that it covers: callers do all of it inside [`Store::transaction`].

mod cursor;
mod error;
mod finding;
mod lock;
mod mark;
mod message;
mod opt_out;
mod orphan;
mod outbox;
mod pending;
mod point;
mod quarantine;
mod regression;
mod review;
mod schema;
mod series;
mod suite;
mod tested;
mod thread;
mod tree;

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

pub use error::StoreError;
pub use lock::Lock;
pub use message::StoredMessage;
pub use outbox::{OutboxRow, OutboxState, RecipientRow, RecipientState};
pub use pending::Pending;
pub use point::{Reach, StoredPoint};
pub use quarantine::Quarantined;
pub use review::Review;
pub use series::Series;
pub use suite::Suite;
pub use tested::Tested;
pub use tree::TreeCursor;

/// An open store.
#[derive(Debug)]
pub struct Store {
    db: Connection,
}

/// One transaction: every read and write of the store happens inside one.
#[derive(Debug)]
pub struct Tx<'a> {
    pub(crate) db: Transaction<'a>,
}

impl Store {
    /// Opens, or makes, the database at `path` and brings its schema up to date.
    ///
    /// # Errors
    /// When the file cannot be opened, is not ours, or was written by a newer version.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let db = Connection::open(path).map_err(|e| StoreError::open(path, e))?;
        Self::prepare(db)
    }

    /// Opens an existing database for looking only: a missing one is an error, nothing is migrated.
    ///
    /// # Errors
    /// When the file does not exist or its schema is not the one of this version.
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(path, flags).map_err(|e| StoreError::open(path, e))?;
        Self::prepare(db)
    }

    /// A store in memory, for `explain`, the demo and tests.
    ///
    /// # Errors
    /// Never in practice; SQLite may be out of memory.
    pub fn in_memory() -> Result<Self, StoreError> {
        Self::prepare(Connection::open_in_memory()?)
    }

    fn prepare(mut db: Connection) -> Result<Self, StoreError> {
        db.busy_timeout(Duration::from_secs(10))?;
        // WAL for readers beside the writer; FULL because a report must not be sent again after a power cut.
        db.pragma_update(None, "journal_mode", "wal")?;
        db.pragma_update(None, "synchronous", "full")?;
        db.pragma_update(None, "foreign_keys", true)?;
        schema::migrate(&mut db)?;
        Ok(Self { db })
    }

    /// How long a write waits for another process before it gives up (ten seconds unless told).
    ///
    /// # Errors
    /// Of the database.
    pub fn set_patience(&self, patience: Duration) -> Result<(), StoreError> {
        Ok(self.db.busy_timeout(patience)?)
    }

    /// Bounds the size of the file, in pages of 4 KiB: what is beyond is a full disk.
    ///
    /// # Errors
    /// Of the database.
    pub fn limit_pages(&self, pages: u32) -> Result<(), StoreError> {
        Ok(self.db.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?)
    }

    /// Runs `work` in one write transaction: all of it is kept, or nothing.
    ///
    /// # Errors
    /// Those of `work`, or of the commit (disk full, locked by another process for more than ten seconds).
    pub fn transaction<T, E: From<StoreError>>(
        &mut self,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let db = self
            .db
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(StoreError::from)?;
        let mut tx = Tx { db };
        let value = work(&mut tx)?;
        tx.db.commit().map_err(StoreError::from)?;
        Ok(value)
    }

    /// Runs `work` for reading; whatever it writes is rolled back.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn look<T>(
        &mut self,
        work: impl FnOnce(&Tx<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let db = self.db.transaction_with_behavior(TransactionBehavior::Deferred)?;
        work(&Tx { db })
    }
}

impl Tx<'_> {
    /// Runs `work` as a part that can fail alone: its writes are undone, the transaction goes on.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn part<T, E: From<StoreError>>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        self.db.execute_batch("savepoint part").map_err(StoreError::from)?;
        let outcome = work(self);
        let end = if outcome.is_ok() { "release part" } else { "rollback to part; release part" };
        self.db.execute_batch(end).map_err(StoreError::from)?;
        outcome
    }
}
