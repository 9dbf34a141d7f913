//! Untagged answers that we read ourselves, as the `imap` crate panics over some legal ones (a quota warning in EXAMINE)
//! or has no room for them.

use super::ImapError;

/// An opened mailbox, from the answer to EXAMINE (RFC 3501 section 6.3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Opened {
    /// Number of mails.
    pub(super) exists: u32,
    /// See [`super::Cursor`].
    pub(super) uid_validity: u32,
    /// Above all UIDs that are there; `None` when the server does not say.
    pub(super) uid_next: Option<u32>,
}

impl Opened {
    pub(super) fn read(answer: &[u8]) -> Result<Self, ImapError> {
        let (mut exists, mut uid_validity, mut uid_next) = (0, None, None);
        for line in lines(answer) {
            let Some(rest) = line.strip_prefix("* ") else {
                continue;
            };
            let upper = rest.to_ascii_uppercase();
            if let Some(count) = upper.strip_suffix(" EXISTS") {
                exists = count.trim().parse().unwrap_or(exists);
            } else if let Some(value) = code(&upper, "UIDVALIDITY") {
                uid_validity = Some(value);
            } else if let Some(value) = code(&upper, "UIDNEXT") {
                uid_next = Some(value);
            }
        }
        let missing = || ImapError::Protocol("EXAMINE gave no UIDVALIDITY".into());
        Ok(Self { exists, uid_validity: uid_validity.ok_or_else(missing)?, uid_next })
    }
}

/// The words of all CAPABILITY answers, upper case.
pub(super) fn capabilities(answer: &[u8]) -> Vec<String> {
    let found = lines(answer).filter_map(|line| {
        let upper = line.to_ascii_uppercase();
        upper.strip_prefix("* CAPABILITY ").map(str::to_owned)
    });
    found
        .flat_map(|line| line.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

fn lines(answer: &[u8]) -> impl Iterator<Item = String> {
    answer.split(|b| *b == b'\n').map(|line| String::from_utf8_lossy(line).trim_end().to_owned())
}

/// The number in `[NAME number]`, if the line has that response code.
fn code(line: &str, name: &str) -> Option<u32> {
    let (_, rest) = line.split_once('[')?;
    let value = rest.strip_prefix(name)?.strip_prefix(' ')?;
    value.split(']').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_examine_with_warnings_in_between() {
        let answer = b"* FLAGS (\\Seen)\r\n* 17 EXISTS\r\n* NO [ALERT] 95% full\r\n* BAD odd\r\n* 0 RECENT\r\n\
            * OK [UIDVALIDITY 3857529045] caf\xe9\r\n* OK [UIDNEXT 4392] next\r\na3 OK [READ-ONLY] done\r\n";
        let opened = Opened { exists: 17, uid_validity: 3_857_529_045, uid_next: Some(4392) };
        assert_eq!(Opened::read(answer), Ok(opened));
    }

    #[test]
    fn no_uid_validity_is_an_error() {
        let answer = b"* 1 EXISTS\r\n* OK [UIDVALIDITY ] x\r\n* OK [UIDVALIDITY 99999999999] x\r\n";
        assert!(matches!(Opened::read(answer), Err(ImapError::Protocol(_))));
        assert!(Opened::read(b"\xff\xfe").is_err());
    }

    #[test]
    fn reads_capabilities_of_any_case() {
        let answer = b"* capability IMAP4rev1 Idle AUTH=PLAIN\r\na1 OK\r\n";
        assert_eq!(capabilities(answer), ["IMAP4REV1", "IDLE", "AUTH=PLAIN"]);
    }
}
