//! `words.toml`: names for groups of words that patterns use, and the patterns of sentence forms.

use std::collections::BTreeMap;

use super::facts::Fact;
use super::form::{Form, Forms};
use super::needs::known;
use super::pattern::PatternSet;
use super::source::{RuleError, Source, WordsFile};
use super::spelling::is_negation;

/// What of somebody's words sounds like the people who run a robot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LabTalk {
    /// How many of their phrases there are.
    pub talk: usize,
    /// Whether it begins as they do.
    pub greets: bool,
    /// Whether it is signed as nobody else does.
    pub signs: bool,
}

/// Names that patterns may use as `{name}`, and what makes a form.
#[derive(Debug, Default)]
pub(super) struct Words {
    names: BTreeMap<String, String>,
    forms: Vec<Form>,
    patterns: PatternSet,
    /// What quoted sentences make a fact.
    facts: Vec<Fact>,
    quoted: PatternSet,
    lab: Lab,
}

/// How the people talk who run a robot.
#[derive(Debug, Default)]
struct Lab {
    talk: PatternSet,
    greeting: PatternSet,
    sign_off: PatternSet,
}

/// Writes the negations of a pattern in capitals, as they stand in normal form.
fn capitals(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut word = String::new();
    let mut escaped = false;
    for c in pattern.chars().chain(['\0']) {
        // The letter behind a backslash is no part of a word: `\bnot`.
        if c.is_ascii_alphabetic() && !escaped {
            word.push(c);
            continue;
        }
        if is_negation(&word) {
            word.make_ascii_uppercase();
        }
        out.push_str(&word);
        word.clear();
        escaped = c == '\\' && !escaped;
        if c != '\0' {
            out.push(c);
        }
    }
    out
}

/// Lets `\b` stand at the edge of `<num>` and the like, too: anywhere but within a word.
///
/// A pattern without accents looks at ASCII words and digits only: a search for Unicode's leaves its automaton at the first
/// letter that is not ASCII, and takes ten times as long.
fn edges(pattern: &str) -> String {
    const EDGE: &str = r"(?:\b{start-half}|\b{end-half})";
    const ASCII_EDGE: &str = r"(?-u:\b{start-half}|\b{end-half})";
    let edge = if pattern.is_ascii() { ASCII_EDGE } else { EDGE };
    let mut out = String::with_capacity(pattern.len() * 2);
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('b') => out.push_str(edge),
            Some('d') if pattern.is_ascii() => out.push_str("[0-9]"),
            next => {
                out.push(c);
                out.extend(next);
            }
        }
    }
    out
}

/// How often names may stand for names: enough for any sane file, and an end for circles.
const DEEPEST: usize = 12;

impl Words {
    pub(super) fn read(source: Source<'_>, errors: &mut Vec<RuleError>) -> Self {
        let file: WordsFile = match toml::from_str(source.text) {
            Ok(file) => file,
            Err(error) => {
                errors.push(source.syntax(&error));
                return Self::default();
            }
        };
        let names: BTreeMap<String, String> =
            file.words.iter().map(|(name, text)| (name.clone(), text.get_ref().clone())).collect();
        let mut words = Self { names, ..Self::default() };
        let (mut patterns, mut quoted) = (PatternSet::default(), PatternSet::default());
        for (name, text) in &file.words {
            let expanded = words.expand(text.get_ref(), 0);
            if let Err(what) = expanded.and_then(|expanded| known(&edges(&expanded))) {
                errors.push(source.error(
                    text.span(),
                    format!("the words `{name}` do not work: {what}"),
                    "Write a regular expression; other words go in braces: {name}.",
                ));
            }
        }
        for (name, texts) in &file.forms {
            let Some(form) = Form::parse(name) else {
                let span = texts.first().map_or(0..0, toml::Spanned::span);
                let known: Vec<&str> = Form::ALL.iter().map(|(_, n)| *n).collect();
                errors.push(source.error(
                    span,
                    format!("unknown form `{name}`"),
                    format!("One of {}.", known.join(", ")),
                ));
                continue;
            };
            for number in words.add_all(source, texts, &mut patterns, errors) {
                // One pattern for two forms would lose its second one.
                if number == words.forms.len() {
                    words.forms.push(form);
                }
            }
        }
        for (name, texts) in &file.facts {
            let Some(fact) = Fact::parse(name) else {
                let span = texts.first().map_or(0..0, toml::Spanned::span);
                errors.push(source.error(
                    span,
                    format!("unknown fact `{name}`"),
                    "See docs/rules.md for the facts.",
                ));
                continue;
            };
            for number in words.add_all(source, texts, &mut quoted, errors) {
                if number == words.facts.len() {
                    words.facts.push(fact);
                }
            }
        }
        words.lab = Lab {
            talk: words.set(source, &file.lab.talk, errors),
            greeting: words.set(source, &file.lab.greeting, errors),
            sign_off: words.set(source, &file.lab.sign_off, errors),
        };
        for set in [&mut patterns, &mut quoted] {
            set.prepare(|_| true);
        }
        (words.patterns, words.quoted) = (patterns, quoted);
        words
    }

