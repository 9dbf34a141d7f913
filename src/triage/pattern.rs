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

use super::needs::{Choices, Edge, Known, known};

/// Bytes that one pattern may use for its states while it searches.
const STATES: usize = 512 << 10;

/// Patterns that are matched together. Adding one twice gives the same number.
///
/// A need is a set of literals of which a text must hold one; many patterns share a need. What a search looks at lies in a
/// few flat lists: it touches hundreds of entries, and each list of lists would be a miss of the cache.
#[derive(Debug, Default)]
pub(super) struct PatternSet {
    patterns: Vec<Pattern>,
    numbers: HashMap<String, usize>,
    finder: Option<AhoCorasick>,
    /// For each literal the needs that it fulfils and that are the foremost of a pattern to be woken.
    fulfils: Lists<u32>,
    /// For each literal the patterns that match when it stands between these edges, and whether they are to be woken.
    words: Lists<(u32, [Edge; 2], bool)>,
    /// For each need the patterns to be woken of which it is the foremost: they are looked at when it is fulfilled.
    wakes: Lists<u32>,
    /// For each need its literals.
    sets: Lists<u32>,
    /// For each pattern what it needs, the foremost first.
    needs: Lists<u32>,
    /// For each pattern the bytes of the longest text that it may match.
    longest: Vec<usize>,
    /// Patterns that [`PatternSet::words`] decide: no regex is tried.
    spelled: Bits,
    /// Patterns that need nothing and are to be woken.
    always: Vec<u32>,
}

/// A list for each number.
#[derive(Debug)]
struct Lists<T> {
    ends: Vec<u32>,
    all: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { ends: Vec::new(), all: Vec::new() }
    }
}

impl<T> Lists<T> {
    fn new(lists: Vec<Vec<T>>) -> Self {
        let mut flat = Self::default();
        for list in lists {
            flat.all.extend(list);
            flat.ends.push(flat.all.len() as u32);
        }
        flat
    }

    fn of(&self, number: usize) -> &[T] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start as usize..self.ends[number] as usize]
    }
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
    /// Patterns of words that match, sorted.
    words: Vec<u32>,
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
        let mut literals: Vec<String> = Vec::new();
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let mut known_needs: HashMap<Choices, u32> = HashMap::new();
        let (mut fulfils, mut words): (Vec<Vec<u32>>, Vec<Vec<_>>) = (Vec::new(), Vec::new());
        let (mut wake, mut needs): (Vec<Vec<u32>>, Vec<Vec<u32>>) = (Vec::new(), Vec::new());
        let mut sets: Vec<Vec<u32>> = Vec::new();
        self.spelled = Bits::with(self.patterns.len());
        for (number, pattern) in (0..).zip(&mut self.patterns) {
            let woken = wakes(number as usize);
            let mut number_of = |text: String, fulfils: &mut Vec<Vec<u32>>| {
                *numbers.entry(text).or_insert_with_key(|text| {
                    literals.push(text.clone());
                    fulfils.push(Vec::new());
                    literals.len() - 1
                })
            };
            let mut own = Vec::new();
            match std::mem::take(&mut pattern.known) {
                Known::Words(texts, edges) => {
                    self.spelled.insert(number);
                    self.longest.push(usize::MAX);
                    for text in texts {
                        let literal = number_of(text, &mut fulfils);
                        words.resize_with(words.len().max(literal + 1), Vec::new);
                        words[literal].push((number, edges, woken));
                    }
                }
                Known::Needs { sets: all, longest } => {
                    self.longest.push(longest);
                    for choices in all {
                        let next = known_needs.len() as u32;
                        let need = *known_needs.entry(choices.clone()).or_insert(next);
                        own.push(need);
                        if need < next {
                            continue;
                        }
                        wake.push(Vec::new());
                        let numbers =
                            choices.into_iter().map(|t| number_of(t, &mut fulfils) as u32);
                        sets.push(numbers.collect());
                    }
                    match own.first() {
                        Some(&foremost) if woken => wake[foremost as usize].push(number),
                        None if woken => self.always.push(number),
                        _ => {}
                    }
                }
            }
            // What woke a pattern comes first, then what is looked at soonest.
            if let Some(others) = own.get_mut(1..) {
                others.sort_by_key(|&need| sets[need as usize].len());
            }
            needs.push(own);
        }
        for (need, set) in (0..).zip(&sets).filter(|(need, _)| !wake[*need as usize].is_empty()) {
            set.iter().for_each(|&literal| fulfils[literal as usize].push(need));
        }
        words.resize_with(literals.len(), Vec::new);
        (self.fulfils, self.words) = (Lists::new(fulfils), Lists::new(words));
        (self.wakes, self.sets, self.needs) =
            (Lists::new(wake), Lists::new(sets), Lists::new(needs));
        self.finder = AhoCorasick::new(&literals).ok();
        if self.finder.is_none() {
            // More literals than one search can hold: every pattern is tried.
            self.spelled = Bits::default();
            self.needs = Lists::new(self.patterns.iter().map(|_| Vec::new()).collect());
            self.always =
                (0..self.patterns.len()).filter(|&n| wakes(n)).map(|n| n as u32).collect();
        }
    }

    /// Looks at a text once; patterns are tried when they are asked for.
    pub(super) fn search<'a>(&'a self, text: &'a str) -> Matches<'a> {
        let mut found = Bits::with(self.fulfils.ends.len());
        let mut fulfilled = Bits::with(self.wakes.ends.len());
        let (mut words, mut open, mut woken) = (Vec::new(), Vec::new(), self.always.clone());
        let Some(finder) = &self.finder else {
            return Matches {
                set: self,
                text,
                found,
                words,
                open: woken,
                tried: RefCell::default(),
            };
        };
        for hit in finder.find_overlapping_iter(text) {
            let literal = hit.pattern().as_usize();
            if found.insert(literal as u32) {
                for &need in self.fulfils.of(literal) {
                    if fulfilled.insert(need) {
                        woken.extend_from_slice(self.wakes.of(need as usize));
                    }
                }
            }
            for &(number, [left, right], to_wake) in self.words.of(literal) {
                if left.stands(text, hit.start()) && right.stands(text, hit.end()) {
                    words.push(number);
                    open.extend(to_wake.then_some(number));
                }
            }
        }
        // What woke it is there already.
        let others = |number: u32| self.needs.of(number as usize).get(1..).unwrap_or_default();
        let fits = |number: u32| text.len() <= self.longest[number as usize];
        open.extend(woken.into_iter().filter(|&n| fits(n) && self.are_there(others(n), &found)));
        for list in [&mut words, &mut open] {
            list.sort_unstable();
            list.dedup();
        }
        Matches { set: self, text, found, words, open, tried: RefCell::default() }
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
        if self.set.spelled.has(key) {
            return self.words.binary_search(&key).is_ok();
        }
        if !self.set.are_there(self.set.needs.of(number), &self.found) {
            return false;
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
}
