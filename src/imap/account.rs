//! Where a mailbox is, how to get in, and how patient to be.

use std::path::PathBuf;
use std::time::Duration;

use crate::net::{Secret, Tls};

/// A mailbox on a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The operator's name for it: stands in logs and thread names.
    pub name: String,
    /// Host name (must match the certificate) or address.
    pub host: String,
    /// TCP port; usually 993 with [`Tls::Implicit`], 143 with [`Tls::Starttls`].
    pub port: u16,
    /// How the connection is protected.
    pub tls: Tls,
    /// PEM file of the only CA certificates to trust; the system's when `None`.
    pub ca_file: Option<PathBuf>,
    /// Login name.
    pub user: String,
    /// Password or token.
    pub secret: Secret,
    /// Mailbox name as the server spells it (`INBOX`; modified UTF-7 for other than ASCII). With `slices`, the name
    /// without its number.
    pub mailbox: String,
    /// The mailbox is split into `mailbox.0`, `mailbox.1`, ... as public-inbox does at 50,000 mails each.
    pub slices: bool,
    /// Read only mail that arrived on or after this day, when the mailbox is seen for the first time or has been
    /// renumbered. All of it when `None`.
    pub since: Option<jiff::civil::Date>,
    /// How patient to be.
    pub timing: Timing,
    /// How much to take at once.
    pub limits: Limits,
}

impl Account {
    /// `HOST:PORT MAILBOX`, for logs.
    pub fn place(&self) -> String {
        format!("{}:{} {}", self.host, self.port, self.mailbox)
    }
}

/// Bounds on waiting. A connection that died without a word (half-open) is noticed within `idle + io`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timing {
    /// For a TCP connection to come up, each address.
    pub connect: Duration,
    /// Longest silence of the server while it owes us an answer.
    pub io: Duration,
    /// Longest answer to one command, however lively.
    pub command: Duration,
    /// Longest IDLE, whatever the server sends meanwhile. Under a minute: firewalls and servers drop quiet
    /// connections, and a mail announced at the wrong moment is found again after it.
    pub idle: Duration,
    /// Between two looks where the server has no IDLE.
    pub poll: Duration,
    /// For a password or token command to answer.
    pub secret: Duration,
    /// First pause after a lost connection (doubles).
    pub retry_first: Duration,
    /// Longest pause after lost connections.
    pub retry_max: Duration,
    /// First pause after a refused login (doubles): hammering locks accounts.
    pub refused_first: Duration,
    /// Longest pause after refused logins, and after other failures that need the operator.
    pub refused_max: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            connect: seconds(10),
            io: seconds(45),
            command: seconds(900),
            idle: seconds(50),
            poll: seconds(60),
            secret: seconds(30),
            retry_first: seconds(1),
            retry_max: seconds(300),
            refused_first: seconds(60),
            refused_max: seconds(1800),
        }
    }
}

/// Bounds on size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Mails in one batch.
    pub batch_mails: usize,
    /// Bytes in one batch, unless a single mail is larger.
    pub batch_bytes: u64,
    /// A larger mail is cut: only its first `cut_bytes` are fetched.
    pub mail_bytes: u64,
    /// What is fetched of a mail that is too large.
    pub cut_bytes: u64,
    /// The answer to one command; beyond it the connection is dropped.
    pub answer_bytes: u64,
    /// UIDs listed at once while catching up.
    pub window: u32,
}

impl Default for Limits {
    fn default() -> Self {
        const MIB: u64 = 1024 * 1024;
        Self {
            batch_mails: 50,
            batch_bytes: 8 * MIB,
            mail_bytes: 4 * MIB,
            cut_bytes: MIB / 4,
            answer_bytes: 64 * MIB,
            window: 10_000,
        }
    }
}
