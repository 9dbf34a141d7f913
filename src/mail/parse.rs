//! Raw bytes to [`Message`].

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use mail_parser::{HeaderName, HeaderValue, MessagePart, MimeHeaders, PartType};
use regex::bytes::Regex;
use sha2::{Digest, Sha256};

use super::block;
use super::flowed::unflow;
use super::header::{self, PARSER};
use super::html::html_to_text;
use super::part::{charset_decode, left_over_quoted_printable, transfer_decode};
use super::{Attachment, Message, munged, smime};

/// Beyond this a mail is read by its headers only.
const LARGEST: usize = 24 << 20;
/// Beyond this a mail is searched for nested messages before it is parsed: smaller ones can do no harm.
const SEARCHED: usize = 256 << 10;
/// Nested messages that a mail of more than [`SEARCHED`] bytes may hold. The parser needs 50 times their size.
const NESTED: usize = 50;
/// S/MIME envelopes around each other that are opened.
const ENVELOPES: usize = 3;
/// Parts beyond this number are left out.
const PARTS: usize = 500;

/// Reads a mail: LF or CRLF, any charset, however broken. Never fails and never panics; what could not be understood is
/// told in [`Message::defects`].
///
/// A mail of more than 24 MiB, or one with more than 50 nested messages, is read by its headers only.
pub fn parse(raw: &[u8]) -> Message {
    parse_at(raw, 0)
}

/// `depth` counts the S/MIME envelopes around `raw`.
fn parse_at(raw: &[u8], depth: usize) -> Message {
    let raw = skip_separator(raw);
    let mut message = Message::default();
    let too_large = raw.len() > LARGEST;
    let too_nested = !too_large && raw.len() > SEARCHED && nested_messages(raw) > NESTED;
    let parsed = if too_large || too_nested {
        let why = if too_large { "larger than 24 MiB" } else { "more than 50 nested messages" };
        message.defects.push(format!("{why}: only the headers were read"));
        PARSER.parse_headers(headers_of(raw))
    } else {
        PARSER.parse(raw)
    };
    match parsed {
        Some(parsed) => {
            read_headers(raw, &parsed, &mut message);
            if !(too_large || too_nested) {
                read_parts(raw, &parsed, depth, &mut message);
            }
            dismantle(parsed);
        }
        None => message.defects.push("no header could be read".to_owned()),
    }
    if message.id.is_none() {
        message.defects.push("no usable Message-ID".to_owned());
    }
    message.key = message.id.as_ref().map_or_else(|| hash_key(raw), |id| id.as_str().to_owned());
    munged::restore_author(&mut message);
    message.blocks = block::split(&message.body);
    message
}

/// The `From ` line of an mbox and empty lines in front are no part of a mail.
fn skip_separator(raw: &[u8]) -> &[u8] {
    let raw = raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(raw);
    let start = raw.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(0);
    let raw = &raw[start..];
    match raw.starts_with(b"From ") || raw.starts_with(b">From ") {
        true => raw.iter().position(|&b| b == b'\n').map_or(raw, |end| &raw[end + 1..]),
        false => raw,
    }
}

/// At most the first 256 KiB: enough headers for anyone.
fn headers_of(raw: &[u8]) -> &[u8] {
    &raw[..raw.len().min(SEARCHED)]
}

fn nested_messages(raw: &[u8]) -> usize {
    static NESTING: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?i-u)message/(rfc822|global)|multipart/digest").ok());
    NESTING.as_ref().map_or(0, |pattern| pattern.find_iter(raw).take(NESTED + 1).count())
}

pub(super) fn hash_key(raw: &[u8]) -> String {
    let hash = Sha256::digest(raw);
    let mut key = String::from("sha256-");
    for byte in hash {
        key += &format!("{byte:02x}");
    }
    key
}

fn slice(raw: &[u8], range: Range<u32>) -> &[u8] {
    raw.get(range.start as usize..range.end as usize).unwrap_or_default()
}

