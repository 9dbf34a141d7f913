//! Many patterns against one text at the cost of a few.
//!
//! From each pattern the words are taken that it cannot match without (see [`super::needs`]). One search over the text
//! tells which of them are there; only patterns that have all they need are tried at all, and those that are nothing but
//! a few words are not even tried: they are found. They are compiled when they are tried first, so loading rules costs
//! little, and hundreds of further rules cost next to nothing.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use daachorse::DoubleArrayAhoCorasick;
use regex::bytes::{Regex, RegexBuilder};

use super::lists::Lists;
use super::literal::{Edges, Literal};
use super::needs::{Choices, Known, known};

/// Bytes that one pattern may use for its states while it searches.
const STATES: usize = 512 << 10;

/// Patterns that are matched together. Adding one twice gives the same number.
///
/// A need is a set of literals of which a text must hold one; many patterns share a need. What a search looks at lies in a
/// few flat lists: it touches hundreds of entries, and each list of lists would be a miss of the cache.
#[derive(Default)]
pub(super) struct PatternSet {
    patterns: Vec<Pattern>,
    numbers: HashMap<String, usize>,
    /// Gives the number of a text. `None` when there are none, or more than it can hold: then every pattern is tried.
    finder: Option<DoubleArrayAhoCorasick<u32>>,
    /// For each text that is searched for the literals that it may be.
    literals: Lists<Sought>,
    /// For each literal the needs that it fulfils and that are the foremost of a pattern to be woken.
    fulfils: Lists<u32>,
    /// For each need the patterns to be woken of which it is the foremost: they are looked at when it is fulfilled.
    wakes: Lists<u32>,
    /// For each need its literals.
    sets: Lists<u32>,
    /// For each pattern what it needs, the foremost first.
    needs: Lists<u32>,
    /// For each pattern the bytes of the longest text that it may match.
    longest: Vec<usize>,
    /// Patterns that match where their need is fulfilled: no regex is tried.
    words: Bits,
    /// Patterns that need nothing and are to be woken.
    always: Vec<u32>,
}

/// A literal where its text is found.
#[derive(Debug)]
struct Sought {
    literal: u32,
    edges: Edges,
    /// Whether it fulfils any need: most do not, and need not be looked up.
    fulfils: bool,
}

#[derive(Debug)]
struct Pattern {
    /// As written in the rule file.
    written: String,
    /// With all names replaced.
    expanded: String,
    /// Up to [`PatternSet::prepare`].
    known: Known,
    regex: OnceLock<Option<Regex>>,
}

/// What is known of one text: which patterns may match, and which did.
#[derive(Debug, Clone)]
pub(super) struct Matches<'a> {
    set: &'a PatternSet,
    text: &'a str,
    /// Literals that it holds.
    found: Bits,
    /// Patterns to be woken that match or may match, sorted.
    open: Vec<u32>,
    /// What trying a pattern came to.
    tried: RefCell<Vec<(u32, bool)>>,
}

/// A set of small numbers.
#[derive(Debug, Clone, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn with(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    fn has(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|bits| bits & (1 << (number % 64)) != 0)
    }

    /// Whether it was not there before.
    fn insert(&mut self, number: u32) -> bool {
        let Some(bits) = self.0.get_mut(number as usize / 64) else { return false };
        let before = *bits;
        *bits |= 1 << (number % 64);
        *bits != before
    }
}

