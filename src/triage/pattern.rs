//! Many patterns against one text at the cost of a few.
//!
//! From each pattern the words are taken that it cannot match without. One search over the text tells which of them are
//! there; only patterns that have all they need are tried at all. They are compiled when they are tried first, so
//! loading rules costs little, and hundreds of further rules cost next to nothing.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, HirKind};

/// Literals of one need: more of them tell nothing.
const CHOICES: usize = 400;
/// Bytes that one pattern may use for its states while it searches.
const STATES: usize = 512 << 10;

/// Patterns that are matched together. Adding one twice gives the same number.
#[derive(Debug, Default)]
pub(super) struct PatternSet {
    patterns: Vec<Pattern>,
    numbers: HashMap<String, usize>,
    finder: Option<AhoCorasick>,
    /// For each literal the needs that it fulfils.
    fulfils: Vec<Vec<usize>>,
    /// For each need its pattern.
    needs: Vec<usize>,
}

#[derive(Debug)]
struct Pattern {
    /// As written in the rule file.
    written: String,
    /// With all names replaced.
    expanded: String,
    /// How many needs it has.
    needs: usize,
    regex: OnceLock<Option<Regex>>,
}

/// What is known of one text: which patterns may match, and which did.
#[derive(Debug, Clone)]
pub(super) struct Matches<'a> {
    set: &'a PatternSet,
    text: &'a str,
    open: Vec<usize>,
}

impl PatternSet {
    /// Adds a pattern and gives its number.
    pub(super) fn add(&mut self, expanded: String, written: &str) -> usize {
        if let Some(number) = self.numbers.get(&expanded) {
            return *number;
        }
        let number = self.patterns.len();
        self.numbers.insert(expanded.clone(), number);
        self.patterns.push(Pattern {
            written: written.to_owned(),
            expanded,
            needs: 0,
            regex: OnceLock::new(),
        });
        number
    }

    /// Finds out what each pattern needs. To be called once, after all were added.
    pub(super) fn prepare(&mut self) {
        let mut literals: Vec<String> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut fulfils: Vec<Vec<usize>> = Vec::new();
        for (number, pattern) in self.patterns.iter_mut().enumerate() {
            for choices in needs_of(&pattern.expanded) {
                let need = self.needs.len();
                self.needs.push(number);
                pattern.needs += 1;
                for literal in choices {
                    let at = *known.entry(literal.clone()).or_insert_with(|| {
                        literals.push(literal);
                        fulfils.push(Vec::new());
                        literals.len() - 1
                    });
                    fulfils[at].push(need);
                }
            }
        }
        self.finder = AhoCorasick::new(&literals).ok();
        self.fulfils = fulfils;
    }

    /// Looks at a text once; patterns are tried when they are asked for.
    pub(super) fn search<'a>(&'a self, text: &'a str) -> Matches<'a> {
        let mut found = vec![false; self.fulfils.len()];
        let mut fulfilled = vec![false; self.needs.len()];
        let mut counts = vec![0usize; self.patterns.len()];
        if let Some(finder) = &self.finder {
            for hit in finder.find_overlapping_iter(text) {
                let literal = hit.pattern().as_usize();
                if std::mem::replace(&mut found[literal], true) {
                    continue;
                }
                for &need in &self.fulfils[literal] {
                    if !std::mem::replace(&mut fulfilled[need], true) {
                        counts[self.needs[need]] += 1;
                    }
                }
            }
        }
        let enough = |&number: &usize| {
            self.finder.is_none() || counts[number] == self.patterns[number].needs
        };
        Matches { set: self, text, open: (0..self.patterns.len()).filter(enough).collect() }
    }

    /// A pattern as written in its rule file.
    pub(super) fn written(&self, number: usize) -> &str {
        self.patterns.get(number).map_or("", |p| &p.written)
    }
}

impl Matches<'_> {
    /// Whether the pattern of that number matches.
    pub(super) fn matched(&self, number: usize) -> bool {
        self.open.binary_search(&number).is_ok()
            && self.set.patterns[number]
                .regex()
                .is_some_and(|regex| regex.is_match(self.text.as_bytes()))
    }

    /// How many patterns of the set match.
    pub(super) fn count(&self) -> usize {
        self.open.iter().filter(|&&n| self.matched(n)).count()
    }

    /// Whether any of these matches.
    pub(super) fn any(&self, numbers: &[usize]) -> bool {
        numbers.iter().any(|&n| self.matched(n))
    }
}