    fn set(
        &self,
        source: Source<'_>,
        texts: &[toml::Spanned<String>],
        errors: &mut Vec<RuleError>,
    ) -> PatternSet {
        let mut set = PatternSet::default();
        self.add_all(source, texts, &mut set, errors);
        set.prepare(|_| true);
        set
    }

    /// Adds patterns to a set and gives their numbers; tells of each that does not work.
    fn add_all(
        &self,
        source: Source<'_>,
        texts: &[toml::Spanned<String>],
        set: &mut PatternSet,
        errors: &mut Vec<RuleError>,
    ) -> Vec<usize> {
        let mut numbers = Vec::new();
        for text in texts {
            match self.add_to(set, text.get_ref()) {
                Ok(number) => numbers.push(number),
                Err(what) => {
                    errors.push(source.error(text.span(), what, "Mend the regular expression."));
                }
            }
        }
        numbers
    }

    /// How a text in normal form sounds like somebody who runs a robot.
    pub(super) fn lab(&self, opening: &str, words: &str, closing: &str) -> LabTalk {
        LabTalk {
            talk: self.lab.talk.search(words).all().count(),
            greets: self.lab.greeting.search(opening).all().next().is_some(),
            signs: self.lab.sign_off.search(closing).all().next().is_some(),
        }
    }

    /// Replaces every `{name}`, checks that the result is a regular expression, and adds it.
    pub(super) fn add_to(&self, set: &mut PatternSet, pattern: &str) -> Result<usize, String> {
        set.add(edges(&self.expand(pattern, 0)?), pattern)
    }

    fn expand(&self, pattern: &str, depth: usize) -> Result<String, String> {
        if depth > DEEPEST {
            return Err("words stand for each other in a circle".to_owned());
        }
        let mut out = String::with_capacity(pattern.len() * 4);
        let mut rest = pattern;
        while let Some(open) = rest.find('{') {
            out.push_str(&capitals(&rest[..open]));
            rest = &rest[open..];
            let close = rest.find('}').ok_or_else(|| "a `{` without its `}`".to_owned())?;
            let name = &rest[1..close];
            if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                let text =
                    self.names.get(name).ok_or_else(|| format!("no words are called `{name}`"))?;
                out.push_str("(?:");
                out.push_str(&self.expand(text, depth + 1)?);
                out.push(')');
            } else {
                // A count, as in `.{0,20}`.
                out.push_str(&rest[..=close]);
            }
            rest = &rest[close + 1..];
        }
        out.push_str(&capitals(rest));
        Ok(out)
    }

    /// The forms whose patterns a sentence in normal form meets.
    pub(super) fn forms_of(&self, plain: &str) -> Forms {
        self.patterns.search(plain).all().filter_map(|n| self.forms.get(n).copied()).collect()
    }

    /// The facts that quoted sentences in normal form make.
    pub(super) fn facts_of(&self, sentences: &[String]) -> Vec<Fact> {
        let mut found = Vec::new();
        for sentence in sentences {
            let matches = self.quoted.search(sentence);
            found.extend(matches.all().filter_map(|n| self.facts.get(n).copied()));
        }
        found
    }
}
