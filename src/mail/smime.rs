//! Opaque S/MIME (RFC 8551): the signed content is taken out of its envelope; nothing is verified.

/// Whether a media type is an S/MIME envelope (not a detached signature).
pub(super) fn is_wrapper(content_type: &str) -> bool {
    matches!(content_type, "application/pkcs7-mime" | "application/x-pkcs7-mime")
}

/// pkcs7-signedData, as a DER object identifier with its tag.
const SIGNED_DATA: &[u8] = &[0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02];
/// pkcs7-data, as a DER object identifier with its tag.
const DATA: &[u8] = &[0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01];

/// The MIME entity inside a signedData object (RFC 5652 section 5.1), definite or indefinite lengths. `None` for
/// encrypted or damaged envelopes.
pub(super) fn signed_content(der: &[u8]) -> Option<Vec<u8>> {
    find(der, SIGNED_DATA)?;
    let content = find(der, DATA)? + DATA.len();
    let mut rest = der.get(content..)?;
    let mut out = Vec::new();
    // [0] EXPLICIT, then an OCTET STRING in one piece (04) or in several (24 80 04 .. 04 .. 00 00).
    let (tag, length, header) = head(rest)?;
    if tag != 0xa0 {
        return None;
    }
    rest = rest.get(header..header + length.unwrap_or(rest.len() - header))?;
    let (tag, length, header) = head(rest)?;
    match tag {
        0x04 => out.extend_from_slice(rest.get(header..header + length?)?),
        0x24 => {
            rest = rest.get(header..header + length.unwrap_or(rest.len() - header))?;
            while let Some((0x04, Some(length), header)) = head(rest) {
                out.extend_from_slice(rest.get(header..header + length)?);
                rest = rest.get(header + length..)?;
            }
        }
        _ => return None,
    }
    (!out.is_empty()).then_some(out)
}

fn find(hay: &[u8], needle: &[u8]) -> Option<usize> {
    hay.windows(needle.len()).position(|w| w == needle)
}

/// Tag, length (`None` when indefinite) and size of the header of one DER or BER object.
fn head(der: &[u8]) -> Option<(u8, Option<usize>, usize)> {
    let (&tag, &first) = (der.first()?, der.get(1)?);
    match first {
        0x80 => Some((tag, None, 2)),
        0..0x80 => Some((tag, Some(usize::from(first)), 2)),
        _ => {
            let count = usize::from(first & 0x7f);
            let bytes = der.get(2..2 + count).filter(|_| count <= 4)?;
            let length = bytes.iter().fold(0usize, |n, &b| n << 8 | usize::from(b));
            (length <= der.len()).then_some((tag, Some(length), 2 + count))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrap(content: &[u8], chunked: bool) -> Vec<u8> {
        let mut der = vec![0x30, 0x80];
        der.extend_from_slice(SIGNED_DATA);
        der.extend([0xa0, 0x80, 0x30, 0x80, 0x02, 0x01, 0x01, 0x31, 0x00, 0x30, 0x80]);
        der.extend_from_slice(DATA);
        der.extend([0xa0, 0x80]);
        if chunked {
            der.extend([0x24, 0x80]);
            for chunk in content.chunks(10) {
                der.extend([0x04, chunk.len() as u8]);
                der.extend_from_slice(chunk);
            }
            der.extend([0, 0]);
        } else {
            der.extend([0x04, content.len() as u8]);
            der.extend_from_slice(content);
        }
        der
    }

    #[test]
    fn content_comes_out_whole() {
        let content = b"Content-Type: text/plain\r\n\r\nhello\r\n";
        assert_eq!(signed_content(&wrap(content, false)).as_deref(), Some(&content[..]));
        assert_eq!(signed_content(&wrap(content, true)).as_deref(), Some(&content[..]));
    }

    #[test]
    fn damaged_envelopes_give_nothing() {
        let whole = wrap(b"Content-Type: text/plain\r\n\r\nhello\r\n", false);
        assert_eq!(signed_content(&whole[..whole.len() - 5]), None);
        assert_eq!(signed_content(b""), None);
    }
}