impl Pattern {
    fn regex(&self) -> Option<&Regex> {
        let build = || RegexBuilder::new(&self.expanded).dfa_size_limit(STATES).build().ok();
        self.regex.get_or_init(build).as_ref()
    }
}

/// Checks the syntax of a pattern without compiling it.
pub(super) fn check_syntax(pattern: &str) -> Result<(), String> {
    parsed(pattern).map(|_| ()).map_err(|error| {
        let text = error.to_string();
        text.lines()
            .last()
            .unwrap_or("bad regular expression")
            .trim()
            .trim_start_matches("error: ")
            .to_owned()
    })
}

/// As [`RegexBuilder`] of bytes reads it: an edge of an ASCII word may stand between the bytes of a letter.
fn parsed(pattern: &str) -> Result<Hir, Box<regex_syntax::Error>> {
    ParserBuilder::new().utf8(false).build().parse(pattern).map_err(Box::new)
}

type Choices = BTreeSet<String>;

/// Sets of literals of which a matching text must hold one each.
fn needs_of(pattern: &str) -> Vec<Choices> {
    let Ok(hir) = parsed(pattern) else { return Vec::new() };
    let mut needs = collect(&hir);
    // A literal that nearly every sentence holds tells nothing.
    needs.retain(|choices| {
        choices.len() <= CHOICES && choices.iter().all(|literal| literal.trim().len() >= 2)
    });
    needs.sort_by_key(|choices| std::cmp::Reverse(worth(choices)));
    needs.dedup();
    needs.truncate(4);
    needs
}

/// Long literals tell more than short ones, few more than many.
fn worth(choices: &Choices) -> (usize, usize) {
    let shortest = choices.iter().map(|l| l.trim().len()).min().unwrap_or(0);
    (shortest, CHOICES.saturating_sub(choices.len()))
}

fn collect(hir: &Hir) -> Vec<Choices> {
    match hir.kind() {
        HirKind::Literal(literal) => {
            let text = String::from_utf8_lossy(&literal.0).into_owned();
            vec![Choices::from([text])]
        }
        HirKind::Capture(capture) => collect(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => collect(&repetition.sub),
        HirKind::Concat(parts) => parts.iter().flat_map(collect).collect(),
        HirKind::Alternation(branches) => either(branches).into_iter().collect(),
        HirKind::Empty | HirKind::Class(_) | HirKind::Look(_) | HirKind::Repetition(_) => {
            Vec::new()
        }
    }
}

/// One of the branches matches: so one of the best needs of each is there. `None` when a branch needs nothing.
fn either(branches: &[Hir]) -> Option<Choices> {
    let mut all = Choices::new();
    for branch in branches {
        let best = collect(branch).into_iter().filter(|c| c.len() <= CHOICES).max_by_key(worth)?;
        all.extend(best);
        if all.len() > CHOICES {
            return None;
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_found() {
        let needs =
            needs_of(r"\b(?:can|could) not (?:[a-z]+ ){0,3}?(?:reproduc(?:e|ed)|replicate)\b");
        assert!(
            needs.contains(&Choices::from(["reproduc".to_owned(), "replicate".to_owned()])),
            "{needs:?}"
        );
        assert!(needs.iter().any(|n| n.contains(" not ")), "{needs:?}");
        assert_eq!(needs_of(r"[a-z]+ [0-9]"), Vec::<Choices>::new());
    }

    #[test]
    fn only_patterns_that_can_match_are_tried() {
        let mut set = PatternSet::default();
        let noise = set.add(r"\bnoise\b".to_owned(), "noise");
        let twice = set.add(r"\bnoise\b".to_owned(), "noise");
        let digits = set.add(r"[0-9]+".to_owned(), "digits");
        let pair = set.add(r"\b(?:see|saw) (?:[a-z]+ )?drop\b".to_owned(), "pair");
        set.prepare();
        assert_eq!(noise, twice);
        let matches = set.search("we saw the drop, no noisy 12");
        assert!(!matches.matched(noise) && matches.matched(digits) && matches.matched(pair));
        assert_eq!(matches.open, [digits, pair]);
        assert!(set.search("").open == [digits]);
    }
}
