//! The server that takes our mail to the world.

use std::path::PathBuf;
use std::time::Duration;

use crate::net::{Secret, Tls};

/// An SMTP server that relays for us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relay {
    /// Host name (must match the certificate) or address.
    pub host: String,
    /// TCP port; usually 465 with [`Tls::Implicit`], 587 with [`Tls::Starttls`].
    pub port: u16,
    /// How the connection is protected.
    pub tls: Tls,
    /// PEM file of the only CA certificates to trust; the system's when `None`.
    pub ca_file: Option<PathBuf>,
    /// How to log in; `None` for a relay that knows us by our address.
    pub auth: Option<Login>,
    /// The name that we give in EHLO; this machine's when `None`.
    pub hello: Option<String>,
    /// How patient to be.
    pub timing: Timing,
}

/// Who we are to the relay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    /// Login name.
    pub user: String,
    /// Password or token.
    pub secret: Secret,
}

/// Bounds on waiting (RFC 5321 section 4.5.3.2, shortened where relays of today are quick).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timing {
    /// For a TCP connection to come up, each address.
    pub connect: Duration,
    /// For the answer to one command; for TLS and greeting together.
    pub command: Duration,
    /// For a mail to be sent and acknowledged, however small.
    pub data: Duration,
    /// On top of it for each mebibyte: relays scan what they take before they answer.
    pub data_per_mib: Duration,
    /// For a password or token command to answer.
    pub secret: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            connect: seconds(15),
            command: seconds(60),
            data: seconds(300),
            data_per_mib: seconds(120),
            secret: seconds(30),
        }
    }
}

impl Timing {
    /// For a mail of `bytes` bytes, from its first byte to the answer after the dot.
    pub(super) fn data(&self, bytes: usize) -> Duration {
        self.data + self.data_per_mib.mul_f64(bytes as f64 / (1024.0 * 1024.0))
    }
}
