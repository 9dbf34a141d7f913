//! A mail as a bag of features: its words, pairs of words, facts, and what the rules said of it.

use std::collections::BTreeSet;

use super::super::engine::{Hit, Reader};
use super::super::facts::Fact;
use super::super::form::Form;
use super::super::reading::Reading;
use super::feature::{Feature, Token, tokens};

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

    /// Every feature.
    pub(super) fn each(&self, mut take: impl FnMut(Place, Feature<'_>)) {
        for (number, sentence) in self.sentences.iter().enumerate() {
            sentence.iter().for_each(|name| take(Place::Sentence(number), Feature::Name(name)));
        }
        self.whole.iter().for_each(|name| take(Place::Whole, Feature::Name(name)));
        self.voices.iter().for_each(|name| take(Place::Voice, Feature::Name(name)));
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
    each(reader, hits, reading, |place, feature| {
        let list = match place {
            Place::Sentence(number) => &mut bag.sentences[number],
            Place::Whole => &mut bag.whole,
            Place::Voice => &mut bag.voices,
        };
        list.push(feature.name());
    });
    bag
}

/// The same without writing any of them down.
pub(super) fn each(
    reader: &Reader<'_>,
    hits: &[Hit],
    reading: &Reading,
    mut take: impl FnMut(Place, Feature<'_>),
) {
    for (number, (sentence, shape)) in reader.sentences.iter().zip(&reader.shapes).enumerate() {
        let mut take = |feature: Feature<'_>| take(Place::Sentence(number), feature);
        words(&sentence.plain.text, &mut take, Feature::Word, Feature::Pair);
        for (form, name) in [(Form::Question, "Question"), (Form::Condition, "Condition")] {
            if shape.forms.has(form) {
                take(Feature::Of("form:", name));
            }
        }
        // What a short answer means hangs on what it answers.
        if let Some(quoted) = &sentence.answers
            && sentence.opens
            && sentence.plain.text.split_whitespace().count() <= 5
        {
            words(quoted.plain(), &mut take, Feature::QuotedWord, Feature::QuotedPair);
        }
    }
    for (_, name, _) in Fact::ALL.iter().filter(|(fact, ..)| reader.facts.has(*fact)) {
        take(Place::Whole, Feature::Of("fact:", name));
    }
    let mut voice = |kind, name: &str| take(Place::Voice, Feature::Of(kind, name));
    hits.iter().for_each(|hit| voice("rule:", &reader.rules.rules[hit.rule].id));
    reading.findings.iter().for_each(|f| voice("find:", f.label.name()));
    reading.hints.iter().for_each(|f| voice("hint:", f.label.name()));
    reading.primary().into_iter().for_each(|f| voice("top:", f.label.name()));
}

/// Words and pairs of words.
fn words<'a>(
    text: &'a str,
    take: &mut impl FnMut(Feature<'a>),
    word: fn(Token<'a>) -> Feature<'a>,
    pair: fn(Token<'a>, Token<'a>) -> Feature<'a>,
) {
    let mut before = Token::start();
    tokens(text, |token| {
        take(word(token));
        take(pair(before, token));
        before = token;
    });
    take(pair(before, Token::end()));
}
