//! Text as it goes over the wire: RFC 5322 section 2.3 and RFC 2045 section 2.7.
//!
//! Never quoted-printable or base64: archives show a mail as it was sent, and a table must arrive as it was written.

use lettre::message::Body;
use lettre::message::header::ContentTransferEncoding as Encoding;

/// Longest line in bytes, without CRLF.
const LONGEST_LINE: usize = 998;

/// A body of a text that a person reads: CRLF, no controls but tabs, long lines broken, no line end at its end (the
/// builder adds one).
pub(super) fn body(text: &str) -> Body {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines = Vec::new();
    for line in text.trim_end_matches('\n').split('\n') {
        let line: String = line.chars().filter(|c| !c.is_control() || *c == '\t').collect();
        lines.extend(broken(&line).into_iter().map(str::to_owned));
    }
    encoded(lines.join("\r\n").into_bytes())
}

/// A body of an attached text file, changed in nothing but its line ends; `None` if it is not fit to be sent as text.
pub(super) fn file(bytes: &[u8]) -> Option<Body> {
    let text = std::str::from_utf8(bytes).ok()?.replace("\r\n", "\n");
    let odd = |c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\x0c');
    let fits = text.lines().all(|line| line.len() <= LONGEST_LINE) && !text.contains(odd);
    fits.then(|| encoded(text.replace('\n', "\r\n").into_bytes()))
}

/// lettre's own choice would be quoted-printable for any line of 76 bytes or more.
fn encoded(bytes: Vec<u8>) -> Body {
    let encoding = if bytes.is_ascii() { Encoding::SevenBit } else { Encoding::EightBit };
    Body::dangerous_pre_encoded(bytes, encoding)
}

/// Parts of a line of at most 998 bytes, cut behind a space where there is one in the second half.
fn broken(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = line;
    while rest.len() > LONGEST_LINE {
        let mut end = LONGEST_LINE;
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let (head, _) = rest.split_at(end);
        let end = head.rfind(' ').map(|space| space + 1).filter(|at| *at > end / 2).unwrap_or(end);
        let (part, tail) = rest.split_at(end);
        parts.push(part);
        rest = tail;
    }
    parts.push(rest);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(text: &str) -> (String, Encoding) {
        let body = body(text);
        let encoding = body.encoding();
        (String::from_utf8(body.into_vec()).unwrap(), encoding)
    }

    #[test]
    fn line_ends_become_crlf_and_controls_go() {
        let (text, _) = sent("a\nb\r\nc\rd\0e\x1b[1m\tf\n\n\n");
        assert_eq!(text, "a\r\nb\r\nc\r\nde[1m\tf");
        assert_eq!(sent("").0, "");
    }

    #[test]
    fn wide_tables_stay_as_they_are() {
        let table = format!("{:<60} {:>60}\n", "metric", "change");
        assert_eq!(sent(&table), (table.trim_end().to_owned(), Encoding::SevenBit));
        assert_eq!(sent("\u{b1} 1 %").1, Encoding::EightBit);
    }

    #[test]
    fn no_line_is_longer_than_the_wire_allows() {
        for text in [
            "é".repeat(2000),
            "x".repeat(2000),
            "word ".repeat(500),
            format!("a {}", "y".repeat(3000)),
        ] {
            let (sent, _) = sent(&text);
            assert!(sent.split("\r\n").all(|line| line.len() <= 998));
            assert_eq!(sent.replace("\r\n", ""), text, "nothing is lost");
        }
        assert_eq!(sent(&"word ".repeat(500)).0.lines().next().unwrap().len(), 995);
    }

    #[test]
    fn files_are_text_only_if_nothing_must_change() {
        let plain = |bytes: &[u8]| file(bytes).map(Body::into_vec);
        assert_eq!(plain(b"{\n}"), Some(b"{\r\n}".to_vec()));
        assert_eq!(plain(b"a\r\nb\n"), Some(b"a\r\nb\r\n".to_vec()));
        for odd in [&b"\xff"[..], b"a\rb", b"a\0", &[b'x'; 999]] {
            assert_eq!(plain(odd), None);
        }
    }
}
