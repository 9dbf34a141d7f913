//! The bytes of one MIME part: transfer encodings and charsets, undone leniently.

use std::borrow::Cow;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use mail_parser::decoders::charsets::map::charset_decoder;

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Undoes a Content-Transfer-Encoding (RFC 2045 section 6). Unknown ones are left alone.
pub(super) fn transfer_decode<'a>(bytes: &'a [u8], encoding: &[u8]) -> Cow<'a, [u8]> {
    let encoding = encoding.trim_ascii();
    if encoding.eq_ignore_ascii_case(b"quoted-printable") {
        Cow::Owned(quoted_printable(bytes))
    } else if encoding.eq_ignore_ascii_case(b"base64") {
        Cow::Owned(base64_with_footer(bytes))
    } else {
        Cow::Borrowed(bytes)
    }
}

/// Decodes base64 lines up to the first line that is none: old list software appends its footer in plain text.
fn base64_with_footer(bytes: &[u8]) -> Vec<u8> {
    let mut digits = Vec::with_capacity(bytes.len());
    let mut rest: &[u8] = &[];
    let mut at = 0;
    let mut padded = false;
    for line in bytes.split_inclusive(|&b| b == b'\n') {
        let text = line.trim_ascii();
        let is_base64 =
            !padded && text.iter().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(b));
        if !text.is_empty() && !is_base64 {
            rest = &bytes[at..];
            break;
        }
        padded |= text.ends_with(b"=");
        digits.extend_from_slice(text);
        at += line.len();
    }
    let mut decoded = decode_digits(&digits);
    if !rest.trim_ascii().is_empty() {
        if !decoded.ends_with(b"\n") {
            decoded.push(b'\n');
        }
        decoded.extend_from_slice(rest);
    }
    decoded
}

fn decode_digits(digits: &[u8]) -> Vec<u8> {
    let padding = digits.iter().rev().take_while(|&&b| b == b'=').count();
    let digits = &digits[..digits.len() - padding];
    // A lone digit at the end carries no byte; one that was cut off must not spoil the rest.
    let whole = if digits.len() % 4 == 1 { &digits[..digits.len() - 1] } else { digits };
    LENIENT.decode(whole).unwrap_or_else(|_| {
        let clean: Vec<u8> = whole.iter().copied().filter(|&b| b != b'=').collect();
        let end = clean.len() - usize::from(clean.len() % 4 == 1);
        LENIENT.decode(&clean[..end]).unwrap_or_default()
    })
}

/// Decodes quoted-printable (RFC 2045 section 6.7); a bad escape stays as it stands.
pub(super) fn quoted_printable(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&b| b == b'\n') {
        let (content, end) = match line {
            [content @ .., b'\r', b'\n'] => (content, &b"\n"[..]),
            [content @ .., b'\n'] => (content, &b"\n"[..]),
            content => (content, &b""[..]),
        };
        let content = content.trim_ascii_end();
        let (content, soft) = match content {
            [content @ .., b'='] => (content, true),
            content => (content, false),
        };
        let mut rest = content;
        while let Some(at) = rest.iter().position(|&b| b == b'=') {
            out.extend_from_slice(&rest[..at]);
            match rest.get(at + 1..at + 3).and_then(hex_pair) {
                Some(byte) => {
                    out.push(byte);
                    rest = &rest[at + 3..];
                }
                None => {
                    out.push(b'=');
                    rest = &rest[at + 1..];
                }
            }
        }
        out.extend_from_slice(rest);
        if !soft {
            out.extend_from_slice(end);
        }
    }
    out
}

fn hex_pair(pair: &[u8]) -> Option<u8> {
    let digit = |b: u8| (b as char).to_digit(16);
    match pair {
        [high, low] => u8::try_from(digit(*high)? * 16 + digit(*low)?).ok(),
        _ => None,
    }
}

