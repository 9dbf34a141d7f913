//! What a text must hold for a pattern to match it: found in the pattern, not by trying it.

use std::collections::BTreeSet;

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::literal::{Edge, Literal};

/// Literals of one need: more of them tell nothing.
const CHOICES: usize = 400;
/// Texts that a part of a pattern is spelled out to: "can not" and "could not" tell more than "can", "could" and "not".
const SPELLED: usize = 16;
/// Letters of a class that is spelled out: digits are.
const LETTERS: usize = 10;
/// Needs that are looked at.
const MOST: usize = 4;

/// Literals of which a matching text holds one.
pub(super) type Choices = BTreeSet<Literal>;

/// What is known of a pattern.
#[derive(Debug, PartialEq)]
pub(super) struct Known {
    /// A matching text holds a literal of each of these. The set that tells most comes first.
    pub sets: Vec<Choices>,
    /// A matching text has no more bytes than this: the pattern matches whole texts only.
    pub longest: usize,
    /// It asks for nothing else: a text that holds one of the words matches.
    pub words: bool,
}

impl Default for Known {
    fn default() -> Self {
        Known { sets: Vec::new(), longest: usize::MAX, words: false }
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
    let longest = longest(&hir);
    Ok(match part(&hir) {
        Part::Spelled(texts) if texts.iter().all(|text| text.exact && !text.is_empty()) => {
            Known { sets: choices(texts).into_iter().collect(), longest, words: true }
        }
        part => Known { sets: telling(part.needs()), longest, words: false },
    })
}

/// The bytes of the longest text that a pattern can match from its beginning to its end.
fn longest(hir: &Hir) -> usize {
    let properties = hir.properties();
    let whole = properties.look_set_prefix().contains(Look::Start)
        && properties.look_set_suffix().contains(Look::End);
    properties.maximum_len().filter(|_| whole).unwrap_or(usize::MAX)
}

/// The needs that tell something, those first that tell most.
fn telling(mut needs: Vec<Choices>) -> Vec<Choices> {
    needs.retain(|choices| choices.len() <= CHOICES && choices.iter().all(Literal::counts));
    needs.sort_by_key(|choices| std::cmp::Reverse(worth(choices)));
    needs.dedup();
    needs.truncate(MOST);
    needs
}

/// Long literals tell more than short ones, few more than many.
fn worth(choices: &Choices) -> (usize, usize) {
    let shortest = choices.iter().map(Literal::tells).min().unwrap_or(0);
    (shortest, CHOICES.saturating_sub(choices.len()))
}

/// A text that a part of a pattern matches.
#[derive(Debug, Clone)]
struct Spelled {
    text: String,
    edges: [Edge; 2],
    /// Nothing else is asked for. Otherwise it is not known what stands around some letter in it.
    exact: bool,
}

impl Spelled {
    fn new(text: &str) -> Self {
        Self { text: text.to_owned(), edges: [Edge::Any; 2], exact: true }
    }

    /// An edge alone.
    fn edge(edge: Option<Edge>) -> Self {
        let edges = [edge.unwrap_or(Edge::Any), Edge::Any];
        Self { text: String::new(), edges, exact: edge.is_some() }
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// This text and another one behind it.
    fn then(&self, next: &Spelled) -> Spelled {
        let text = format!("{}{}", self.text, next.text);
        let [before, behind] = self.edges;
        let at_seam = if self.is_empty() { before } else { behind };
        let seam = at_seam.or(next.edges[0]);
        let (edges, kept) = if self.is_empty() {
            ([seam, next.edges[1]], at_seam.goes_with(next.edges[0]))
        } else if next.is_empty() {
            ([before, seam], at_seam.goes_with(next.edges[0]))
        } else {
            ([before, next.edges[1]], seam == Edge::Any || seam.stands(&text, self.text.len()))
        };
        Spelled { text, edges, exact: self.exact && next.exact && kept }
    }
}

/// What a part of a pattern tells.
enum Part {
    /// Every text that it matches.
    Spelled(Vec<Spelled>),
    /// What every text begins with that it matches, if that is known, and what else it needs.
    Needs(Option<Vec<Spelled>>, Vec<Choices>),
}

impl Part {
    fn nothing() -> Self {
        Part::Needs(None, Vec::new())
    }

    fn needs(self) -> Vec<Choices> {
        match self {
            Part::Needs(begins, mut needs) => {
                needs.extend(begins.and_then(choices));
                needs
            }
            Part::Spelled(texts) => choices(texts).into_iter().collect(),
        }
    }

