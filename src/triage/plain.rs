//! Words as rules see them: lower case, contractions spelled out, things that are no words replaced by their kind.
//!
//! `It's been fixed by 1d7bb6093f ("mm: x"), hasn't it?` becomes `it is been fixed by <sha> <subject>, has NOT it?`.
//! Rules then speak of what people do and not of how they spell it.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;
use regex_automata::Input;
use regex_automata::meta::Regex as Things;

use super::spelling::words;

/// What stands in for a thing that is no word.
///
/// `<url>`, `<id>` (Message-ID), `<addr>`, `<sha>` (commit), `<subject>` (a quoted commit subject), `<quote>` (other
/// quoted words), `<ver>` (v6.1-rc3), `<pct>`, `<num>`, `<code>` (identifiers, calls, paths).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thing {
    /// A web address.
    Url,
    /// A Message-ID in `<>`.
    Id,
    /// A mail address.
    Address,
    /// A commit id, 7 to 40 hex digits with a digit among them.
    Commit,
    /// A commit subject in quotes.
    Subject,
    /// Other words in quotes.
    Quote,
    /// A kernel version.
    Version,
    /// A percentage.
    Percent,
    /// A number.
    Number,
    /// Code.
    Code,
}

impl Thing {
    fn mark(self) -> &'static str {
        match self {
            Thing::Url => "<url>",
            Thing::Id => "<id>",
            Thing::Address => "<addr>",
            Thing::Commit => "<sha>",
            Thing::Subject => "<subject>",
            Thing::Quote => "<quote>",
            Thing::Version => "<ver>",
            Thing::Percent => "<pct>",
            Thing::Number => "<num>",
            Thing::Code => "<code>",
        }
    }
}

/// One thing found in a text, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What it is.
    pub thing: Thing,
    /// As written, without quotes and brackets.
    pub text: String,
}

/// Normal form of a text with the things that were replaced, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plain {
    /// The words.
    pub text: String,
    /// The things.
    pub things: Vec<Found>,
}

/// What a pattern finds, before its words are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Url,
    Id,
    Address,
    Quoted,
    Hex,
    Version,
    Percent,
    Code,
    Number,
}

/// Letters of the longest quote or address. Counted here and not in the patterns, where each count would be a state.
const LONGEST: usize = 200;

/// The first that fits wins.
const PATTERNS: [(Kind, &str); 9] = [
    (Kind::Url, r"\b(?:https?|git|ftp)://[^\s<>()]+|\bwww\.[^\s<>()]+"),
    (Kind::Id, r"<[^<>\s@]+@[^<>\s]+>"),
    (Kind::Address, r"\b[\w.+-]+@[\w-]+\.[\w.-]+\b"),
    (Kind::Quoted, r#"\(?"[^"]+"\)?|“[^”]+”|\(\('[^']+'\)\)|«[^»]+»|‘[^’]{3,}’"#),
    (Kind::Hex, r"\b[0-9a-f]{7,40}\b"),
    (
        Kind::Version,
        r"\bv?\d{1,2}\.\d{1,3}(?:\.\d{1,3}|\.y)?-?rc\d{1,2}\b|\bv\d{1,2}\.\d{1,3}(?:\.\d{1,3}|\.y)?\b|-?\brc\d{1,2}\b|\b\d\.\d{1,2}\.(?:\d{1,3}|y)\b",
    ),
    (Kind::Percent, r"[-+±~]{0,2}\d+(?:[.,]\d+)?\s?(?:%|percent\b|per cent\b)"),
    (
        Kind::Code,
        r"\b\w+(?:->|::)\w[\w>:-]*(?:\(\))?|\b[\w.]+\(\)|\b\w*[a-z]\w*_\w+\b|\b[A-Z]+_[A-Z_]+\b|\w*/\w[\w.-]*/[\w./-]+|\b(?:[\w.-]+/)*[\w-]+\.[chS]\b",
    ),
    (Kind::Number, r"[-+±~]{0,2}\b\d+(?:[.,]\d+)*(?:[kKMGT]?[iI]?[bB]?(?:/s)?|ms|us|ns|s|x)?\b"),
];

/// All at once, told apart by number: groups would have to be followed through the whole text.
static THINGS: LazyLock<Things> = LazyLock::new(|| {
    // Edges of ASCII words: those of Unicode make the search leave its automaton at the first letter that is not ASCII.
    let patterns = PATTERNS.map(|(_, pattern)| pattern.replace(r"\b", r"(?-u:\b)"));
    Things::new_many(&patterns).unwrap_or_else(|error| unreachable!("{error}"))
});

pub(super) fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap_or_else(|error| unreachable!("{error}"))
}

