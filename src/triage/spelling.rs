//! Words in small letters, contractions spelled out, negations in capitals.

use std::borrow::Cow;

/// Contractions, spelled out. Longest first where one is the end of another.
const CONTRACTIONS: &[(&str, &str)] = &[
    ("can't", "can not"),
    ("cannot", "can not"),
    ("won't", "will not"),
    ("shan't", "shall not"),
    ("ain't", "is not"),
    ("let's", "let us"),
    ("n't", " not"),
    ("'re", " are"),
    ("'ll", " will"),
    ("'ve", " have"),
    ("'m", " am"),
    ("'d", " would"),
];

/// Contractions that somebody wrote without their apostrophe, spelled out.
fn without_apostrophe(word: &str) -> Option<&'static str> {
    Some(match word {
        "dont" => "do not",
        "doesnt" => "does not",
        "didnt" => "did not",
        "cant" => "can not",
        "wont" => "will not",
        "isnt" => "is not",
        "havent" => "have not",
        "couldnt" => "could not",
        "ive" => "i have",
        "im" => "i am",
        _ => return None,
    })
}

/// Words after which `'s` means "is".
const IS: &[&str] = &[
    "it",
    "that",
    "this",
    "there",
    "here",
    "what",
    "which",
    "who",
    "where",
    "how",
    "he",
    "she",
    "everything",
    "nothing",
    "something",
];

/// Whether a word turns a sentence round. Those alone are written in capitals, so a pattern's gap of small letters never
/// reaches across one.
pub(super) fn is_negation(word: &str) -> bool {
    matches!(
        word,
        "not"
            | "never"
            | "no"
            | "nothing"
            | "nobody"
            | "none"
            | "neither"
            | "nor"
            | "hardly"
            | "barely"
            | "scarcely"
            | "without"
            | "nowhere"
    )
}

/// Lower-cases words and spells contractions out; negations come out in capitals.
pub(super) fn words(text: &str, out: &mut String) {
    let mut rest = text;
    while !rest.is_empty() {
        let (word, behind) = rest.split_at(word_end(rest));
        let (tail, behind) = behind.split_at(behind.chars().next().map_or(0, char::len_utf8));
        rest = behind;
        let small = word.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase());
        let word = if small { Cow::Borrowed(word) } else { Cow::Owned(word.to_lowercase()) };
        let start = out.len();
        spell(&word, out);
        // "not" stands at the end of what a contraction was spelled out to.
        let spelled_out = out.len() - start != word.len();
        let last = if spelled_out { out[start..].rfind(' ').map_or(0, |at| at + 1) } else { 0 };
        let last = start + last;
        if is_negation(&out[last..]) {
            out[last..].make_ascii_uppercase();
        }
        let space = tail == " " && out.ends_with(' ');
        if !space {
            out.push_str(tail);
        }
    }
}

/// Where the word ends that a text begins with.
fn word_end(text: &str) -> usize {
    let mut at = 0;
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'\'' => at += 1,
            0..128 => return at,
            _ => {
                let within = |c: &char| c.is_alphanumeric() || *c == '\'';
                return at
                    + text[at..].chars().take_while(within).map(char::len_utf8).sum::<usize>();
            }
        }
    }
    at
}

fn spell(word: &str, out: &mut String) {
    if let Some(full) = without_apostrophe(word) {
        out.push_str(full);
        return;
    }
    if !word.contains('\'') && word != "cannot" {
        out.push_str(word);
        return;
    }
    if let Some(stem) = word.strip_suffix("'s") {
        out.push_str(if stem == "let" { "let us" } else { stem });
        out.push_str(match stem {
            "let" => "",
            stem if IS.contains(&stem) => " is",
            _ => "'s",
        });
        return;
    }
    for (short, full) in CONTRACTIONS {
        if let Some(stem) = word.strip_suffix(short) {
            out.push_str(stem);
            out.push_str(full);
            return;
        }
    }
    out.push_str(word.trim_matches('\''));
}
