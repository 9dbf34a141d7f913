//! The seam to the store: what a watcher hands over, and what it asks for.

use std::time::Duration;

use thiserror::Error;

use super::ImapError;

/// How far a mailbox has been read. A UID means nothing without the UIDVALIDITY that it was given under (RFC 3501
/// section 2.3.1.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// Changes when the server renumbers the mailbox.
    pub uid_validity: u32,
    /// Everything up to and including this UID is done.
    pub uid: u32,
}

/// A mail as it lies on the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Its UID.
    pub uid: u32,
    /// When it arrived there (INTERNALDATE), if the server's date is readable.
    pub internal_date: Option<jiff::Timestamp>,
    /// Whole size in bytes, as the server says (RFC822.SIZE).
    pub size: u32,
    /// `raw` holds only the first part of it.
    pub truncated: bool,
    /// The bytes.
    pub raw: Vec<u8>,
}

/// Mails in UID order, and how far the mailbox is read once they are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Mailbox name (with the slice number, where there are slices).
    pub mailbox: String,
    /// To be stored in the same transaction as the mails.
    pub cursor_after: Cursor,
    /// May be empty: then only the cursor moves (past mail that is gone, too old, or in quarantine).
    pub mails: Vec<Fetched>,
}

/// Takes what a watcher finds. Called from the watcher's thread only.
///
/// After a renumbered mailbox everything is handed over again, and a crash between two batches repeats nothing but may
/// repeat the current one: recognising known mail (by Message-ID) is the sink's job. A call that panics counts against
/// the mail that it was given, which ends in quarantine after three times.
pub trait Sink {
    /// How far `mailbox` has been read; `None` when it was never seen.
    ///
    /// # Errors
    /// See [`SinkError`].
    fn cursor(&mut self, mailbox: &str) -> Result<Option<Cursor>, SinkError>;

    /// Stores the mails and the cursor, both or neither.
    ///
    /// # Errors
    /// See [`SinkError`].
    fn accept(&mut self, batch: Batch) -> Result<(), SinkError>;

    /// Remembers a mail that cannot be had. The cursor follows with an empty batch.
    ///
    /// # Errors
    /// See [`SinkError`].
    fn quarantine(&mut self, mailbox: &str, uid: u32, why: &str) -> Result<(), SinkError>;

    /// News of the watcher itself, for logs and `regard list`.
    fn status(&mut self, status: Status);
}

/// The sink cannot take it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SinkError {
    /// A locked database, a full disk: the same call is made again, with growing pauses, until it works.
    #[error("{0}")]
    Transient(String),
    /// No use trying again: the watcher ends.
    #[error("{0}")]
    Fatal(String),
}

/// What a watcher is doing.
#[derive(Debug, Clone, PartialEq)]
pub enum Status {
    /// Going to connect.
    Connecting,
    /// Everything there is has been handed over; waits for more.
    Watching {
        /// Mailbox name, with the slice.
        mailbox: String,
        /// How far it is read.
        cursor: Cursor,
        /// By IDLE; otherwise by polling.
        idle: bool,
    },
    /// The server renumbered the mailbox (or its UIDs went back): reads it all again.
    Renumbered {
        /// Mailbox name.
        mailbox: String,
        /// What we had.
        was: Cursor,
        /// What it is now.
        uid_validity: u32,
    },
    /// The sink cannot take mail at the moment.
    SinkBusy {
        /// The sink's words.
        why: String,
        /// Until the next try.
        pause: Duration,
    },
    /// The connection failed or was refused.
    Lost {
        /// Why, with its slug and cure.
        error: ImapError,
        /// How many times in a row.
        failures: u32,
        /// Until the next try.
        pause: Duration,
    },
    /// The thread ends: asked to (`None`), or because of the sink.
    Stopped {
        /// The sink's words.
        why: Option<String>,
    },
}