/// Brings a text into normal form.
pub fn plain(text: &str) -> Plain {
    let straight = straighten(text);
    let mut out = Plain { text: String::with_capacity(straight.len()), things: Vec::new() };
    let (mut at, mut from) = (0, if holds_things(&straight) { 0 } else { straight.len() });
    while let Some(hit) = THINGS.find(Input::new(&*straight).range(from..)) {
        from = hit.end();
        let whole = &straight[hit.range()];
        let (kind, _) = PATTERNS[hit.pattern().as_usize()];
        let bounded = matches!(kind, Kind::Id | Kind::Address | Kind::Quoted);
        if bounded && whole.len() > LONGEST && whole.chars().nth(LONGEST + 4).is_some() {
            // No thing, but there may be some within it.
            from = hit.start() + whole.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let Some(mut found) = classify(kind, whole) else { continue };
        // `Jo Doe <jo@example.org>` is a mailbox, `see <20260112.1@example.org>` a Message-ID.
        if found.thing == Thing::Id && follows_name(&straight[..hit.start()]) {
            found.thing = Thing::Address;
        }
        words(&straight[at..hit.start()], &mut out.text);
        out.text.push_str(found.thing.mark());
        out.things.push(found);
        at = hit.end();
    }
    words(&straight[at..], &mut out.text);
    out.text.truncate(out.text.trim_end().len());
    out
}

/// Whether there is a letter without which none of [`PATTERNS`] finds anything that counts. Most sentences have none.
fn holds_things(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().any(|(at, byte)| match byte {
        b'0'..=b'9' | b':' | b'@' | b'<' | b'>' | b'"' | b'(' | b'_' | b'/' | 128.. => true,
        b'.' => bytes.get(at + 1).is_some_and(|next| *next != b' '),
        _ => false,
    })
}

fn follows_name(before: &str) -> bool {
    let word = before.trim_end().rsplit(' ').next().unwrap_or_default();
    before.ends_with(' ')
        && word.chars().next().is_some_and(char::is_uppercase)
        && word.chars().count() > 1
        && word.chars().skip(1).all(|c| c.is_lowercase() || c == '-' || c == '\'' || c == '.')
        && !before.trim_end().ends_with(['.', ','])
        && !starts_sentence(&before[..before.trim_end().len() - word.len()])
}

/// Whether a word after this text has its capital from its place, as in `Or <id>`, not from being a name.
fn starts_sentence(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty() || before.ends_with(['.', '!', '?', ':', ';', '>'])
}

fn classify(kind: Kind, whole: &str) -> Option<Found> {
    let thing = |thing, text: &str| Some(Found { thing, text: text.to_owned() });
    match kind {
        Kind::Url => {
            let end = ['.', ',', ';', ':', '!', '?', '\'', '"', ']'];
            thing(Thing::Url, whole.trim_end_matches(end))
        }
        Kind::Id => thing(Thing::Id, whole),
        Kind::Address => thing(Thing::Address, whole),
        Kind::Quoted => {
            let marks = ['(', ')', '"', '“', '”', '\'', '«', '»', '‘', '’'];
            let inner = whole.trim_matches(marks).trim();
            let kind = if is_subject(inner) { Thing::Subject } else { Thing::Quote };
            thing(kind, inner)
        }
        Kind::Hex => {
            let digits = whole.bytes().any(|b| b.is_ascii_digit());
            let letters = whole.bytes().any(|b| b.is_ascii_alphabetic());
            match digits {
                true if letters || whole.len() >= 12 => thing(Thing::Commit, whole),
                true => thing(Thing::Number, whole),
                false => None,
            }
        }
        Kind::Version => thing(Thing::Version, whole.trim_start_matches('-')),
        Kind::Percent => thing(Thing::Percent, whole),
        Kind::Code => thing(Thing::Code, whole),
        Kind::Number => thing(Thing::Number, whole),
    }
}

/// `mm: cap the refill batch`: an area, a colon, words.
fn is_subject(text: &str) -> bool {
    let Some((area, rest)) = text.split_once(": ") else { return false };
    let short = area.len() <= 40 && area.split_whitespace().count() <= 2;
    short && rest.split_whitespace().count() >= 2 && !area.ends_with("FYI")
}

/// Whether [`straighten`] would leave a text as it is. Most sentences are.
fn is_straight(text: &str) -> bool {
    let bytes = text.as_bytes();
    let next = |at: usize| bytes.get(at + 1).copied();
    !text.starts_with(' ')
        && bytes.iter().enumerate().all(|(at, byte)| match byte {
            b'*' | b'_' | b'`' | b'\t' | b'\n' | 128.. => false,
            b' ' => next(at) != Some(b' '),
            b':' | b';' => !matches!(next(at), Some(b')' | b'-')),
            _ => true,
        })
}

/// Curly quotes and dashes become straight ones, white space single blanks, emphasis and smileys go.
fn straighten(text: &str) -> Cow<'_, str> {
    if is_straight(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut last = ' ';
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        let c = match c {
            '’' | '´' | '`' | 'ʼ' => '\'',
            '„' | '“' | '”' => '"',
            '–' | '—' => '-',
            '\t' | '\n' | '\u{3000}' => ' ',
            // *emphasis* and _emphasis_, not a * b nor a_b.
            '*' | '_' if last.is_whitespace() && next.is_alphanumeric() => continue,
            '*' | '_' if last.is_alphanumeric() && !next.is_alphanumeric() => continue,
            c => c,
        };
        if c == ' ' && last == ' ' {
            continue;
        }
        if matches!(c, ':' | ';') && is_smiley(&mut chars) {
            continue;
        }
        out.push(c);
        last = c;
    }
    Cow::Owned(out)
}