    /// What every text begins with.
    fn begins(&self) -> Option<&[Spelled]> {
        match self {
            Part::Needs(begins, _) => begins.as_deref(),
            Part::Spelled(texts) => Some(texts),
        }
    }
}

/// The texts as a need. `None` when one of them is empty, so that nothing is needed.
fn choices(texts: Vec<Spelled>) -> Option<Choices> {
    let some = !texts.is_empty() && !texts.iter().any(Spelled::is_empty);
    let literal = |Spelled { text, edges, .. }| Literal::new(&text, edges);
    some.then(|| texts.into_iter().map(literal).collect())
}

/// The edge that a pattern asks for: `\b` as `words.toml` has it, `^` and `$`.
fn edge_of(hir: &Hir) -> Option<Edge> {
    match hir.kind() {
        HirKind::Look(Look::Start) => Some(Edge::Start),
        HirKind::Look(Look::End) => Some(Edge::End),
        HirKind::Capture(capture) => edge_of(&capture.sub),
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

fn part(hir: &Hir) -> Part {
    if let Some(edge) = edge_of(hir) {
        return Part::Spelled(vec![Spelled::edge(Some(edge))]);
    }
    match hir.kind() {
        HirKind::Empty => Part::Spelled(vec![Spelled::new("")]),
        HirKind::Look(_) => Part::Spelled(vec![Spelled::edge(None)]),
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(text) => Part::Spelled(vec![Spelled::new(text)]),
            Err(_) => Part::nothing(),
        },
        HirKind::Class(Class::Unicode(class)) => {
            let count = |r: &regex_syntax::hir::ClassUnicodeRange| r.len();
            match class.iter().map(count).sum::<usize>() {
                1..=LETTERS => {
                    let letters = class.iter().flat_map(|r| r.start()..=r.end());
                    let letter = |c: char| Spelled::new(c.encode_utf8(&mut [0; 4]));
                    Part::Spelled(letters.map(letter).collect())
                }
                _ => Part::nothing(),
            }
        }
        HirKind::Class(Class::Bytes(_)) => Part::nothing(),
        HirKind::Capture(capture) => part(&capture.sub),
        HirKind::Repetition(repetition) => match (repetition.min, repetition.max) {
            (0, Some(1)) => match part(&repetition.sub) {
                Part::Spelled(mut texts) if texts.len() < SPELLED => {
                    texts.push(Spelled::new(""));
                    Part::Spelled(texts)
                }
                _ => Part::nothing(),
            },
            (0, _) => Part::nothing(),
            _ => match part(&repetition.sub) {
                Part::Spelled(texts) => Part::Needs(Some(texts), Vec::new()),
                part => part,
            },
        },
        HirKind::Concat(parts) => joined(parts),
        HirKind::Alternation(branches) => {
            match branches.iter().all(|branch| matches!(branch.kind(), HirKind::Look(_))) {
                true => Part::Spelled(vec![Spelled::edge(None)]),
                false => either(branches),
            }
        }
    }
}

/// Whether texts are spelled out with all those behind them: edges add nothing to their number.
fn may_cross(texts: &[Spelled], more: &[Spelled]) -> bool {
    let is_edge = |texts: &[Spelled]| matches!(texts, [only] if only.is_empty());
    // What may be left out tells nothing when it stands alone.
    let most = if more.iter().any(Spelled::is_empty) { 3 * SPELLED } else { SPELLED };
    is_edge(texts) || is_edge(more) || texts.len() * more.len() <= most
}

/// One part behind the other: what can be spelled out together is.
fn joined(parts: &[Hir]) -> Part {
    let nothing = || vec![Spelled::new("")];
    let (mut begins, mut needs) = (None, Vec::new());
    let mut texts = nothing();
    // What is spelled out has come to an end: the first time it is what a text begins with.
    let mut end = |texts: Vec<Spelled>, needs: &mut Vec<Choices>| match &begins {
        None => begins = Some(texts),
        Some(_) => needs.extend(choices(texts)),
    };
    let mut spelled = true;
    for next in parts.iter().map(part) {
        match next {
            Part::Spelled(more) if may_cross(&texts, &more) => texts = crossed(&texts, &more),
            Part::Spelled(more) => {
                spelled = false;
                end(std::mem::replace(&mut texts, more), &mut needs);
            }
            Part::Needs(Some(more), others) if may_cross(&texts, &more) => {
                spelled = false;
                end(crossed(&texts, &more), &mut needs);
                needs.extend(others);
                texts = nothing();
            }
            next => {
                spelled = false;
                end(std::mem::replace(&mut texts, nothing()), &mut needs);
                needs.extend(next.needs());
            }
        }
    }
    if spelled {
        return Part::Spelled(texts);
    }
    end(texts, &mut needs);
    Part::Needs(begins, needs)
}

/// Each text followed by each of `more`.
fn crossed(texts: &[Spelled], more: &[Spelled]) -> Vec<Spelled> {
    texts.iter().flat_map(|a| more.iter().map(|b| a.then(b))).collect()
}

/// One of the branches matches: so one of the best needs of each is there. Nothing when a branch needs nothing.
fn either(branches: &[Hir]) -> Part {
    let parts: Vec<Part> = branches.iter().map(part).collect();
    let begins: Option<Vec<&[Spelled]>> = parts.iter().map(Part::begins).collect();
    let begins = begins.map(|all| all.concat()).filter(|texts| texts.len() <= CHOICES);
    if parts.iter().all(|part| matches!(part, Part::Spelled(_)))
        && let Some(texts) = begins
    {
        return Part::Spelled(texts);
    }
    let best =
        |part: Part| part.needs().into_iter().filter(|c| c.len() <= CHOICES).max_by_key(worth);
    let all: Option<Vec<Choices>> = parts.into_iter().map(best).collect();
    let all = all.map(|all| all.into_iter().flatten().collect::<Choices>());
    let more = all.filter(|all| {
        all.len() <= CHOICES && begins.clone().and_then(choices).as_ref() != Some(all)
    });
    Part::Needs(begins, more.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGE: &str = r"(?-u:\b{start-half}|\b{end-half})";

    /// `|` for the edge of a word, `^` and `$` in front of a literal or behind it.
    fn needs(pattern: &str) -> Vec<Vec<String>> {
        let known = known(&pattern.replace(r"\b", EDGE)).expect("a pattern");
        let edge = |edge: Edge| match edge {
            Edge::Any => "",
            Edge::Word => "|",
            Edge::Blank => " ",
            Edge::Start => "^",
            Edge::End => "$",
        };
        let spell =
            |Literal { text, edges: [a, b] }: Literal| format!("{}{text}{}", edge(a), edge(b));
        known.sets.into_iter().map(|set| set.into_iter().map(spell).collect()).collect()
    }

    #[test]
    fn needs_are_found() {
        let needs_of_it =
            needs(r"\b(?:can|could) not (?:[a-z]+ ){0,3}?(?:reproduc(?:e|ed)|replicate)\b");
        let verbs = vec!["replicate|", "reproduce|", "reproduced|"];
        assert_eq!(needs_of_it, [verbs, vec!["|can not ", "|could not "]]);
        assert_eq!(needs(r"[a-z]+ [0-9]"), Vec::<Vec<String>>::new());
        assert_eq!(needs(r"(?:fix|[a-z]+) it .*"), [[" it "]]);
        assert_eq!(needs(r"(?:ab|cd)+ [0-9]"), [["ab", "cd"]]);
        assert_eq!(needs(r"(?:it|v[12]+)[a-z]"), [["it", "v1", "v2"]]);
        assert_eq!(needs(r"^(?:is|are) [^?]*\?"), [vec!["?"], vec!["^are ", "^is "]]);
        assert_eq!(needs(r"[a-z]b[.!]?$"), [["b$", "b!$", "b.$"]]);
        assert_eq!(needs(r"[a-z]b[.!]?"), Vec::<Vec<String>>::new(), "a letter is everywhere");
    }

    #[test]
    fn whole_texts_have_a_length() {
        let longest = |pattern: &str| known(pattern).expect("a pattern").longest;
        assert_eq!(longest("^(?:[a-z]{1,3}|no)[.!]?$"), 4);
        assert_eq!(longest("^[a-z]{1,3}"), usize::MAX);
        assert_eq!(longest("^[a-z]+$"), usize::MAX);
    }

    #[test]
    fn what_is_nothing_but_words_is_known() {
        let words = |pattern: &str| {
            known(&pattern.replace(r"\b", EDGE)).expect("a pattern").words.then(|| needs(pattern))
        };
        let one =
            |literals: &[&str]| Some(vec![literals.iter().map(|l| (*l).to_owned()).collect()]);
        assert_eq!(words(r"\bfix(?:es|ed)? it\b"), one(&["|fix it|", "|fixed it|", "|fixes it|"]));
        assert_eq!(words("^no$"), one(&["^no$"]));
        assert_eq!(words(r"\b^no\b"), one(&["^no|"]), "a text begins at the edge of a word");
        assert_eq!(words(r"\b(?:it|^no)\b"), one(&["|it|", "^no|"]));
        assert_eq!(words(r"a-\bb"), one(&["a-b"]), "there is an edge");
        assert_eq!(words(r"a\bb"), None, "there is none");
        assert_eq!(words("(?:a|b)?"), None, "nothing is no word");
        let unicode = known(r"(?:\b{start-half}|\b{end-half})no").expect("a pattern");
        assert!(!unicode.words, "Unicode's words have other edges");
    }
}
