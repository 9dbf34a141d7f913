//! The header of a mail: only what decisions need is parsed, and parsed defensively.

use std::collections::HashSet;
use std::sync::LazyLock;

use jiff::Timestamp;
use mail_parser::{Addr, HeaderName, HeaderValue, MessageParser, parsers::MessageStream};

use super::{Address, MessageId};

/// Ids kept of a References header: the first and the newest of a long thread.
const REFERENCES: usize = 100;

/// Parses the headers that [`super::parse`] reads and skips all others. Content-Transfer-Encoding is among the skipped
/// ones on purpose: parts come out as they stand, so an encoded message/rfc822 is never descended into.
pub(super) static PARSER: LazyLock<MessageParser> = LazyLock::new(|| {
    MessageParser::new()
        .header_content_type(HeaderName::ContentType)
        .header_content_type(HeaderName::ContentDisposition)
        .header_date(HeaderName::Date)
        .header_text(HeaderName::Subject)
        .header_address(HeaderName::From)
        .header_address(HeaderName::ReplyTo)
        .header_address(HeaderName::To)
        .header_address(HeaderName::Cc)
        .default_header_ignore()
});

/// Headers that stand in fields of their own, or that no decision reads and that are long.
pub(super) fn is_left_out(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "received",
        "dkim-signature",
        "domainkey-signature",
        "message-id",
        "references",
        "in-reply-to",
        "subject",
        "to",
        "cc",
        "content-type",
        "content-transfer-encoding",
        "mime-version",
        "thread-index",
        "thread-topic",
        "x-received",
    ];
    const PREFIXES: &[&str] = &[
        "arc-",
        "dkim2-",
        "x-ms-exchange",
        "x-ms-office365",
        "x-ms-traffic",
        "x-ms-publictraffic",
        "x-microsoft-antispam",
        "x-forefront",
        "x-exchange",
        "x-google-",
        "x-gm-",
        "x-spam",
        "x-ironport",
        "x-proofpoint",
        "x-eop",
        "x-incoming",
        "x-originatororg",
        "x-virus",
    ];
    NAMES.iter().any(|n| name.eq_ignore_ascii_case(n))
        || PREFIXES
            .iter()
            .any(|p| name.get(..p.len()).is_some_and(|head| head.eq_ignore_ascii_case(p)))
}

/// Every id of a raw References or In-Reply-To value, cleaned, without repeats, at most 100 (first one and newest).
///
/// Ids stand in `<>`; where none do, white-space separated words with an `@` are taken.
pub(super) fn message_ids(raw: &str) -> Vec<MessageId> {
    let mut ids = Vec::new();
    let mut rest = raw;
    while let Some(open) = rest.find('<') {
        rest = &rest[open + 1..];
        let Some(close) = rest.find('>') else { break };
        // A cut id swallows its neighbour: `<a@b <c@d>` holds only the latter.
        let inner = &rest[..close];
        ids.extend(MessageId::clean(inner.rsplit('<').next().unwrap_or(inner)));
        rest = &rest[close + 1..];
    }
    if ids.is_empty() {
        let words = raw.split(|c: char| c.is_whitespace() || c == ',');
        ids.extend(words.filter(|w| w.contains('@')).filter_map(MessageId::clean));
    }
    let mut seen = HashSet::new();
    if ids.len() > 1 {
        ids.retain(|id| seen.insert(id.clone()));
    }
    if ids.len() > REFERENCES {
        ids.drain(1..ids.len() - (REFERENCES - 1));
    }
    ids
}

/// A raw Message-ID value: the first id in `<>`, else all of it.
pub(super) fn message_id(raw: &str) -> Option<MessageId> {
    let inner = raw
        .split_once('<')
        .map_or(raw, |(_, rest)| rest.split_once('>').map_or(rest, |(id, _)| id));
    MessageId::clean(inner)
}

/// A raw header value as text: unfolded, RFC 2047 words decoded, one line, no controls.
pub(super) fn text(raw: &[u8]) -> String {
    if raw.is_ascii() && !raw.windows(2).any(|w| w == b"=?") {
        return one_line(&String::from_utf8_lossy(raw));
    }
    let mut line = raw.to_vec();
    line.push(b'\n');
    match MessageStream::new(&line).parse_unstructured() {
        HeaderValue::Text(text) => one_line(&text),
        _ => one_line(&String::from_utf8_lossy(raw)),
    }
}

