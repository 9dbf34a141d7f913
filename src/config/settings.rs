//! What a configuration means, once it is checked.

use std::path::PathBuf;
use std::time::Duration;

use super::{Diagnostic, Tree};
use crate::engine::Policy;
use crate::net::{Secret, Tls};

/// The configuration, resolved.
#[derive(Debug, Clone)]
pub struct Config {
    /// The file it came from.
    pub file: PathBuf,
    /// What happens to mail that we write.
    pub mode: Mode,
    /// Standing orders for the engine.
    pub policy: Policy,
    /// The database.
    pub store: PathBuf,
    /// Mailboxes to read.
    pub mailboxes: Vec<Mailbox>,
    /// Git trees to watch, mainline first.
    pub trees: Vec<Tree>,
    /// How mail goes out; absent in a bot that never sends.
    pub smtp: Option<RelayConfig>,
    /// `https://.../`: where a mail can be found when its Message-ID is put behind it.
    pub archive_url: Option<String>,
    /// The page that every footer links to.
    pub help_url: Option<String>,
    /// The user's own templates.
    pub templates: Option<PathBuf>,
    /// The user's own rules.
    pub rules: Option<PathBuf>,
    /// Timing of the outbox.
    pub outbox: Outbox,
    /// What is missing for talking to servers; who only looks at the store can do without.
    pub unready: Vec<Diagnostic>,
}

/// What happens to mail that we write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It stays in the outbox.
    DryRun,
    /// It waits in the outbox until it is released.
    Moderated,
    /// It goes out.
    Live,
}

/// One mailbox to read.
#[derive(Debug, Clone)]
pub struct Mailbox {
    /// Unique name, for the log and the cursor.
    pub name: String,
    /// Server.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Protection.
    pub tls: Tls,
    /// A CA file instead of the system's.
    pub ca_file: Option<PathBuf>,
    /// Login.
    pub user: String,
    /// Its secret.
    pub secret: Secret,
    /// Mailbox on the server.
    pub mailbox: String,
    /// Whether public-inbox slices follow each other.
    pub slices: bool,
    /// Only mail that arrived on or after this day.
    pub since: Option<jiff::civil::Date>,
    /// Longest IDLE.
    pub idle: Duration,
}

/// The relay.
#[derive(Debug, Clone)]
pub struct RelayConfig {
    /// Server.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Protection.
    pub tls: Tls,
    /// A CA file instead of the system's.
    pub ca_file: Option<PathBuf>,
    /// Login and its secret.
    pub login: Option<(String, Secret)>,
    /// Name for EHLO; the machine's otherwise.
    pub hello: Option<String>,
}

/// Timing of the outbox.
#[derive(Debug, Clone)]
pub struct Outbox {
    /// Pauses before the second try, the third, ...; hourly after those. Seconds.
    pub retry: Vec<u64>,
    /// No try later than this after the first.
    pub give_up: Duration,
    /// How long a mail that may have been taken waits for its echo before it is sent again.
    pub resend_after: Duration,
}
