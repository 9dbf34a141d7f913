//! Which Message-IDs a line of text names: in `<>`, bare, or in the URL of any archive.

use super::MessageId;

/// Candidates that one line gives at most.
const MOST: usize = 32;
/// Shortest id.
const SHORTEST: usize = 4;
/// Longest URL that is looked at.
const LONGEST: usize = 2_000;

/// Every Message-ID that a line may name, likeliest first.
///
/// Archives spell them differently: `/r/ID`, `/all/ID/T/#u`, `/list/ID/`, `?i=ID`, `/project/x/patch/ID/`; a slash inside an
/// id stands as `%2F` (RFC 3986 section 2.1), encoded twice, or plain. Only who knows ids can tell which candidate is one, so
/// all are given: a caller looks them up.
pub fn linked_ids(text: &str) -> Vec<MessageId> {
    let mut found = Found(Vec::new());
    let quoted = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`');
    for word in text.split(quoted).filter(|w| w.len() <= LONGEST) {
        let word = word.trim_start_matches(['(', '[', '\'']);
        let word = word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '\'']);
        if let Some((_, rest)) = word.split_once("://") {
            found.url(rest.strip_suffix(']').unwrap_or(rest));
        } else if word.contains('@') || word.contains("%40") {
            found.add(word.strip_prefix("mid:").unwrap_or(word));
            let joined = |c: char| matches!(c, ',' | ';' | '(' | ')' | '[' | ']');
            for part in word.split(joined).filter(|p| p.contains('@') && p.len() < word.len()) {
                found.add(part);
            }
            if word.split_once('/').is_some_and(|(host, _)| host.contains('.')) {
                found.url(word);
            }
        }
    }
    found.0
}

struct Found(Vec<MessageId>);

impl Found {
    fn add(&mut self, text: &str) {
        let mut text = text.to_owned();
        // A relay encodes again what was encoded.
        for _ in 0..3 {
            if let Some(id) = MessageId::clean(&text)
                && self.0.len() < MOST
                && id.as_str().len() >= SHORTEST
                && !self.0.contains(&id)
            {
                self.0.push(id);
            }
            let plain = percent_decoded(&text);
            if plain == text {
                return;
            }
            text = plain;
        }
    }

    /// What stands behind `://`.
    fn url(&mut self, rest: &str) {
        let rest = rest.split('#').next().unwrap_or(rest);
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let pieces: Vec<&str> = path.split('/').skip(1).collect();
        let marked = |piece: &str| percent_decoded(&percent_decoded(piece)).contains('@');
        let before = self.0.len();
        for (at, piece) in pieces.iter().enumerate().filter(|(_, p)| marked(p)) {
            self.likeliest(piece);
            // A slash that nobody encoded parts an id in two.
            for from in (at.saturating_sub(3)..at).rev() {
                self.likeliest(&pieces[from..=at].join("/"));
            }
        }
        for value in query.split('&').filter_map(|pair| pair.split_once('=')).map(|(_, v)| v) {
            let value = percent_decoded(value);
            let value = value.strip_prefix("m:").unwrap_or(&value);
            if value.contains('@') {
                self.add(value);
            }
        }
        if self.0.len() == before {
            for piece in pieces.iter().rev().take(3).filter(|p| p.len() >= 8) {
                self.likeliest(piece);
            }
        }
    }

    /// Of a piece of a path: decoded first.
    fn likeliest(&mut self, piece: &str) {
        self.add(&percent_decoded(piece));
        self.add(piece);
    }
}

/// Undoes percent-encoding once; what is no valid escape stays.
pub fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let escape = (*first == b'%').then(|| tail.get(..2)).flatten();
        let hex = escape.filter(|hex| hex.iter().all(u8::is_ascii_hexdigit));
        let byte = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(percent_decoded("a%2Fb%zz%4%+1"), "a/b%zz%4%+1");
    }
}
