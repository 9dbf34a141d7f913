//! One feature, by its name or by the words that make it.

use std::hash::{BuildHasherDefault, Hasher};

/// What something else than a word is called: `fact:table`, `rule:noise`.
#[derive(Debug, Clone, Copy)]
pub(super) enum Feature<'a> {
    /// By its whole name.
    Name(&'a str),
    /// A kind, and a name behind it: `fact:` and `table`.
    Of(&'a str, &'a str),
    /// A word.
    Word(Token<'a>),
    /// Two words, one behind the other. [`Token::START`] and [`Token::END`] are words, too.
    Pair(Token<'a>, Token<'a>),
    /// A word of the quote that is answered.
    QuotedWord(Token<'a>),
    /// Two words of that quote.
    QuotedPair(Token<'a>, Token<'a>),
}

/// A word with its hash.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    text: &'a str,
    hash: u64,
}

/// In front of the name of what comes from a quote.
const QUOTED: &str = "q:";

impl<'a> Token<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, hash: hash(text) }
    }

    /// Stands in front of the first word.
    pub(super) fn start() -> Self {
        Self::new("^")
    }

    /// Stands behind the last word.
    pub(super) fn end() -> Self {
        Self::new("$")
    }
}

impl Feature<'_> {
    /// The name under which weights are written: words with one blank between two of them.
    pub(super) fn name(self) -> String {
        match self {
            Feature::Name(name) => name.to_owned(),
            Feature::Of(kind, name) => format!("{kind}{name}"),
            Feature::Word(word) => word.text.to_owned(),
            Feature::Pair(a, b) => format!("{} {}", a.text, b.text),
            Feature::QuotedWord(word) => format!("{QUOTED}{}", word.text),
            Feature::QuotedPair(a, b) => format!("{QUOTED}{} {}", a.text, b.text),
        }
    }

    pub(super) fn key(self) -> Key {
        Key(match self {
            Feature::Name(name) => {
                let quoted = name.strip_prefix(QUOTED);
                let hash = match quoted.unwrap_or(name).split_once(' ') {
                    Some((a, b)) => pair(hash(a), hash(b)),
                    None => single(hash(quoted.unwrap_or(name))),
                };
                if quoted.is_some() { of_quote(hash) } else { hash }
            }
            Feature::Of(kind, name) => single(continued(hash(kind), name)),
            Feature::Word(word) => single(word.hash),
            Feature::Pair(a, b) => pair(a.hash, b.hash),
            Feature::QuotedWord(word) => of_quote(single(word.hash)),
            Feature::QuotedPair(a, b) => of_quote(pair(a.hash, b.hash)),
        })
    }
}

/// A feature's name as 64 bits. That two names of a hundred thousand share one happens once in four thousand million times;
/// [`super::Weights::parse`] refuses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key(u64);

/// FNV-1a of 64 bits.
fn hash(text: &str) -> u64 {
    continued(0xcbf2_9ce4_8422_2325, text)
}

fn continued(hash: u64, text: &str) -> u64 {
    text.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Spreads a hash over all bits: tables look at the lowest and the highest of them, which are FNV's weak ones.
fn single(hash: u64) -> u64 {
    (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn pair(a: u64, b: u64) -> u64 {
    single(a.rotate_left(23).wrapping_add(0xd6e8_feb8_6659_fd93) ^ single(b))
}

fn of_quote(hash: u64) -> u64 {
    single(hash ^ 0xa076_1d64_78bd_642f)
}

/// For tables of keys, which are hashes already.
pub(super) type Keyed = BuildHasherDefault<Itself>;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Itself(u64);

impl Hasher for Itself {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The words of a text in normal form; scripts without blanks give their characters. `?` and `!` are words, too.
pub(super) fn tokens<'a>(text: &'a str, mut take: impl FnMut(Token<'a>)) {
    let mut start = None;
    let mut at = 0;
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        let (length, within, alone) = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'\'' | b'<' | b'>' | b'_' => {
                (1, true, false)
            }
            b'?' | b'!' => (1, false, true),
            0..128 => (1, false, false),
            _ => {
                let c = text[at..].chars().next().unwrap_or(' ');
                let wide = matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}');
                (c.len_utf8(), !wide && c.is_alphanumeric(), wide)
            }
        };
        if within {
            start = start.or(Some(at));
        } else if let Some(start) = start.take() {
            take(Token::new(&text[start..at]));
        }
        if alone {
            take(Token::new(&text[at..at + length]));
        }
        at += length;
    }
    if let Some(start) = start {
        take(Token::new(&text[start..]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_the_key_of_what_it_names() {
        let (a, b) = (Token::new("it"), Token::new("fits"));
        let all = [
            Feature::Of("fact:", "table"),
            Feature::Word(a),
            Feature::Pair(a, b),
            Feature::Pair(Token::start(), a),
            Feature::Pair(b, Token::end()),
            Feature::QuotedWord(a),
            Feature::QuotedPair(a, b),
        ];
        for feature in all {
            assert_eq!(Feature::Name(&feature.name()).key(), feature.key(), "{}", feature.name());
        }
        let names = all.map(Feature::name);
        assert_eq!(names, ["fact:table", "it", "it fits", "^ it", "fits $", "q:it", "q:it fits"]);
        assert_ne!(Feature::Pair(a, b).key(), Feature::Pair(b, a).key());
    }

    #[test]
    fn words_are_told_apart() {
        let all = |text| {
            let mut found = Vec::new();
            tokens(text, |token| found.push(token.text));
            found
        };
        assert_eq!(
            all("it's (not) <sha>, w\u{e4}re a_b-c?"),
            ["it's", "not", "<sha>", "w\u{e4}re", "a_b", "c", "?"]
        );
        assert_eq!(all("\u{518d}\u{73fe}a\u{3002}"), ["\u{518d}", "\u{73fe}", "a", "\u{3002}"]);
        assert_eq!(all(" .. "), [""; 0]);
    }
}
