//! A mail as a bag of features: its words, pairs of words, facts, and what the rules said of it.

use std::collections::BTreeSet;

use super::super::engine::{Hit, Reader};
use super::super::facts::Fact;
use super::super::form::Form;
use super::super::reading::Reading;

/// The features of one mail.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bag {
    /// Words and pairs of words of each sentence.
    pub sentences: Vec<Vec<String>>,
    /// Facts of the mail as a whole.
    pub whole: Vec<String>,
    /// `rule:ID` of every rule that fired, `find:`, `hint:` and `top:` with the verdicts that came of it.
    pub voices: Vec<String>,
}

/// What a voice counts beside the words, which count `1/sqrt(n)` each.
pub(super) const VOICE: f32 = 0.7;

impl Bag {
    /// Every feature once, with its value.
    pub(super) fn values(&self) -> impl Iterator<Item = (&str, f32)> {
        let words: BTreeSet<&str> =
            self.sentences.iter().flatten().chain(&self.whole).map(String::as_str).collect();
        let x = 1.0 / (words.len().max(1) as f32).sqrt();
        let voices: BTreeSet<&str> = self.voices.iter().map(String::as_str).collect();
        let voices = voices.into_iter().map(|voice| (voice, VOICE));
        words.into_iter().map(move |word| (word, x)).chain(voices)
    }

    /// Every feature, in parts that are written one behind the other.
    pub(super) fn each<'a>(&'a self, mut take: impl FnMut(Place, &[&'a str])) {
        for (number, sentence) in self.sentences.iter().enumerate() {
            sentence.iter().for_each(|feature| take(Place::Sentence(number), &[feature]));
        }
        self.whole.iter().for_each(|feature| take(Place::Whole, &[feature]));
        self.voices.iter().for_each(|feature| take(Place::Voice, &[feature]));
    }
}

/// Where a feature was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the sentence of that number.
    Sentence(usize),
    /// In the mail as a whole.
    Whole,
    /// In what the rules say.
    Voice,
}

/// The features of a mail of which the rules made this reading.
pub(super) fn of(reader: &Reader<'_>, hits: &[Hit], reading: &Reading) -> Bag {
    let mut bag = Bag { sentences: vec![Vec::new(); reader.sentences.len()], ..Bag::default() };
    each(reader, hits, reading, |place, parts| {
        let list = match place {
            Place::Sentence(number) => &mut bag.sentences[number],
            Place::Whole => &mut bag.whole,
            Place::Voice => &mut bag.voices,
        };
        list.push(parts.concat());
    });
    bag
}

/// The same without writing any of them down: each in parts that stand one behind the other.
pub(super) fn each(
    reader: &Reader<'_>,
    hits: &[Hit],
    reading: &Reading,
    mut take: impl FnMut(Place, &[&str]),
) {
    for (number, (sentence, shape)) in reader.sentences.iter().zip(&reader.shapes).enumerate() {
        let place = Place::Sentence(number);
        words(&sentence.plain.text, "", |parts| take(place, parts));
        for (form, name) in [(Form::Question, "Question"), (Form::Condition, "Condition")] {
            if shape.forms.has(form) {
                take(place, &["form:", name]);
            }
        }
        // What a short answer means hangs on what it answers.
        if let Some(quoted) = &sentence.answers
            && sentence.opens
            && sentence.plain.text.split_whitespace().count() <= 5
        {
            words(quoted.plain(), "q:", |parts| take(place, parts));
        }
    }
    for (_, name, _) in Fact::ALL.iter().filter(|(fact, ..)| reader.facts.has(*fact)) {
        take(Place::Whole, &["fact:", name]);
    }
    let mut voice = |kind, name: &str| take(Place::Voice, &[kind, name]);
    hits.iter().for_each(|hit| voice("rule:", &reader.rules.rules[hit.rule].id));
    reading.findings.iter().for_each(|f| voice("find:", f.label.name()));
    reading.hints.iter().for_each(|f| voice("hint:", f.label.name()));
    reading.primary().into_iter().for_each(|f| voice("top:", f.label.name()));
}

/// Words and pairs of words; scripts without blanks give their characters and pairs of them.
fn words(text: &str, prefix: &str, mut take: impl FnMut(&[&str])) {
    let mut before = "^";
    split(text, |word| {
        take(&[prefix, word]);
        take(&[prefix, before, " ", word]);
        before = word;
    });
    take(&[prefix, before, " $"]);
}

fn split<'a>(text: &'a str, mut take: impl FnMut(&'a str)) {
    let mut start = None;
    for (at, c) in text.char_indices() {
        let wide = ('\u{2e80}'..='\u{9fff}').contains(&c) || ('\u{ac00}'..='\u{d7af}').contains(&c);
        if !wide && (c.is_alphanumeric() || matches!(c, '\'' | '<' | '>' | '_')) {
            start = start.or(Some(at));
            continue;
        }
        if let Some(start) = start.take() {
            take(&text[start..at]);
        }
        if wide || matches!(c, '?' | '!') {
            take(&text[at..at + c.len_utf8()]);
        }
    }
    if let Some(start) = start {
        take(&text[start..]);
    }
}
