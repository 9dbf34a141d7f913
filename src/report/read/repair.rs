//! Quoted-printable that a mail program or an archive left in the text (RFC 2045, section 6.7).

/// True when the text was certainly never decoded.
pub(super) fn is_encoded(text: &str) -> bool {
    if !text.contains('=') {
        return false;
    }
    if text.contains("=3D=3D=3D=3D") || text.contains("=C2=B1") {
        return true;
    }
    text.contains("=3D")
        && (text.contains("=20\n")
            || text.contains("=20\r")
            || text.contains("=09")
            || text.lines().filter(|l| is_soft_break(l)).take(2).count() == 2)
}

/// True when the line goes on in the next one.
pub(super) fn is_soft_break(line: &str) -> bool {
    let line = line.trim_end_matches(['\r', ' ']);
    line.ends_with('=') && !line.trim_matches(['=', '>', ' ']).is_empty()
}

/// Decodes what cannot be anything else: `=3D`, a blank at either end, and bytes beyond ASCII. `nr_task=16` stays.
pub(super) fn decode(line: &str) -> String {
    let mut bytes = Vec::with_capacity(line.len());
    let mut rest = line.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code = (first == b'=').then(|| hex_pair(tail)).flatten();
        match code {
            Some(byte) if is_certain(byte, is_quoting(&bytes), tail.len() == 2) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    utf8_or_latin1(&bytes)
}

/// Nothing but quote marks so far.
fn is_quoting(bytes: &[u8]) -> bool {
    bytes.len() <= 128 && bytes.iter().all(|b| matches!(b, b'>' | b' '))
}

fn is_certain(byte: u8, at_start: bool, at_end: bool) -> bool {
    match byte {
        b'=' => true,
        b' ' => at_end || at_start,
        b'\t' => at_start,
        _ => byte >= 0x80,
    }
}

fn hex_pair(text: &[u8]) -> Option<u8> {
    let digit = |b: u8| match b {
        b'0'..=b'9' => Some(b - b'0'),
        b'A'..=b'F' => Some(b - b'A' + 10),
        _ => None,
    };
    Some(digit(*text.first()?)? << 4 | digit(*text.get(1)?)?)
}

fn utf8_or_latin1(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&b| char::from(b)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_certain_is_decoded() {
        for (line, decoded) in [
            ("14321 =C2=B1  0%", "14321 ±  0%"),
            ("14321 =B1  0%", "14321 ±  0%"),
            ("nr_task=3D16", "nr_task=16"),
            ("nr_task=16", "nr_task=16"),
            ("commit:=20", "commit: "),
            ("=09runtime: 300s", "\truntime: 300s"),
            ("size=20G", "size=20G"),
            ("=C4=85 cut =C2", "ą cut Â"),
        ] {
            assert_eq!(decode(line), decoded);
        }
    }

    #[test]
    fn evidence_is_needed() {
        assert!(is_encoded("=3D=3D=3D=3D=3D\n"));
        assert!(is_encoded("a=3Db\ncommit:=20\n"));
        assert!(!is_encoded("nr_task=20\nfoo =\n"));
        assert!(!is_encoded("=========\n"));
        assert!(!is_soft_break("====="));
        assert!(is_soft_break("involuntary_con="));
    }
}
