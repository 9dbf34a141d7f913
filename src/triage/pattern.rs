//! Many patterns against one text at the cost of a few.
//!
//! From each pattern the words are taken that it cannot match without (see [`super::needs`]). One search over the text
//! tells which of them are there; only patterns that have all they need are tried at all, and those that are nothing but
//! a few words are not even tried: they are found. They are compiled when they are tried first, so loading rules costs
//! little, and hundreds of further rules cost next to nothing.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use regex::bytes::{Regex, RegexBuilder};

use super::needs::{Edge, Known, known};

/// Bytes that one pattern may use for its states while it searches.
const STATES: usize = 512 << 10;

/// Patterns that are matched together. Adding one twice gives the same number.
#[derive(Debug, Default)]
pub(super) struct PatternSet {
    patterns: Vec<Pattern>,
    numbers: HashMap<String, usize>,
    finder: Option<AhoCorasick>,
    /// For each literal what hangs on it.
    literals: Vec<Literal>,
    /// Patterns that need nothing and are to be woken.
    always: Vec<u32>,
}

#[derive(Debug)]
struct Pattern {
    /// As written in the rule file.
    written: String,
    /// With all names replaced.
    expanded: String,
    known: Known,
    needs: Needs,
    regex: OnceLock<Option<Regex>>,
}

/// What a text must hold for a pattern to match it, by the numbers of literals.
#[derive(Debug, Default)]
enum Needs {
    /// One literal of each of these sets.
    Sets(Vec<Vec<u32>>),
    /// Some literal between the edges that the set of patterns notes: then it matches.
    #[default]
    Words,
}

#[derive(Debug, Default)]
struct Literal {
    /// Patterns to be woken whose foremost need it fulfils: they are looked at when it is found.
    wakes: Vec<u32>,
    /// Patterns that match when it stands between these edges, and whether they are to be woken.
    words: Vec<(u32, [Edge; 2], bool)>,
}

/// What is known of one text: which patterns may match, and which did.
#[derive(Debug, Clone)]
pub(super) struct Matches<'a> {
    set: &'a PatternSet,
    text: &'a str,
    /// Literals that it holds, sorted.
    found: Vec<u32>,
    /// Patterns of words that match, sorted.
    words: Vec<u32>,
    /// Patterns to be woken that match or may match, sorted.
    open: Vec<u32>,
    /// What trying a pattern came to.
    tried: RefCell<Vec<(u32, bool)>>,
}

/// What was seen in one text. A mark counts while it bears the number of the search, so nothing is cleared between two.
#[derive(Default)]
struct Seen {
    search: u32,
    literals: Vec<u32>,
    patterns: Vec<u32>,
}

thread_local! {
    static SEEN: RefCell<Seen> = RefCell::default();
}

impl Seen {
    fn begin(&mut self, literals: usize, patterns: usize) {
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            (self.literals, self.patterns, self.search) = (Vec::new(), Vec::new(), 1);
        }
        self.literals.resize(self.literals.len().max(literals), 0);
        self.patterns.resize(self.patterns.len().max(patterns), 0);
    }

    fn is_new(marks: &mut [u32], search: u32, number: u32) -> bool {
        std::mem::replace(&mut marks[number as usize], search) != search
    }
}

impl PatternSet {
    /// Adds a pattern and gives its number.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub(super) fn add(&mut self, expanded: String, written: &str) -> Result<usize, String> {
        if let Some(number) = self.numbers.get(&expanded) {
            return Ok(*number);
        }
        let known = known(&expanded)?;
        let number = self.patterns.len();
        self.numbers.insert(expanded.clone(), number);
        self.patterns.push(Pattern {
            written: written.to_owned(),
            expanded,
            known,
            needs: Needs::default(),
            regex: OnceLock::new(),
        });
        Ok(number)
    }

    /// Puts together what all patterns need. To be called once, after all were added. `wakes` tells which of them
    /// [`Matches::open`] and [`Matches::all`] are to give; the others are there to be asked for.
    pub(super) fn prepare(&mut self, wakes: impl Fn(usize) -> bool) {
        let mut texts: Vec<String> = Vec::new();
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let literals = &mut self.literals;
        let mut number_of = |literals: &mut Vec<Literal>, text: String| {
            *numbers.entry(text).or_insert_with_key(|text| {
                texts.push(text.clone());
                literals.push(Literal::default());
                texts.len() as u32 - 1
            })
        };
        for (number, pattern) in (0..).zip(&mut self.patterns) {
            let woken = wakes(number as usize);
            pattern.needs = match std::mem::take(&mut pattern.known) {
                Known::Words(words, edges) => {
                    for word in words {
                        let at = number_of(literals, word) as usize;
                        literals[at].words.push((number, edges, woken));
                    }
                    Needs::Words
                }
                Known::Needs(sets) => {
                    let sets = sets.into_iter().map(|choices| {
                        choices.into_iter().map(|text| number_of(literals, text)).collect()
                    });
                    let sets: Vec<Vec<u32>> = sets.collect();
                    match sets.first() {
                        _ if !woken => {}
                        Some(foremost) => {
                            foremost.iter().for_each(|&n| literals[n as usize].wakes.push(number));
                        }
                        None => self.always.push(number),
                    }
                    Needs::Sets(sets)
                }
            };
        }
        self.finder = AhoCorasick::new(&texts).ok();
    }

    /// Looks at a text once; patterns are tried when they are asked for.
    pub(super) fn search<'a>(&'a self, text: &'a str) -> Matches<'a> {
        let (found, words, open) = (Vec::new(), Vec::new(), self.always.clone());
        let mut matches = Matches { set: self, text, found, words, open, tried: RefCell::default() };
        SEEN.with_borrow_mut(|seen| self.look(text, seen, &mut matches));
        matches.found.sort_unstable();
        matches.words.sort_unstable();
        matches.open.sort_unstable();
        matches
    }

    fn look(&self, text: &str, seen: &mut Seen, matches: &mut Matches<'_>) {
        let Some(finder) = &self.finder else { return };
        seen.begin(self.literals.len(), self.patterns.len());
        let search = seen.search;
        for hit in finder.find_overlapping_iter(text) {
            let literal = hit.pattern().as_u32();
            if Seen::is_new(&mut seen.literals, search, literal) {
                matches.found.push(literal);
            }
            for &(number, [left, right], woken) in &self.literals[literal as usize].words {
                let whole = left.stands(text, hit.start()) && right.stands(text, hit.end());
                if whole && Seen::is_new(&mut seen.patterns, search, number) {
                    matches.words.push(number);
                    matches.open.extend(woken.then_some(number));
                }
            }
        }
        let there = |literal: u32| seen.literals[literal as usize] == search;
        for &literal in &matches.found {
            for &number in &self.literals[literal as usize].wakes {
                let fresh = Seen::is_new(&mut seen.patterns, search, number);
                if fresh && self.patterns[number as usize].has_needs(there) {
                    matches.open.push(number);
                }
            }
        }
    }

    /// A pattern as written in its rule file.
    pub(super) fn written(&self, number: usize) -> &str {
        self.patterns.get(number).map_or("", |p| &p.written)
    }
}

