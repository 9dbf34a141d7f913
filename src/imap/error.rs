//! What can go wrong with a mailbox, told apart by what helps.

use thiserror::Error;

use crate::net::DialError;

/// Why a mailbox cannot be read at the moment.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ImapError {
    /// It cannot even be talked to.
    #[error(transparent)]
    Dial(#[from] DialError),
    /// The server does not want to talk, or not IMAP.
    #[error("unfit greeting: {0}")]
    Greeting(String),
    /// STARTTLS was refused.
    #[error("STARTTLS was refused: {0}")]
    Starttls(String),
    /// Name, password or token were refused.
    #[error("login refused for {user}: {text}")]
    Login {
        /// As configured.
        user: String,
        /// The server's words.
        text: String,
    },
    /// The mailbox cannot be opened.
    #[error("cannot open the mailbox {mailbox}: {text}")]
    Mailbox {
        /// As configured, with the slice.
        mailbox: String,
        /// The server's words.
        text: String,
        /// Some that can be seen, to choose from.
        others: Vec<String>,
    },
    /// The server refused some other command.
    #[error("{command} was refused: {text}")]
    Refused {
        /// The first word of it.
        command: &'static str,
        /// The server's words.
        text: String,
    },
    /// The connection ended or fell silent.
    #[error("connection lost: {0}")]
    Lost(String),
    /// The server said something that cannot be understood.
    #[error("not understood: {0}")]
    Protocol(String),
    /// Mails that were listed did not come when asked for.
    #[error("the server listed UID {0} but did not send it")]
    Missing(u32),
    /// The sink panicked over what it was given.
    #[error("processing failed: {0}")]
    Sink(String),
}

impl ImapError {
    /// Kebab-case slug, for logs and rows.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Dial(error) => error.reason(),
            Self::Greeting(_) => "unfit-greeting",
            Self::Starttls(_) => "starttls-refused",
            Self::Login { .. } => "login-refused",
            Self::Mailbox { .. } => "no-mailbox",
            Self::Refused { .. } => "command-refused",
            Self::Lost(_) => "connection-lost",
            Self::Protocol(_) => "not-understood",
            Self::Missing(_) => "mail-missing",
            Self::Sink(_) => "sink-panicked",
        }
    }

    /// What the operator can do, in one sentence; empty when it heals by itself.
    pub fn cure(&self) -> String {
        match self {
            Self::Dial(error) => error.cure().into(),
            Self::Greeting(_) => "check that the port is one for IMAP".into(),
            Self::Starttls(_) => "set tls to implicit, with the port for it (993)".into(),
            Self::Login { .. } => {
                "check user and password or token (a provider may want an app password or XOAUTH2)"
                    .into()
            }
            Self::Mailbox { others, .. } if others.is_empty() => {
                "check the name of the mailbox".into()
            }
            Self::Mailbox { others, .. } => format!("mailboxes there: {}", others.join(", ")),
            Self::Refused { .. } | Self::Lost(_) | Self::Protocol(_) => String::new(),
            Self::Missing(_) | Self::Sink(_) => String::new(),
        }
    }

    /// Whether only the operator can help: then there is no hurry to try again.
    pub fn needs_operator(&self) -> bool {
        match self {
            Self::Dial(error) => error.needs_operator(),
            Self::Starttls(_) | Self::Login { .. } | Self::Mailbox { .. } => true,
            Self::Greeting(_) | Self::Refused { .. } | Self::Lost(_) | Self::Protocol(_) => false,
            Self::Missing(_) | Self::Sink(_) => false,
        }
    }

    /// What the `imap` crate said, without the bytes that it quotes; `command` is what it was about.
    pub(super) fn from_client(command: &'static str, error: imap::Error) -> Self {
        use imap::Error as E;
        match error {
            E::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                Self::Protocol(format!("{command}: {error}"))
            }
            E::Io(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                Self::Lost(format!("{command}: closed by the server"))
            }
            E::Io(error) => Self::Lost(format!("{command}: {error}")),
            E::ConnectionLost => Self::Lost(format!("{command}: closed by the server")),
            E::No(no) => Self::Refused {
                command,
                text: no.information,
            },
            E::Bad(bad) => Self::Refused {
                command,
                text: bad.information,
            },
            // The crate says this for any line that it cannot parse.
            E::Bye(bye) if bye.information == "no explanation given" => {
                Self::Protocol(format!("a line of the answer to {command}"))
            }
            E::Bye(bye) => Self::Lost(format!("the server said goodbye: {}", bye.information)),
            E::Validate(_) => Self::Refused {
                command,
                text: "a line break in a name".into(),
            },
            E::TagMismatch(_) => Self::Protocol("an answer to another command".into()),
            _ => Self::Protocol(format!("the answer to {command}")),
        }
    }
}
