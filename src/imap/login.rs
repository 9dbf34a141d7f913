//! Getting in: LOGIN, AUTHENTICATE PLAIN or XOAUTH2.

use std::cell::RefCell;

use imap::{Authenticator, Client, Session};

use super::stream::Stream;
use super::{Account, ImapError};
use crate::net::Credential;

/// Logs in. `capabilities` are those before login.
pub(super) fn login(
    client: Client<Stream>,
    account: &Account,
    capabilities: &[String],
    credential: &Credential,
) -> Result<Session<Stream>, ImapError> {
    let has = |name: &str| capabilities.iter().any(|capability| capability == name);
    let user = &account.user;
    let (result, challenge) = match credential {
        Credential::Token(token) => {
            let initial = format!("user={user}\x01auth=Bearer {token}\x01\x01");
            let dialogue = Dialogue::new(initial);
            let result = client.authenticate("XOAUTH2", &dialogue);
            (result, dialogue.challenge.into_inner())
        }
        // LOGIN takes ASCII only (RFC 3501 section 9, `astring`).
        Credential::Password(password)
            if has("AUTH=PLAIN")
                && (has("LOGINDISABLED") || !password.is_ascii() || !user.is_ascii()) =>
        {
            let dialogue = Dialogue::new(format!("\0{user}\0{password}"));
            (client.authenticate("PLAIN", &dialogue), None)
        }
        Credential::Password(password) => (client.login(user, password), None),
    };
    result.map_err(|(error, _)| refused(account, error, challenge))
}

/// Tells a refused login from a server in trouble. The crate leaves the response code inside the text.
fn refused(account: &Account, error: imap::Error, challenge: Option<String>) -> ImapError {
    let text = match error {
        imap::Error::No(no) => no.information,
        imap::Error::Bad(bad) => bad.information,
        imap::Error::Validate(_) => "a line break in the user name or password".into(),
        other => return ImapError::from_client("LOGIN", other),
    };
    if is_temporary(&text) {
        return ImapError::Refused { command: "LOGIN", text };
    }
    let text = match challenge {
        Some(challenge) => format!("{text} {challenge}"),
        None => text,
    };
    ImapError::Login { user: account.user.clone(), text }
}

/// Response codes of RFC 5530, and what providers say without one.
fn is_temporary(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let signs = [
        "[unavailable]",
        "[limit]",
        "[inuse]",
        "[serverbug]",
        "too many",
        "temporar",
        "try again later",
    ];
    signs.iter().any(|sign| text.contains(sign))
}

/// Answers a SASL exchange of one message.
///
/// A refused XOAUTH2 comes as a challenge (JSON that says why), wants an empty answer, and only then ends with NO.
struct Dialogue {
    initial: RefCell<Option<String>>,
    challenge: RefCell<Option<String>>,
}

impl Dialogue {
    fn new(initial: String) -> Self {
        Self { initial: RefCell::new(Some(initial)), challenge: RefCell::default() }
    }
}

impl Authenticator for Dialogue {
    type Response = String;

    fn process(&self, challenge: &[u8]) -> String {
        let initial = self.initial.take();
        if initial.is_none() {
            let text = String::from_utf8_lossy(challenge);
            let text = text.chars().filter(|c| !c.is_control()).take(200).collect();
            self.challenge.replace(Some(text));
        }
        initial.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_server_is_not_a_wrong_password() {
        assert!(is_temporary("[UNAVAILABLE] Temporary authentication failure"));
        assert!(is_temporary("[ALERT] Too many simultaneous connections. (Failure)"));
        assert!(!is_temporary("[AUTHENTICATIONFAILED] Authentication failed."));
        assert!(!is_temporary("Invalid credentials (Failure)"));
    }

    #[test]
    fn the_second_answer_of_a_dialogue_is_empty() {
        let dialogue = Dialogue::new("secret".into());
        assert_eq!(dialogue.process(b""), "secret");
        assert_eq!(dialogue.process(b"{\"status\":\"401\"}\r\n"), "");
        assert_eq!(dialogue.challenge.take().as_deref(), Some("{\"status\":\"401\"}"));
    }
}