fn read_headers(raw: &[u8], parsed: &mail_parser::Message<'_>, message: &mut Message) {
    let mut ids = 0;
    let mut from_seen = false;
    let mut subject_seen = false;
    for header in parsed.headers() {
        let bytes = slice(raw, header.offset_start..header.offset_end);
        match &header.name {
            HeaderName::From if !from_seen => {
                message.from = header::author(&header.value);
                from_seen = message.from.is_some();
            }
            HeaderName::To => header::addresses(&header.value, &mut message.to),
            HeaderName::Cc => header::addresses(&header.value, &mut message.cc),
            HeaderName::ReplyTo => header::addresses(&header.value, &mut message.reply_to),
            HeaderName::Date if message.date.is_none() => {
                message.date = header::date(&header.value)
            }
            HeaderName::Subject if !subject_seen => {
                subject_seen = true;
                message.subject = match &header.value {
                    HeaderValue::Text(text) => header::one_line(text),
                    _ => String::new(),
                };
            }
            HeaderName::MessageId => {
                ids += 1;
                if message.id.is_none() {
                    message.id = header::message_id(&String::from_utf8_lossy(bytes));
                }
            }
            HeaderName::References => {
                message.references.extend(header::message_ids(&String::from_utf8_lossy(bytes)));
            }
            HeaderName::InReplyTo => {
                let found = header::message_ids(&String::from_utf8_lossy(bytes));
                message.in_reply_to.extend(found.into_iter().rev());
            }
            _ => {}
        }
        let name = header.name.as_str();
        if !header::is_left_out(name) {
            message.headers.push((name.to_ascii_lowercase(), header::text(bytes)));
        }
    }
    if ids > 1 {
        message.defects.push(format!("{ids} Message-ID headers: the first one counts"));
    }
    dedupe(&mut message.references);
    dedupe(&mut message.in_reply_to);
    if message.from.is_none() {
        message.defects.push("no From".to_owned());
    }
    if message.date.is_none() {
        message.defects.push("no believable Date".to_owned());
    }
    message.content_type =
        parsed.content_type().map_or_else(|| "text/plain".to_owned(), media_type);
}

fn dedupe(ids: &mut Vec<super::MessageId>) {
    let mut seen = std::collections::HashSet::new();
    if ids.len() > 1 {
        ids.retain(|id| seen.insert(id.clone()));
    }
}

fn media_type(value: &mail_parser::ContentType<'_>) -> String {
    format!("{}/{}", value.ctype(), value.subtype().unwrap_or("plain")).to_ascii_lowercase()
}

/// Takes nested messages apart without recursion: dropping them as they are overflows the stack.
fn dismantle(message: mail_parser::Message<'_>) {
    let mut work = vec![message];
    while let Some(message) = work.pop() {
        for part in message.parts {
            if let PartType::Message(nested) = part.body {
                work.push(nested);
            }
        }
    }
}

fn read_parts(raw: &[u8], parsed: &mail_parser::Message<'_>, depth: usize, message: &mut Message) {
    let mut plain = String::new();
    let mut markup = String::new();
    let part_of = |id: &u32| parsed.parts.get(*id as usize);
    for part in parsed.text_body.iter().filter_map(part_of) {
        match &part.body {
            PartType::Html(_) => append(&mut markup, &html_to_text(&text_of(raw, part, message))),
            PartType::Text(_) => {
                let text = text_of(raw, part, message);
                append(&mut plain, &text);
            }
            _ => {}
        }
    }
    // An alternative whose plain half is empty: the words are in the other half.
    if plain.trim().is_empty() && markup.trim().is_empty() {
        for part in parsed.html_body.iter().filter_map(part_of) {
            if matches!(part.body, PartType::Html(_)) {
                append(&mut markup, &html_to_text(&text_of(raw, part, message)));
            }
        }
    }
    let mut body = if plain.trim().is_empty() { markup } else { plain };
    for (count, part) in parsed.attachments.iter().filter_map(part_of).enumerate() {
        if count == PARTS {
            message
                .defects
                .push(format!("{} parts: the first {PARTS} were read", parsed.attachments.len()));
            break;
        }
        let attachment = attachment_of(raw, part);
        if body.trim().is_empty()
            && attachment.content_type == "text/plain"
            && parsed.parts.len() == 1
        {
            body = text_of(raw, part, message);
        } else if smime::is_wrapper(&attachment.content_type) && depth < ENVELOPES {
            unwrap_smime(&attachment, depth, &mut body, message);
        } else {
            if attachment.content_type == "application/pgp-encrypted" {
                message.defects.push("encrypted with PGP: the words cannot be read".to_owned());
            }
            message.attachments.push(attachment);
        }
    }
    message.body = undo_dash_escapes(body);
}

