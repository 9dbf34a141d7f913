//! Our own Message-IDs: the same letter has the same id, however often it is composed or sent.

use sha2::{Digest, Sha256};

use crate::mail::MessageId;

/// `regard.<32 hex digits>@domain`, from SHA-256 of `key`.
///
/// Characters that have no place in a domain are dropped from `domain`; `localhost` stands in for an empty one.
pub fn message_id(key: &str, domain: &str) -> MessageId {
    let fits = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let domain: String = domain.chars().filter(fits).take(253).collect();
    let domain = if domain.is_empty() { "localhost" } else { &domain };
    let id = format!("regard.{}@{domain}", hex(key, 16));
    MessageId::clean(&id).expect("made of letters, digits, dots and an @ sign")
}

/// The first `bytes` bytes of the SHA-256 of `text`, in lower-case hex.
pub(super) fn hex(text: &str, bytes: usize) -> String {
    Sha256::digest(text.as_bytes()).iter().take(bytes).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_key_gives_the_same_id() {
        let id = message_id("report/42", "bench.example.org");
        assert_eq!(id.to_string(), "<regard.3a9b578b155ceabc0a36efd4c872783e@bench.example.org>");
        assert_eq!(id, message_id("report/42", "bench.example.org"));
        assert_ne!(id, message_id("report/43", "bench.example.org"));
    }

    #[test]
    fn a_hostile_domain_is_harmless() {
        let id = message_id("", "ex>am\r\nple.org\u{e9}");
        assert!(id.as_str().ends_with("@example.org"), "{id}");
        assert!(message_id("", "").as_str().ends_with("@localhost"));
        assert!(message_id("", &"x".repeat(5000)).as_str().len() < 320);
    }
}
