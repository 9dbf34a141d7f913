//! Where a password or a token comes from. It is never kept in the configuration's `Debug` output.

use std::fmt;
use std::path::PathBuf;

/// How to get a secret, decided at every login (tokens expire).
#[derive(Clone, PartialEq, Eq)]
pub enum SecretSource {
    /// Stands in the file (the file's mode is checked).
    Literal(String),
    /// First line of a file.
    File(PathBuf),
    /// First line that a command prints.
    Command(String),
    /// An OAuth 2 access token, first line that a command prints: log in by XOAUTH2.
    Token(String),
}

impl fmt::Debug for SecretSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SecretSource::Literal(_) => f.write_str("Literal(..)"),
            SecretSource::File(path) => write!(f, "File({})", path.display()),
            SecretSource::Command(command) => write!(f, "Command({command})"),
            SecretSource::Token(command) => write!(f, "Token({command})"),
        }
    }
}