/// Decodes quoted-printable that nobody declared (`=20` at line ends, `=3D`), which archives and relays leave behind.
///
/// `None` unless every `=` of the text is an escape or a soft break and there are at least two of them.
pub(super) fn left_over_quoted_printable(text: &str) -> Option<Vec<u8>> {
    let bytes = text.as_bytes();
    let mut escapes = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find('=') {
        let rest = &bytes[at + found + 1..];
        let soft = rest.first().is_none_or(|&b| b == b'\n');
        let upper = |b: &u8| b.is_ascii_digit() || (b'A'..=b'F').contains(b);
        if !(soft || rest.len() >= 2 && rest[..2].iter().all(upper)) {
            return None;
        }
        escapes += 1;
        at += found + 1;
    }
    (escapes >= 2).then(|| quoted_printable(bytes))
}

/// Decodes text in the charset that its part declares, or in the one that it is really in.
///
/// UTF-8 is believed whenever the bytes are valid UTF-8 and the label is one of those that people get wrong (none,
/// us-ascii, latin-1, windows-1252); bytes labelled UTF-8 that are none are read as windows-1252.
pub(super) fn charset_decode<'a>(bytes: Cow<'a, [u8]>, label: Option<&str>) -> Cow<'a, str> {
    let label = label.unwrap_or("utf-8").trim().to_ascii_lowercase();
    let often_wrong = matches!(
        label.as_str(),
        "" | "utf-8"
            | "utf8"
            | "us-ascii"
            | "ascii"
            | "iso-8859-1"
            | "iso8859-1"
            | "latin1"
            | "windows-1252"
            | "cp1252"
            | "unknown-8bit"
            | "unknown"
            | "x-unknown"
            | "8bit"
            | "default"
    );
    if !often_wrong && let Some(decode) = charset_decoder(label.as_bytes()) {
        return Cow::Owned(decode(&bytes));
    }
    match bytes {
        Cow::Borrowed(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(windows_1252(bytes)),
        },
        Cow::Owned(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Cow::Owned(text),
            Err(error) => Cow::Owned(windows_1252(error.as_bytes())),
        },
    }
}

fn windows_1252(bytes: &[u8]) -> String {
    // A mail that is UTF-8 but for a broken byte or two keeps its UTF-8; anything else is taken for windows-1252.
    let lossy = String::from_utf8_lossy(bytes);
    let broken = lossy.chars().filter(|&c| c == char::REPLACEMENT_CHARACTER).count();
    let sound = lossy.chars().filter(|&c| !c.is_ascii()).count() - broken;
    match charset_decoder(b"windows-1252") {
        Some(decode) if broken > sound => decode(bytes),
        _ => lossy.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_keeps_a_plain_footer() {
        let body = b"SGVsbG8g\r\nd29ybGQ=\r\n-- \r\nlist footer\r\n";
        assert_eq!(base64_with_footer(body), b"Hello world\n-- \r\nlist footer\r\n");
    }

    #[test]
    fn base64_survives_a_missing_end() {
        assert_eq!(base64_with_footer(b"SGVsbG8gd29ybG"), b"Hello worl");
        assert_eq!(base64_with_footer(b"SGVsb"), b"Hel");
    }

    #[test]
    fn quoted_printable_is_lenient() {
        assert_eq!(quoted_printable(b"a=3Db =\r\nc =zz=\nd  \n"), b"a=b c =zzd\n");
        assert_eq!(quoted_printable(b"="), b"");
        assert_eq!(quoted_printable(b"=4"), b"=4");
    }

    #[test]
    fn left_over_escapes_are_found_only_where_all_agree() {
        assert_eq!(
            left_over_quoted_printable("a =3D b=20\nlong=\n line").as_deref(),
            Some(&b"a = b \nlong line"[..])
        );
        assert_eq!(left_over_quoted_printable("if (a == b) x=20\ny=20\n"), None);
        assert_eq!(left_over_quoted_printable("one=20\n"), None);
    }

    #[test]
    fn wrong_labels_are_seen_through() {
        let utf8 = Cow::Borrowed("café".as_bytes());
        assert_eq!(charset_decode(utf8, Some("ISO-8859-1")), "café");
        assert_eq!(charset_decode(Cow::Borrowed(b"caf\xe9"), Some("utf-8")), "café");
        assert_eq!(charset_decode(Cow::Borrowed(b"\x93quoted\x94"), Some("us-ascii")), "“quoted”");
        assert_eq!(charset_decode(Cow::Borrowed(b"\xc4\xe3\xba\xc3"), Some("gb18030")), "你好");
    }
}