impl Matches<'_> {
    /// Whether the pattern of that number matches.
    pub(super) fn matched(&self, number: usize) -> bool {
        let key = number as u32;
        let pattern = &self.set.patterns[number];
        if matches!(pattern.needs, Needs::Words) {
            return self.words.binary_search(&key).is_ok();
        }
        if let Some((_, matched)) = self.tried.borrow().iter().find(|(n, _)| *n == key) {
            return *matched;
        }
        let matched = pattern.has_needs(|literal| self.found.binary_search(&literal).is_ok())
            && pattern.regex().is_some_and(|regex| regex.is_match(self.text.as_bytes()));
        self.tried.borrow_mut().push((key, matched));
        matched
    }

    /// The patterns to be woken that may match, by number.
    pub(super) fn open(&self) -> impl Iterator<Item = usize> {
        self.open.iter().map(|&number| number as usize)
    }

    /// The patterns to be woken that match, by number.
    pub(super) fn all(&self) -> impl Iterator<Item = usize> {
        self.open().filter(|&number| self.matched(number))
    }

    /// Whether any of these matches.
    pub(super) fn any(&self, numbers: &[usize]) -> bool {
        numbers.iter().any(|&n| self.matched(n))
    }
}

impl Pattern {
    fn has_needs(&self, there: impl Fn(u32) -> bool) -> bool {
        match &self.needs {
            Needs::Sets(sets) => sets.iter().all(|set| set.iter().any(|&literal| there(literal))),
            Needs::Words => true,
        }
    }

    fn regex(&self) -> Option<&Regex> {
        let build = || RegexBuilder::new(&self.expanded).dfa_size_limit(STATES).build().ok();
        self.regex.get_or_init(build).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_patterns_that_can_match_are_tried() {
        let mut set = PatternSet::default();
        let mut add = |pattern: &str| set.add(pattern.to_owned(), pattern).expect("a pattern");
        let noise = add(r"(?-u:\b)noise(?-u:\b)");
        let twice = add(r"(?-u:\b)noise(?-u:\b)");
        let digits = add(r"[0-9]+");
        let pair = add(r"\b(?:see|saw) (?:[a-z]+ )?drop\b");
        let asked = add(r"\bdrop, [a-z]+ noisy\b");
        set.prepare(|n| n != asked);
        assert_eq!(noise, twice);
        let matches = set.search("we saw the drop, no noisy 12");
        assert!(!matches.matched(noise) && matches.matched(digits) && matches.matched(pair));
        assert!(matches.matched(asked) && !set.search("a drop").matched(asked));
        assert_eq!(matches.open().collect::<Vec<_>>(), [digits, pair]);
        assert_eq!(set.search("").open().collect::<Vec<_>>(), [digits]);
        assert!(set.add("(".to_owned(), "(").is_err());
    }

    #[test]
    fn words_are_found_at_their_edges() {
        let mut set = PatternSet::default();
        let edge = r"(?-u:\b{start-half}|\b{end-half})";
        let mut add = |pattern: String| set.add(pattern, "").expect("a pattern");
        let both = add(format!("{edge}fix(?:es|ed)? it{edge}"));
        let left = add(format!("{edge}repro"));
        let first = add("^no".to_owned());
        let thing = add(format!("{edge}<num>{edge}"));
        set.prepare(|_| true);
        let all = |text| set.search(text).all().collect::<Vec<_>>();
        assert_eq!(all("it fixes it"), [both]);
        assert_eq!(all("prefix it, or fix itself, unfixed it"), [0; 0]);
        assert_eq!(all("prefix it: we fix it"), [both]);
        assert_eq!(all("reproduced"), [left]);
        assert_eq!(all("no, no"), [first]);
        assert_eq!(all("oh no <num>x"), [thing]);
        for (number, pattern) in set.patterns.iter().enumerate() {
            for text in ["it fixes it", "prefix it: fix it", "fix itself", "nor", "o no", "a<num>b"] {
                let found = pattern.regex().expect("a pattern").is_match(text.as_bytes());
                assert_eq!(set.search(text).matched(number), found, "{text}");
            }
        }
    }
}
