//! Why a relay cannot be used, apart from any mail.

use std::time::Duration;

use thiserror::Error;

use crate::net::DialError;

/// Trouble with the relay itself.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Trouble {
    /// It cannot even be talked to.
    #[error(transparent)]
    Dial(#[from] DialError),
    /// It turned us away, or broke off: too busy, going down, too fast.
    #[error("the relay is busy ({code}): {text}")]
    Busy {
        /// SMTP code.
        code: u16,
        /// Its words.
        text: String,
    },
    /// It does not want to talk to us at all.
    #[error("the relay turned us away ({code}): {text}")]
    Greeting {
        /// SMTP code.
        code: u16,
        /// Its words.
        text: String,
    },
    /// It offers no STARTTLS, or refused it.
    #[error("STARTTLS failed: {0}")]
    Starttls(String),
    /// It offers no way to log in that we know.
    #[error("the relay offers no login by {wanted}")]
    NoLogin {
        /// Mechanisms that would do.
        wanted: &'static str,
    },
    /// Name, password or token were refused, or it wants some where none is configured.
    #[error("login refused for {user}: {text}")]
    Login {
        /// As configured.
        user: String,
        /// Its words.
        text: String,
    },
    /// It does not let us send as this address.
    #[error("the relay does not take mail from {from} ({code}): {text}")]
    Sender {
        /// Envelope sender.
        from: String,
        /// SMTP code.
        code: u16,
        /// Its words.
        text: String,
    },
    /// The connection ended.
    #[error("connection lost at {phase}: {why}")]
    Lost {
        /// What we were about.
        phase: &'static str,
        /// The system's words.
        why: String,
    },
    /// No answer came in time.
    #[error("no answer to {phase} within {} s", limit.as_secs_f32())]
    Silent {
        /// What we were about.
        phase: &'static str,
        /// How long we waited.
        limit: Duration,
    },
    /// It said something that makes no sense there.
    #[error("not understood at {phase}: {text}")]
    Protocol {
        /// What we were about.
        phase: &'static str,
        /// Its words.
        text: String,
    },
}

impl Trouble {
    /// Kebab-case slug, for logs and rows.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Dial(error) => error.reason(),
            Self::Busy { .. } => "relay-busy",
            Self::Greeting { .. } => "turned-away",
            Self::Starttls(_) => "starttls-refused",
            Self::NoLogin { .. } => "no-login-offered",
            Self::Login { .. } => "login-refused",
            Self::Sender { .. } => "sender-refused",
            Self::Lost { .. } => "connection-lost",
            Self::Silent { .. } => "no-answer",
            Self::Protocol { .. } => "not-understood",
        }
    }

    /// What the operator can do, in one sentence; empty when it heals by itself.
    pub fn cure(&self) -> &'static str {
        match self {
            Self::Dial(error) => error.cure(),
            Self::Greeting { .. } => {
                "ask the relay's operator; check that the port is one for SMTP"
            }
            Self::Starttls(_) => "set tls to implicit, with the port for it (465)",
            Self::NoLogin { .. } => {
                "check the port (submission is 465 or 587), and whether the relay wants a password or a token"
            }
            Self::Login { .. } => {
                "check user and password or token (a provider may want an app password or XOAUTH2)"
            }
            Self::Sender { .. } => "set from to an address that this login may send as",
            Self::Busy { .. } | Self::Lost { .. } | Self::Silent { .. } | Self::Protocol { .. } => {
                ""
            }
        }
    }

    /// Whether only the operator can help: then there is no hurry to try again.
    pub fn needs_operator(&self) -> bool {
        match self {
            Self::Dial(error) => error.needs_operator(),
            Self::Greeting { .. } | Self::Starttls(_) | Self::NoLogin { .. } => true,
            Self::Login { .. } | Self::Sender { .. } => true,
            Self::Busy { .. } | Self::Lost { .. } | Self::Silent { .. } | Self::Protocol { .. } => {
                false
            }
        }
    }

    /// Whether a new connection may do better at once: the next mail gets one.
    pub(super) fn is_accident(&self) -> bool {
        matches!(self, Self::Lost { .. } | Self::Silent { .. } | Self::Protocol { .. })
    }
}
