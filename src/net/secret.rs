//! Where a password or token comes from. Nothing here ever prints one.

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde::Deserialize;
use thiserror::Error;

/// More than this is not a secret but a mistake (a log file named by accident).
const LONGEST: u64 = 64 * 1024;

/// Where the password or token of an account comes from.
///
/// It is asked for anew at each login, so a changed file or a refreshed token is picked up by itself. `Debug` shows the
/// source, never the secret.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Secret {
    /// The password itself, in the configuration.
    Password(String),
    /// A file whose first line is the password.
    PasswordFile(PathBuf),
    /// A command (run by `sh -c`) whose first line of output is the password.
    PasswordCommand(String),
    /// A command (run by `sh -c`) whose first line of output is an OAuth 2 access token, for XOAUTH2.
    TokenCommand(String),
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Password(_) => f.write_str("Password(***)"),
            Self::PasswordFile(path) => f.debug_tuple("PasswordFile").field(path).finish(),
            Self::PasswordCommand(line) => f.debug_tuple("PasswordCommand").field(line).finish(),
            Self::TokenCommand(line) => f.debug_tuple("TokenCommand").field(line).finish(),
        }
    }
}

/// What a [`Secret`] gave. `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub enum Credential {
    /// For LOGIN and PLAIN.
    Password(String),
    /// For XOAUTH2.
    Token(String),
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Password(_) => "Password(***)",
            Self::Token(_) => "Token(***)",
        })
    }
}

/// Why a secret could not be had.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SecretError {
    /// The file cannot be read.
    #[error("cannot read the password file {}: {why}", path.display())]
    File {
        /// As configured.
        path: PathBuf,
        /// The system's words.
        why: String,
    },
    /// The command failed.
    #[error("the command `{command}` gave no secret: {why}")]
    Command {
        /// As configured.
        command: String,
        /// Exit status and the first line of its stderr.
        why: String,
    },
    /// There is a first line, but it is empty, too long, or not text.
    #[error("{source_name} holds no usable secret in its first line")]
    Unusable {
        /// File or command.
        source_name: String,
    },
}

impl Secret {
    /// Reads the file or runs the command, for at most `limit`.
    ///
    /// # Errors
    /// [`SecretError`] when the file cannot be read, the command fails or takes too long, or the first line is empty.
    pub fn resolve(&self, limit: Duration) -> Result<Credential, SecretError> {
        match self {
            Self::Password(password) => Ok(Credential::Password(password.clone())),
            Self::PasswordFile(path) => from_file(path).map(Credential::Password),
            Self::PasswordCommand(line) => from_command(line, limit).map(Credential::Password),
            Self::TokenCommand(line) => from_command(line, limit).map(Credential::Token),
        }
    }

    /// Whether it gives a token for XOAUTH2 rather than a password.
    pub fn is_token(&self) -> bool {
        matches!(self, Self::TokenCommand(_))
    }
}

fn from_file(path: &Path) -> Result<String, SecretError> {
    let text = std::fs::File::open(path).and_then(read_bounded);
    let text = text.map_err(|e| SecretError::File { path: path.into(), why: e.to_string() })?;
    first_line(&text, || format!("the password file {}", path.display()))
}

fn from_command(line: &str, limit: Duration) -> Result<String, SecretError> {
    let failed = |why: String| SecretError::Command { command: line.to_owned(), why };
    let mut child = Command::new("sh")
        .args(["-c", line])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| failed(e.to_string()))?;
    let (out, err) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let Ok(text) = out.recv_timeout(limit) else {
        let _ = child.kill();
        let _ = child.wait();
        return Err(failed(format!("no answer within {} s", limit.as_secs_f32())));
    };
    let Some(status) = ended(&mut child, limit) else {
        let _ = child.kill();
        let _ = child.wait();
        return Err(failed("it answered, but does not end".into()));
    };
    if !status.success() {
        let said = err.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
        let said = String::from_utf8_lossy(&said).lines().next().unwrap_or_default().to_owned();
        return Err(failed(format!("{status} {said}").trim_end().to_owned()));
    }
    first_line(&text, || format!("the output of `{line}`"))
}

/// Waits for the end of `child`, at most `limit`.
fn ended(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let deadline = Instant::now() + limit;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
            _ => return None,
        }
    }
}

/// Reads a pipe on its own thread: a child of the command may hold it open longer than the command lives.
fn reader(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Vec<u8>> {
    let (tell, heard) = mpsc::channel();
    std::thread::spawn(move || {
        let text = pipe.and_then(|pipe| read_bounded(pipe).ok()).unwrap_or_default();
        let _ = tell.send(text);
    });
    heard
}

fn read_bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    source.take(LONGEST).read_to_end(&mut text)?;
    Ok(text)
}

fn first_line(text: &[u8], source: impl Fn() -> String) -> Result<String, SecretError> {
    let line = text.split(|b| *b == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match std::str::from_utf8(line) {
        Ok(line) if !line.trim().is_empty() && line.len() < 16 * 1024 => Ok(line.to_owned()),
        _ => Err(SecretError::Unusable { source_name: source() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(20);

    #[test]
    fn takes_the_first_line_of_a_file_or_command() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("password");
        std::fs::write(&path, "pass word\r\nsecond\n").unwrap();
        let file = Secret::PasswordFile(path);
        assert_eq!(file.resolve(LIMIT), Ok(Credential::Password("pass word".into())));
        let command = Secret::TokenCommand("echo tok; echo more".into());
        assert_eq!(command.resolve(LIMIT), Ok(Credential::Token("tok".into())));
    }

    #[test]
    fn says_why_there_is_none() {
        let missing = Secret::PasswordFile("/nonexistent/password".into()).resolve(LIMIT);
        assert!(matches!(missing, Err(SecretError::File { .. })), "{missing:?}");
        let why = Secret::PasswordCommand("echo locked >&2; exit 3".into()).resolve(LIMIT);
        let why = why.unwrap_err().to_string();
        assert_eq!(
            why,
            "the command `echo locked >&2; exit 3` gave no secret: exit status: 3 locked"
        );
        let empty = Secret::PasswordCommand("echo".into()).resolve(LIMIT).unwrap_err();
        assert_eq!(
            empty.to_string(),
            "the output of `echo` holds no usable secret in its first line"
        );
    }

    #[test]
    fn a_command_that_hangs_is_ended() {
        let why = Secret::TokenCommand("sleep 600".into()).resolve(Duration::from_millis(50));
        assert!(why.unwrap_err().to_string().contains("no answer within 0.05 s"));
    }

    #[test]
    fn debug_hides_the_secret() {
        let shown = format!(
            "{:?} {:?}",
            Secret::Password("hunter2".into()),
            Credential::Token("hunter2".into())
        );
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}
