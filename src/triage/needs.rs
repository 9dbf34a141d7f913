//! What a text must hold for a pattern to match it: found in the pattern, not by trying it.

use std::collections::BTreeSet;

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// Literals of one need: more of them tell nothing.
const CHOICES: usize = 400;
/// Texts that a part of a pattern is spelled out to: "can not" and "could not" tell more than "can", "could" and "not".
const SPELLED: usize = 16;
/// Letters of a class that is spelled out: digits are.
const LETTERS: usize = 10;
/// Needs that are looked at.
const MOST: usize = 4;

/// Literals of which a matching text holds one.
pub(super) type Choices = BTreeSet<String>;

/// What is known of a pattern.
#[derive(Debug, PartialEq)]
pub(super) enum Known {
    /// It matches wherever one of these words stands between two such edges.
    Words(Vec<String>, [Edge; 2]),
    /// What a matching text must be like.
    Needs {
        /// It holds a literal of each of these. The set that tells most comes first.
        sets: Vec<Choices>,
        /// It has no more bytes than this: the pattern matches whole texts only.
        longest: usize,
    },
}

impl Default for Known {
    fn default() -> Self {
        Known::Needs { sets: Vec::new(), longest: usize::MAX }
    }
}

/// What a pattern asks for in front of its words or behind them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    /// Nothing.
    Any,
    /// Not within an ASCII word.
    Word,
    /// The text begins there.
    Start,
    /// The text ends there.
    End,
}

impl Edge {
    /// Whether it is so at this offset.
    pub(super) fn stands(self, text: &str, at: usize) -> bool {
        let bytes = text.as_bytes();
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        match self {
            Edge::Any => true,
            Edge::Start => at == 0,
            Edge::End => at == bytes.len(),
            Edge::Word => {
                let before = at.checked_sub(1).and_then(|before| bytes.get(before));
                !(before.is_some_and(is_word) && bytes.get(at).is_some_and(is_word))
            }
        }
    }

