//! Rewrites a mail for a relay that takes ASCII only (no 8BITMIME, RFC 6152).

use lettre::message::Body;
use lettre::message::header::ContentTransferEncoding::QuotedPrintable;

/// Deeper nesting is left as it is.
const DEEPEST: usize = 8;

/// The mail with every 8-bit part as quoted-printable. Parts that are ASCII, and header lines, stay as they are: if those
/// are not ASCII, neither is the result.
pub(super) fn seven_bit(raw: &[u8]) -> Vec<u8> {
    rewrite(raw, 0)
}

fn rewrite(part: &[u8], depth: usize) -> Vec<u8> {
    if part.is_ascii() || depth > DEEPEST {
        return part.to_vec();
    }
    let (head, body) = match find(part, b"\r\n\r\n") {
        Some(at) => (&part[..at + 2], &part[at + 4..]),
        None => return part.to_vec(),
    };
    let fields = fields(head);
    let content_type =
        fields.iter().find_map(|field| value(field, "content-type")).unwrap_or_default();
    let mut out = Vec::with_capacity(part.len() + part.len() / 4);
    if let Some(boundary) = boundary(&content_type) {
        out.extend_from_slice(head);
        out.extend_from_slice(b"\r\n");
        for (delimiter, inner) in split(body, &boundary) {
            out.extend_from_slice(delimiter);
            out.extend(rewrite(inner, depth + 1));
        }
        return out;
    }
    for field in &fields {
        if value(field, "content-transfer-encoding").is_none() {
            out.extend_from_slice(field);
        }
    }
    out.extend_from_slice(b"Content-Transfer-Encoding: quoted-printable\r\n\r\n");
    match Body::new_with_encoding(body.to_vec(), QuotedPrintable) {
        Ok(encoded) => out.extend(encoded.into_vec()),
        Err(body) => out.extend(body),
    }
    out
}

/// The header fields of `head`, each with its folded lines and line ends.
fn fields(head: &[u8]) -> Vec<Vec<u8>> {
    let mut fields: Vec<Vec<u8>> = Vec::new();
    for line in head.split_inclusive(|b| *b == b'\n') {
        match fields.last_mut() {
            Some(field) if matches!(line.first(), Some(b' ' | b'\t')) => {
                field.extend_from_slice(line)
            }
            _ => fields.push(line.to_vec()),
        }
    }
    fields
}

/// The unfolded value of `field`, if `name` (lower case) is its name.
fn value(field: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(field).replace("\r\n", "");
    let (found, value) = text.split_once(':')?;
    found.trim().eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
}

fn boundary(content_type: &str) -> Option<String> {
    let lower = content_type.to_ascii_lowercase();
    let at = lower.starts_with("multipart/").then(|| lower.find("boundary=")).flatten()?;
    let rest = content_type.get(at + "boundary=".len()..)?;
    let boundary = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split([';', ' ']).next(),
    };
    boundary.filter(|boundary| !boundary.is_empty()).map(str::to_owned)
}

/// A multipart body as pairs of a delimiter line (empty before the first) and what follows it.
fn split<'a>(body: &'a [u8], boundary: &str) -> Vec<(&'a [u8], &'a [u8])> {
    let delimiter = format!("--{boundary}").into_bytes();
    let mut cuts = vec![(0, 0)];
    let mut start = 0;
    for line in body.split_inclusive(|b| *b == b'\n') {
        let end = start + line.len();
        let rest = line.strip_prefix(delimiter.as_slice()).map(<[u8]>::trim_ascii_end);
        if matches!(rest, Some(b"" | b"--")) {
            cuts.push((start, end));
        }
        start = end;
    }
    let ends = cuts.iter().skip(1).map(|(start, _)| *start).chain([body.len()]);
    cuts.iter()
        .zip(ends)
        .map(|((start, end), next)| (&body[*start..*end], &body[*end..next]))
        .collect()
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}