/// One line without controls; runs of white space become one blank.
pub(super) fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.trim().chars() {
        if c.is_whitespace() || c.is_control() {
            if !out.ends_with(' ') && !out.is_empty() {
                out.push(' ');
            }
        } else if !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{feff}') {
            out.push(c);
        }
    }
    while out.ends_with(' ') {
        out.pop();
    }
    out
}

/// The mailboxes of an address header; groups are flattened, what has no `@` is left out.
pub(super) fn addresses(value: &HeaderValue<'_>, into: &mut Vec<Address>) {
    let HeaderValue::Address(list) = value else {
        return;
    };
    into.extend(list.iter().filter_map(address).filter(|a| a.email.contains('@')));
}

/// The first mailbox of a From header, even one without `@`.
pub(super) fn author(value: &HeaderValue<'_>) -> Option<Address> {
    let HeaderValue::Address(list) = value else {
        return None;
    };
    let all: Vec<Address> = list.iter().filter_map(address).collect();
    all.iter().find(|a| a.email.contains('@')).or(all.first()).cloned()
}

fn address(addr: &Addr<'_>) -> Option<Address> {
    let mut name = addr.name.as_deref().map(one_line).unwrap_or_default();
    let mut email: String = addr.address.as_deref().unwrap_or_default().chars().collect();
    email.retain(|c| !c.is_whitespace() && !c.is_control() && c != '<' && c != '>');
    if email.is_empty() && name.contains('@') && !name.contains(' ') {
        email = std::mem::take(&mut name);
    }
    // `'Jane Doe' via list` and `"Jane Doe"` come with their quotes.
    for quote in ['"', '\''] {
        if let Some(bare) = name.strip_prefix(quote).and_then(|n| n.strip_suffix(quote)) {
            name = bare.trim().to_owned();
        }
    }
    (!email.is_empty() || !name.is_empty()).then_some(Address { name, email })
}

/// The Date header where it is believable: a valid day in 1990 to 2100.
pub(super) fn date(value: &HeaderValue<'_>) -> Option<Timestamp> {
    let HeaderValue::DateTime(date) = value else {
        return None;
    };
    let believable = (1990..2100).contains(&date.year) && date.is_valid() && date.tz_hour <= 14;
    believable.then(|| Timestamp::from_second(date.to_timestamp()).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(raw: &str) -> Vec<String> {
        message_ids(raw).iter().map(|id| id.as_str().to_owned()).collect()
    }

    #[test]
    fn ids_of_every_shape() {
        assert_eq!(ids("<a@b>\r\n <c@d>\t<a@b>"), ["a@b", "c@d"]);
        assert_eq!(ids("<a@b> c@d <e@f>,<g@h>"), ["a@b", "e@f", "g@h"]);
        assert_eq!(ids("a@b, c@d"), ["a@b", "c@d"]);
        assert_eq!(ids("<cut@off <whole@id>"), ["whole@id"]);
        assert_eq!(ids("<folded\r\n @id>"), ["folded@id"]);
        assert_eq!(ids("<never closed"), [""; 0]);
    }

    #[test]
    fn long_references_keep_both_ends() {
        let raw: String = (0..500).map(|n| format!("<{n}@x> ")).collect();
        let ids = ids(&raw);
        assert_eq!((ids.len(), ids[0].as_str(), ids[99].as_str()), (100, "0@x", "499@x"));
    }

    #[test]
    fn a_message_id_needs_no_brackets() {
        assert_eq!(
            message_id(" no-at-sign/%20 ").map(|id| id.to_string()).as_deref(),
            Some("<no-at-sign/%20>")
        );
        assert_eq!(message_id("<a@b> trailing").map(|id| id.to_string()).as_deref(), Some("<a@b>"));
        assert_eq!(message_id("<\u{e4}@b>"), None);
    }

    #[test]
    fn header_text_is_one_line() {
        assert_eq!(text(b" plain\r\n\tfolded "), "plain folded");
        assert_eq!(text(b"=?utf-8?q?caf=C3=A9=0D=0ABcc:?= x"), "café Bcc: x");
    }
}