fn is_smiley(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    let mut ahead = chars.clone();
    let mut first = ahead.next();
    let nose = first == Some('-');
    if nose {
        first = ahead.next();
    }
    if !matches!(first, Some(')' | '(' | 'P' | 'D' | '/')) || (!nose && first != Some(')')) {
        return false;
    }
    *chars = ahead;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(text: &str) -> String {
        plain(text).text
    }

    #[test]
    fn contractions_are_spelled_out() {
        assert_eq!(
            words_of("I can’t, I won't; it's not John's."),
            "i can NOT, i will NOT; it is NOT john's."
        );
        assert_eq!(
            words_of("We've seen, they'd say, let's go"),
            "we have seen, they would say, let us go"
        );
        assert_eq!(words_of("Cannot repro, doesnt help"), "can NOT repro, does NOT help");
    }

    #[test]
    fn things_get_a_name() {
        assert_eq!(
            words_of("fixed by 77a90c3d1e5b (\"ext4: only extend\")"),
            "fixed by <sha> <subject>"
        );
        assert_eq!(
            words_of("see https://example.org/r/x. Or <a@example.org>!"),
            "see <url> or <id>!"
        );
        assert_eq!(
            words_of("tested v6.20-rc3 and 6.18.y, 2.3% and 12 runs"),
            "tested <ver> and <ver>, <pct> and <num> runs"
        );
        assert_eq!(
            words_of("In rc7 \"verified\" means foo_bar() in mm/slub.c"),
            "in <ver> <quote> means <code> in <code>"
        );
        assert_eq!(words_of("a decade of facade"), "a decade of facade");
    }

    #[test]
    fn decoration_goes() {
        assert_eq!(
            words_of("Working as designed :-) got *faster*,\nyes"),
            "working as designed got faster, yes"
        );
    }

    #[test]
    fn things_are_kept_as_written() {
        let found = plain("with \"mm: Cap the batch\" (1d7bb6093f), <X@y.z>");
        let texts: Vec<&str> = found.things.iter().map(|f| f.text.as_str()).collect();
        assert_eq!(texts, ["mm: Cap the batch", "1d7bb6093f", "<X@y.z>"]);
    }
}
