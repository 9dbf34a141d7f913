//! The mailbox edge: one thread watches one mailbox and hands new mail to a [`Sink`].
//!
//! Mailboxes are opened read-only (EXAMINE) and nothing on the server is ever changed: what was read is remembered by
//! UIDVALIDITY and UID, on our side, in the same transaction as the mail. The protocol is the `imap` crate's; bytes,
//! bounds and TLS are ours (`stream`), because that crate waits for ever where a server falls silent.
//!
//! * [`Account`] says where and how, [`Watcher`] is the thread, [`probe`] is for `regard check`.
//! * Any failure drops the connection; a new one starts at the cursor. Nothing is repaired in place.

mod account;
mod answer;
mod bounded;
mod control;
mod error;
mod follow;
mod listing;
mod login;
mod plan;
mod probe;
mod reorder;
mod session;
mod sink;
mod slice;
mod stream;
mod strikes;
mod watch;

pub use account::{Account, Limits, Timing};
pub use error::ImapError;
pub use probe::{Probe, probe};
pub use sink::{Batch, Cursor, Fetched, Sink, SinkError, Status};
pub use watch::Watcher;