    /// `\b` as `words.toml` has it, `^` and `$`.
    fn of(hir: &Hir) -> Option<Edge> {
        match hir.kind() {
            HirKind::Look(Look::Start) => Some(Edge::Start),
            HirKind::Look(Look::End) => Some(Edge::End),
            HirKind::Capture(capture) => Edge::of(&capture.sub),
            HirKind::Alternation(branches) => match branches.as_slice() {
                [a, b] => match (a.kind(), b.kind()) {
                    (
                        HirKind::Look(Look::WordStartHalfAscii),
                        HirKind::Look(Look::WordEndHalfAscii),
                    ) => Some(Edge::Word),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }
}

/// Checks the syntax of a pattern, and finds out what it needs, without compiling it.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn known(pattern: &str) -> Result<Known, String> {
    // As a regex over bytes reads it: an edge of an ASCII word may stand between the bytes of a letter.
    let parsed = ParserBuilder::new().utf8(false).build().parse(pattern);
    let hir = parsed.map_err(|error| {
        let text = error.to_string();
        text.lines()
            .last()
            .unwrap_or("bad regular expression")
            .trim()
            .trim_start_matches("error: ")
            .to_owned()
    })?;
    let needs = || Known::Needs { sets: needs_of(&hir), longest: longest(&hir) };
    Ok(words_of(&hir).unwrap_or_else(needs))
}

/// The bytes of the longest text that a pattern can match from its beginning to its end.
fn longest(hir: &Hir) -> usize {
    let properties = hir.properties();
    let whole = properties.look_set_prefix().contains(Look::Start)
        && properties.look_set_suffix().contains(Look::End);
    properties.maximum_len().filter(|_| whole).unwrap_or(usize::MAX)
}

/// The words of a pattern that is nothing else.
fn words_of(hir: &Hir) -> Option<Known> {
    let parts = match hir.kind() {
        HirKind::Concat(parts) => parts.as_slice(),
        _ => std::slice::from_ref(hir),
    };
    let (mut edges, mut inner) = ([Edge::Any; 2], parts);
    if let [first, rest @ ..] = inner
        && let Some(edge) = Edge::of(first)
    {
        (edges[0], inner) = (edge, rest);
    }
    if let [rest @ .., last] = inner
        && let Some(edge) = Edge::of(last)
    {
        (edges[1], inner) = (edge, rest);
    }
    let looks = inner.iter().any(|part| !part.properties().look_set().is_empty());
    if looks || inner.is_empty() {
        return None;
    }
    let Part::Spelled(words) = joined(inner) else { return None };
    let plain = !words.is_empty() && words.iter().all(|word| !word.is_empty());
    plain.then_some(Known::Words(words, edges))
}

fn needs_of(hir: &Hir) -> Vec<Choices> {
    let mut needs = part(hir).needs();
    // A literal that nearly every sentence holds tells nothing.
    needs.retain(|choices| {
        choices.len() <= CHOICES && choices.iter().all(|literal| telling(literal) >= 2)
    });
    needs.sort_by_key(|choices| std::cmp::Reverse(worth(choices)));
    needs.dedup();
    needs.truncate(MOST);
    needs
}

/// Long literals tell more than short ones, few more than many.
fn worth(choices: &Choices) -> (usize, usize) {
    let shortest = choices.iter().map(|literal| telling(literal)).min().unwrap_or(0);
    (shortest, CHOICES.saturating_sub(choices.len()))
}

/// How much it tells that a text holds a literal: its letters. That somebody asks tells more than one letter does.
fn telling(literal: &str) -> usize {
    if literal == "?" { ASKED } else { literal.trim().len() }
}

/// Letters that a question mark is worth.
const ASKED: usize = 6;

/// What a part of a pattern tells.
enum Part {
    /// Every text that it matches, looks around aside.
    Spelled(Vec<String>),
    /// What every text begins with that it matches.
    Begins(Vec<String>),
    /// What it needs.
    Needs(Vec<Choices>),
}

impl Part {
    fn needs(self) -> Vec<Choices> {
        match self {
            Part::Needs(needs) => needs,
            Part::Spelled(texts) | Part::Begins(texts) => choices(texts).into_iter().collect(),
        }
    }
}

/// The texts as a need. `None` when one of them is empty, so that nothing is needed.
fn choices(texts: Vec<String>) -> Option<Choices> {
    let all: Choices = texts.into_iter().collect();
    (!all.is_empty() && !all.contains("")).then_some(all)
}

fn part(hir: &Hir) -> Part {
    let nothing = || Part::Needs(Vec::new());
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Part::Spelled(vec![String::new()]),
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(text) => Part::Spelled(vec![text.to_owned()]),
            Err(_) => nothing(),
        },
        HirKind::Class(Class::Unicode(class)) => {
            let count = |r: &regex_syntax::hir::ClassUnicodeRange| r.len();
            match class.iter().map(count).sum::<usize>() {
                1..=LETTERS => {
                    let letters = class.iter().flat_map(|r| r.start()..=r.end());
                    Part::Spelled(letters.map(String::from).collect())
                }
                _ => nothing(),
            }
        }
        HirKind::Class(Class::Bytes(_)) => nothing(),
        HirKind::Capture(capture) => part(&capture.sub),
        HirKind::Repetition(repetition) => match (repetition.min, repetition.max) {
            (0, Some(1)) => match part(&repetition.sub) {
                Part::Spelled(mut texts) if texts.len() < SPELLED => {
                    texts.push(String::new());
                    Part::Spelled(texts)
                }
                _ => nothing(),
            },
            (0, _) => nothing(),
            _ => match part(&repetition.sub) {
                Part::Spelled(texts) => Part::Begins(texts),
                part => part,
            },
        },
        HirKind::Concat(parts) => joined(parts),
        HirKind::Alternation(branches) => either(branches),
    }
}

/// One part behind the other: what can be spelled out together is.
fn joined(parts: &[Hir]) -> Part {
    let mut needs = Vec::new();
    let mut texts = vec![String::new()];
    let mut spelled = true;
    for next in parts.iter().map(part) {
        match next {
            Part::Spelled(more) if texts.len() * more.len() <= SPELLED => {
                texts = crossed(texts, more);
            }
            Part::Begins(more) if texts.len() * more.len() <= SPELLED => {
                spelled = false;
                let before = std::mem::replace(&mut texts, vec![String::new()]);
                needs.extend(choices(crossed(before, more)));
            }
            next => {
                spelled = false;
                let before = match next {
                    Part::Spelled(more) => std::mem::replace(&mut texts, more),
                    Part::Begins(more) => {
                        needs.extend(choices(more));
                        std::mem::replace(&mut texts, vec![String::new()])
                    }
                    Part::Needs(more) => {
                        let before = std::mem::replace(&mut texts, vec![String::new()]);
                        needs.extend(more);
                        before
                    }
                };
                needs.extend(choices(before));
            }
        }
    }
    if spelled {
        return Part::Spelled(texts);
    }
    needs.extend(choices(texts));
    Part::Needs(needs)
}

