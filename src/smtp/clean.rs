//! Makes lines fit for a header.

use crate::mail::MessageId;

/// Longest subject and header value, in characters. A word of non-ASCII characters grows to four bytes each, and a header
/// line must stay below 998 bytes.
const LONGEST: usize = 200;
/// Longest list of a header, in bytes.
const LONGEST_LISTING: usize = 4000;

/// One line: controls dropped, runs of white space become one space, at most 200 characters. What is cut ends in `...`.
pub(super) fn line(text: &str) -> String {
    one_line(text, LONGEST)
}

/// The same for a header that lists things: it is folded at its blanks. Only what is not ASCII keeps the limit of a line.
pub(super) fn listing(text: &str) -> String {
    one_line(text, if text.is_ascii() { LONGEST_LISTING } else { LONGEST })
}

fn one_line(text: &str, longest: usize) -> String {
    let words = text.split(char::is_whitespace).map(|word| {
        word.chars().filter(|c| !c.is_control() && !is_bidi_control(*c)).collect::<String>()
    });
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    // Readers would decode what looks like an encoded word (RFC 2047).
    let line = line.replace("=?", "= ?");
    if line.chars().count() <= longest {
        return line;
    }
    let cut: String = line.chars().take(longest - 3).collect();
    format!("{}...", cut.trim_end())
}

/// Turns the direction of text around, so that a subject reads as another.
fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A References value: the thread without `own`, its first and last 19 ids at most, then `own`.
///
/// Our own id stands there, too: relays that give a mail another Message-ID leave References alone, so an answer still
/// finds us.
pub(super) fn references(
    thread: &[MessageId],
    parent: Option<&MessageId>,
    own: &MessageId,
) -> Vec<MessageId> {
    let mut ids: Vec<MessageId> = Vec::new();
    for id in thread.iter().chain(parent) {
        // An id that was not parsed but deserialized may be anything.
        let Some(id) = MessageId::clean(id.as_str()) else {
            continue;
        };
        ids.retain(|known| *known != id);
        ids.push(id);
    }
    ids.retain(|id| id != own);
    if ids.len() > 20 {
        ids.drain(1..ids.len() - 19);
    }
    ids.push(own.clone());
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line() {
        assert_eq!(
            line(" a\r\nBcc: x@example.org\t\tb\u{0}\u{1b}[31m "),
            "a Bcc: x@example.org b[31m"
        );
        assert_eq!(line("=?utf-8?q?x?="), "= ?utf-8?q?x?=");
        assert_eq!(line("safe\u{202e}fdp.exe"), "safefdp.exe");
        assert_eq!(line(""), "");
        assert_eq!(line(&"é".repeat(200)).chars().count(), 200);
        let cut = line(&"word ".repeat(100));
        assert!(cut.ends_with("wo...") && cut.chars().count() <= 200, "{cut}");
    }

    #[test]
    fn a_listing_may_be_longer() {
        assert_eq!(listing(&"word ".repeat(100)).len(), 499);
        assert_eq!(listing(&"word ".repeat(1000)).len(), 4000);
        assert_eq!(listing(&"w\u{f6}rd ".repeat(100)).chars().count(), 200);
    }

    fn id(text: &str) -> MessageId {
        MessageId::clean(text).unwrap()
    }

    #[test]
    fn references_keep_the_first_and_the_last_nineteen_and_our_own() {
        let thread: Vec<MessageId> = (0..60).map(|n| id(&format!("{n}@example.org"))).collect();
        let ids = references(&thread, thread.last(), &id("own@example.org"));
        assert_eq!(ids.len(), 21);
        assert_eq!((&ids[0], &ids[1], &ids[19]), (&thread[0], &thread[41], &thread[59]));
        assert_eq!(ids[20], id("own@example.org"));
    }

    #[test]
    fn the_parent_comes_last_and_nothing_twice() {
        let own = id("own@example.org");
        let thread = [id("a@example.org"), id("b@example.org"), own.clone(), id("a@example.org")];
        let ids = references(&thread, Some(&id("b@example.org")), &own);
        assert_eq!(ids, [id("a@example.org"), id("b@example.org"), own.clone()]);
        assert_eq!(references(&[], None, &own), [own]);
    }

    #[test]
    fn ids_that_were_never_cleaned_are_dropped() {
        let dirty: MessageId = serde_json::from_str("\"a@b\\u0001\\r\\nBcc: x\"").unwrap();
        assert_eq!(references(&[dirty], None, &id("own@x")), [id("own@x")]);
    }
}