impl fmt::Debug for PatternSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PatternSet").field("patterns", &self.patterns).finish_non_exhaustive()
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
            regex: OnceLock::new(),
        });
        Ok(number)
    }

    /// Puts together what all patterns need. To be called once, after all were added. `wakes` tells which of them
    /// [`Matches::open`] and [`Matches::all`] are to give; the others are there to be asked for.
    pub(super) fn prepare(&mut self, wakes: impl Fn(usize) -> bool) {
        let mut texts: Vec<String> = Vec::new();
        let mut literals: Vec<Vec<Sought>> = Vec::new();
        let mut numbers: HashMap<Literal, u32> = HashMap::new();
        let mut text_numbers: HashMap<String, usize> = HashMap::new();
        let mut number_of = |literal: Literal| {
            let next = numbers.len() as u32;
            *numbers.entry(literal).or_insert_with_key(|Literal { text, edges }| {
                let at = *text_numbers.entry(text.clone()).or_insert_with(|| {
                    texts.push(text.clone());
                    literals.push(Vec::new());
                    texts.len() - 1
                });
                literals[at].push(Sought {
                    literal: next,
                    edges: Edges::of(*edges),
                    fulfils: false,
                });
                next
            })
        };
        let mut known_needs: HashMap<Choices, u32> = HashMap::new();
        let (mut wake, mut needs): (Vec<Vec<u32>>, Vec<Vec<u32>>) = (Vec::new(), Vec::new());
        let mut sets: Vec<Vec<u32>> = Vec::new();
        self.words = Bits::with(self.patterns.len());
        for (number, pattern) in (0..).zip(&mut self.patterns) {
            let Known { sets: all, longest, words } = std::mem::take(&mut pattern.known);
            self.longest.push(longest);
            if words {
                self.words.insert(number);
            }
            let mut own = Vec::new();
            for choices in all {
                let next = known_needs.len() as u32;
                let need = *known_needs.entry(choices.clone()).or_insert(next);
                own.push(need);
                if need == next {
                    wake.push(Vec::new());
                    sets.push(choices.into_iter().map(&mut number_of).collect());
                }
            }
            if wakes(number as usize) {
                match own.first() {
                    Some(&foremost) => wake[foremost as usize].push(number),
                    None => self.always.push(number),
                }
            }
            needs.push(own);
        }
        let mut fulfils: Vec<Vec<u32>> = vec![Vec::new(); numbers.len()];
        for (need, set) in (0..).zip(&sets).filter(|(need, _)| !wake[*need as usize].is_empty()) {
            set.iter().for_each(|&literal| fulfils[literal as usize].push(need));
        }
        for sought in literals.iter_mut().flatten() {
            sought.fulfils = !fulfils[sought.literal as usize].is_empty();
        }
        self.literals = Lists::new(literals);
        (self.fulfils, self.wakes) = (Lists::new(fulfils), Lists::new(wake));
        (self.sets, self.needs) = (Lists::new(sets), Lists::new(needs));
        self.finder = DoubleArrayAhoCorasick::new(&texts).ok();
        if self.finder.is_none() {
            self.words = Bits::default();
            self.needs = Lists::new(self.patterns.iter().map(|_| Vec::new()).collect());
            self.always =
                (0..self.patterns.len()).filter(|&n| wakes(n)).map(|n| n as u32).collect();
        }
    }

    /// Looks at a text once; patterns are tried when they are asked for.
    pub(super) fn search<'a>(&'a self, text: &'a str) -> Matches<'a> {
        let mut found = Bits::with(self.fulfils.len());
        let mut fulfilled = Bits::with(self.wakes.len());
        let mut open = self.always.clone();
        for hit in self.finder.iter().flat_map(|finder| finder.find_overlapping_iter(text)) {
            let edges = Edges::around(text, hit.start()..hit.end());
            for sought in self.literals.of(hit.value() as usize) {
                let new = edges.hold(sought.edges) && found.insert(sought.literal);
                if !new || !sought.fulfils {
                    continue;
                }
                for &need in self.fulfils.of(sought.literal as usize) {
                    if fulfilled.insert(need) {
                        open.extend_from_slice(self.wakes.of(need as usize));
                    }
                }
            }
        }
        // What woke it is there already.
        let others = |number: u32| self.needs.of(number as usize).get(1..).unwrap_or_default();
        let fits = |number: u32| text.len() <= self.longest[number as usize];
        open.retain(|&number| fits(number) && self.are_there(others(number), &found));
        open.sort_unstable();
        Matches { set: self, text, found, open, tried: RefCell::default() }
    }

    /// Whether a literal of each of these needs was found.
    fn are_there(&self, needs: &[u32], found: &Bits) -> bool {
        let is_there =
            |&need: &u32| self.sets.of(need as usize).iter().any(|&literal| found.has(literal));
        needs.iter().all(is_there)
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
        if !self.set.are_there(self.set.needs.of(number), &self.found) {
            return false;
        }
        if self.set.words.has(key) {
            return true;
        }
        if let Some((_, matched)) = self.tried.borrow().iter().find(|(n, _)| *n == key) {
            return *matched;
        }
        let regex = self.set.patterns[number].regex();
        let matched = regex.is_some_and(|regex| regex.is_match(self.text.as_bytes()));
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
            for text in ["it fixes it", "prefix it: fix it", "fix itself", "nor", "o no", "a<num>b"]
            {
                let found = pattern.regex().expect("a pattern").is_match(text.as_bytes());
                assert_eq!(set.search(text).matched(number), found, "{text}");
            }
        }
    }

    /// What a pattern needs must never keep it from what it matches.
    #[test]
    fn nothing_is_missed_for_its_needs() {
        let rules = crate::triage::Rules::embedded().unwrap_or_else(|errors| panic!("{errors:?}"));
        let set = &rules.text;
        let examples = rules.iter().flat_map(|rule| rule.matches.iter().chain(&rule.misses));
        let texts: Vec<String> =
            examples.step_by(4).map(|example| crate::triage::plain(&example.text).text).collect();
        let mut matched = 0;
        for text in &texts {
            let matches = set.search(text);
            for (number, pattern) in set.patterns.iter().enumerate() {
                let found = pattern.regex().expect("a pattern").is_match(text.as_bytes());
                assert_eq!(matches.matched(number), found, "{} in {text}", pattern.written);
                matched += usize::from(found);
            }
        }
        assert!(texts.len() > 150 && matched > texts.len(), "{} {matched}", texts.len());
    }
}