/// In clear-signed text a line that begins with a dash has `- ` put in front (RFC 9580 section 7.2).
fn undo_dash_escapes(body: String) -> String {
    if !body.contains("-----BEGIN PGP SIGNED MESSAGE-----") {
        return body;
    }
    let mut out = String::with_capacity(body.len());
    let mut inside = false;
    for line in body.lines() {
        inside |= line.starts_with("-----BEGIN PGP SIGNED MESSAGE-----");
        inside &= !line.starts_with("-----BEGIN PGP SIGNATURE-----");
        out.push_str(line.strip_prefix("- ").filter(|_| inside).unwrap_or(line));
        out.push('\n');
    }
    out
}

fn append(text: &mut String, more: &str) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(more);
}

fn unwrap_smime(attachment: &Attachment, depth: usize, body: &mut String, message: &mut Message) {
    match smime::signed_content(&attachment.bytes) {
        Some(inner) => {
            let inner = parse_at(&inner, depth + 1);
            append(body, &inner.body);
            message.attachments.extend(inner.attachments);
        }
        None => message
            .defects
            .push("encrypted with S/MIME, or not readable: the words cannot be read".to_owned()),
    }
}

fn raw_header<'a>(raw: &'a [u8], part: &MessagePart<'_>, name: &HeaderName<'_>) -> &'a [u8] {
    let header = part.headers.iter().find(|h| h.name == *name);
    header.map_or(&[], |h| slice(raw, h.offset_start..h.offset_end))
}

fn decoded<'a>(raw: &'a [u8], part: &MessagePart<'_>) -> Cow<'a, [u8]> {
    let bytes = slice(raw, part.offset_body..part.offset_end.max(part.offset_body));
    transfer_decode(bytes, raw_header(raw, part, &HeaderName::ContentTransferEncoding))
}

/// The text of a part: decoded, LF line ends, no NUL, flowed lines joined.
fn text_of(raw: &[u8], part: &MessagePart<'_>, message: &mut Message) -> String {
    let kind = part.content_type();
    let charset = kind.and_then(|k| k.attribute("charset"));
    let bytes = decoded(raw, part);
    let undeclared = matches!(bytes, Cow::Borrowed(_));
    let mut text = clean(&charset_decode(bytes, charset));
    if undeclared && let Some(bytes) = left_over_quoted_printable(&text) {
        message.defects.push("quoted-printable that no header declares".to_owned());
        text = clean(&charset_decode(Cow::Owned(bytes), charset));
    }
    let is = |name: &str, value: &str| {
        kind.and_then(|k| k.attribute(name)).is_some_and(|v| v.eq_ignore_ascii_case(value))
    };
    if is("format", "flowed") && matches!(part.body, PartType::Text(_)) {
        text = unflow(&text, is("delsp", "yes"));
    }
    text
}

/// LF line ends; no NUL or other controls but tabs; plain blanks.
pub(super) fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        // Nearly all of it is plain, and taken over in runs.
        let run = plain_run(rest.as_bytes());
        out.push_str(&rest[..run]);
        let mut chars = rest[run..].chars();
        let Some(c) = chars.next() else { return out };
        rest = chars.as_str();
        match c {
            '\r' => {
                if !rest.starts_with('\n') {
                    out.push('\n');
                }
            }
            '\u{a0}' | '\u{2007}' | '\u{202f}' => out.push(' '),
            '\u{200b}' | '\u{feff}' | '\u{2028}' | '\u{2029}' => {}
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
}

/// How many bytes are printable ASCII, line ends and tabs, before the first other one.
fn plain_run(bytes: &[u8]) -> usize {
    let plain = |b: &u8| matches!(b, b' '..=b'~' | b'\n' | b'\t');
    // Whole chunks are looked at without a branch, which the compiler does for many bytes at once.
    let chunks = bytes.chunks_exact(16);
    let whole = chunks.take_while(|chunk| chunk.iter().fold(true, |all, b| all & plain(b)));
    let start = whole.count() * 16;
    start + bytes[start..].iter().take_while(|b| plain(b)).count()
}

fn attachment_of(raw: &[u8], part: &MessagePart<'_>) -> Attachment {
    let content_type = match (&part.body, part.content_type()) {
        (PartType::Message(_), None) => "message/rfc822".to_owned(),
        (_, None) => "text/plain".to_owned(),
        (_, Some(kind)) => media_type(kind),
    };
    let name = part.attachment_name().map(header::one_line).unwrap_or_default();
    Attachment { name, content_type, bytes: decoded(raw, part).into_owned() }
}