/// Each text followed by each of `more`.
fn crossed(mut texts: Vec<String>, more: Vec<String>) -> Vec<String> {
    if let [only] = more.as_slice() {
        texts.iter_mut().for_each(|text| text.push_str(only));
        return texts;
    }
    if texts.iter().all(String::is_empty) && texts.len() == 1 {
        return more;
    }
    texts.iter().flat_map(|a| more.iter().map(move |b| format!("{a}{b}"))).collect()
}

/// One of the branches matches: so one of the best needs of each is there. Nothing when a branch needs nothing.
fn either(branches: &[Hir]) -> Part {
    let parts: Vec<Part> = branches.iter().map(part).collect();
    let count = |part: &Part| match part {
        Part::Spelled(texts) => Some(texts.len()),
        Part::Begins(_) | Part::Needs(_) => None,
    };
    let spelled: Option<usize> = parts.iter().map(count).sum();
    if spelled.is_some_and(|count| count <= SPELLED) {
        let texts = parts.into_iter().flat_map(|part| match part {
            Part::Spelled(texts) => texts,
            Part::Begins(_) | Part::Needs(_) => Vec::new(),
        });
        return Part::Spelled(texts.collect());
    }
    let mut all = Choices::new();
    for part in parts {
        let best = part.needs().into_iter().filter(|c| c.len() <= CHOICES).max_by_key(worth);
        let Some(best) = best else { return Part::Needs(Vec::new()) };
        all.extend(best);
        if all.len() > CHOICES {
            return Part::Needs(Vec::new());
        }
    }
    Part::Needs(vec![all])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(pattern: &str) -> Vec<Choices> {
        match known(pattern) {
            Ok(Known::Needs { sets, .. }) => sets,
            other => panic!("{other:?}"),
        }
    }

    fn set(texts: &[&str]) -> Choices {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn needs_are_found() {
        let needs_of_it =
            needs(r"\b(?:can|could) not (?:[a-z]+ ){0,3}?(?:reproduc(?:e|ed)|replicate)\b");
        let verbs = set(&["reproduce", "reproduced", "replicate"]);
        assert_eq!(needs_of_it, [verbs, set(&["can not ", "could not "])]);
        assert_eq!(needs(r"[a-z]+ [0-9]"), Vec::<Choices>::new());
        assert_eq!(needs(r"(?:fix|[a-z]+) it .*"), [set(&[" it "])]);
        assert_eq!(needs(r"(?:ab|cd)+ [0-9]"), [set(&["ab", "cd"])]);
        assert_eq!(needs(r"(?:it|v[12]+)[a-z]"), [set(&["it", "v1", "v2"])]);
        assert_eq!(needs(r"^(?:is|are) [^?]*\?"), [set(&["?"]), set(&["are ", "is "])]);
    }

    #[test]
    fn whole_texts_have_a_length() {
        let longest = |pattern: &str| match known(pattern) {
            Ok(Known::Needs { longest, .. }) => longest,
            other => panic!("{other:?}"),
        };
        assert_eq!(longest("^(?:[a-z]{1,3}|no)[.!]?$"), 4);
        assert_eq!(longest("^[a-z]{1,3}"), usize::MAX);
        assert_eq!(longest("^[a-z]+$"), usize::MAX);
    }

    #[test]
    fn what_is_nothing_but_words_is_known() {
        let words = |pattern: &str| match known(pattern) {
            Ok(Known::Words(words, edges)) => Some((words.join("|"), edges)),
            _ => None,
        };
        let edge = r"(?-u:\b{start-half}|\b{end-half})";
        let found = words(&format!("{edge}fix(?:es|ed)? it{edge}"));
        assert_eq!(found, Some(("fixes it|fixed it|fix it".to_owned(), [Edge::Word; 2])));
        assert_eq!(words("^no$"), Some(("no".to_owned(), [Edge::Start, Edge::End])));
        assert_eq!(words("(?:a|b)?"), None, "nothing is no word");
        assert_eq!(words(&format!("a{edge}b")), None, "an edge within");
        assert_eq!(words(r"\bno\b"), None, "Unicode's words");
    }

    #[test]
    fn edges_are_those_of_ascii_words() {
        let stands = |at| Edge::Word.stands("a b\u{e9}c_", at);
        let all: Vec<usize> = (0..=7).filter(|&at| stands(at)).collect();
        assert_eq!(all, [0, 1, 2, 3, 4, 5, 7]);
        assert!(
            Edge::Start.stands("a", 0) && !Edge::End.stands("a", 0) && Edge::Any.stands("a", 1)
        );
    }
}
