//! Why a mail server cannot even be talked to, by IMAP or SMTP alike.

use std::net::IpAddr;

use thiserror::Error;

use super::{SecretError, Tls, TrustError};

/// Everything before the first word of the protocol.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DialError {
    /// The CA certificates cannot be read.
    #[error(transparent)]
    Trust(#[from] TrustError),
    /// The password or token cannot be had.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The host name gives no address.
    #[error("cannot find the host {host}: {why}")]
    Resolve {
        /// As configured.
        host: String,
        /// The resolver's words.
        why: String,
    },
    /// No TLS, and the host is not this machine.
    #[error("{host} is not this machine, and tls is none: no password goes there in the clear")]
    Cleartext {
        /// As configured.
        host: String,
    },
    /// Nobody answers there.
    #[error("cannot connect to {host}:{port}: {why}")]
    Connect {
        /// As configured.
        host: String,
        /// As configured.
        port: u16,
        /// The system's words, for the last address tried.
        why: String,
    },
    /// The TLS handshake failed.
    #[error("TLS with {host} failed: {why}")]
    Tls {
        /// As configured.
        host: String,
        /// What failed.
        why: String,
        /// What to do about it.
        cure: &'static str,
    },
}

impl DialError {
    /// Kebab-case slug, for logs and rows.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Trust(_) => "trust-store",
            Self::Secret(_) => "no-secret",
            Self::Resolve { .. } => "unknown-host",
            Self::Cleartext { .. } => "cleartext-refused",
            Self::Connect { .. } => "cannot-connect",
            Self::Tls { .. } => "tls-failed",
        }
    }

    /// What the operator can do, in one sentence.
    pub fn cure(&self) -> &'static str {
        match self {
            Self::Trust(_) => "set ca_file to a PEM file of CA certificates",
            Self::Secret(_) => "see that the file or command gives the secret as its first line",
            Self::Resolve { .. } => "check the spelling of host and this machine's DNS",
            Self::Cleartext { .. } => {
                "set tls to implicit or starttls (or insecure, if you mean it)"
            }
            Self::Connect { .. } => "check host and port, and that the server runs",
            Self::Tls { cure, .. } => cure,
        }
    }

    /// Whether only the operator can help: then there is no hurry to try again.
    pub fn needs_operator(&self) -> bool {
        match self {
            Self::Trust(_) | Self::Secret(_) | Self::Cleartext { .. } | Self::Tls { .. } => true,
            Self::Resolve { .. } | Self::Connect { .. } => false,
        }
    }

    /// Refuses to talk without TLS to another machine, unless the operator means it.
    pub(crate) fn guard(
        host: &str,
        tls: Tls,
        mut addresses: impl Iterator<Item = IpAddr>,
    ) -> Result<(), Self> {
        let safe = match tls {
            Tls::Implicit | Tls::Starttls | Tls::Insecure => true,
            Tls::None => addresses.all(|address| address.is_loopback()),
        };
        if safe { Ok(()) } else { Err(Self::Cleartext { host: host.to_owned() }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_needs_loopback_or_consent() {
        let (near, far): (IpAddr, IpAddr) = ([127, 0, 0, 1].into(), [192, 0, 2, 1].into());
        let guard = |tls, addresses: &[IpAddr]| {
            DialError::guard("mail", tls, addresses.iter().copied()).is_ok()
        };
        assert!(guard(Tls::None, &[near]) && !guard(Tls::None, &[near, far]));
        assert!(guard(Tls::Insecure, &[far]) && guard(Tls::Implicit, &[far]));
    }
}
