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
const VOICE: f32 = 0.7;

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
}

/// The features of a mail of which the rules made this reading.
pub(super) fn of(reader: &Reader<'_>, hits: &[Hit], reading: &Reading) -> Bag {
    let mut sentences = Vec::with_capacity(reader.sentences.len());
    for (sentence, shape) in reader.sentences.iter().zip(&reader.shapes) {
        let mut found = Vec::new();
        words(&sentence.plain.text, "", &mut found);
        for form in [Form::Question, Form::Condition] {
            if shape.forms.has(form) {
                found.push(format!("form:{form:?}"));
            }
        }
        // What a short answer means hangs on what it answers.
        if let Some(quoted) = &sentence.answers
            && sentence.opens
            && sentence.plain.text.split_whitespace().count() <= 5
        {
            words(&quoted.plain, "q:", &mut found);
        }
        sentences.push(found);
    }
    let facts = Fact::ALL.iter().filter(|(fact, ..)| reader.facts.has(*fact));
    let whole = facts.map(|(_, name, _)| format!("fact:{name}")).collect();
    let mut voices: Vec<String> =
        hits.iter().map(|hit| format!("rule:{}", reader.rules.rules[hit.rule].id)).collect();
    voices.extend(reading.findings.iter().map(|f| format!("find:{}", f.label)));
    voices.extend(reading.hints.iter().map(|f| format!("hint:{}", f.label)));
    voices.extend(reading.primary().map(|f| format!("top:{}", f.label)));
    Bag { sentences, whole, voices }
}

/// Words and pairs of words; scripts without blanks give their characters and pairs of them.
fn words(text: &str, prefix: &str, found: &mut Vec<String>) {
    let mut before = "^";
    let words = split(text);
    for word in &words {
        found.push(format!("{prefix}{word}"));
        found.push(format!("{prefix}{before} {word}"));
        before = word;
    }
    found.push(format!("{prefix}{before} $"));
}

fn split(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        let wide = ('\u{2e80}'..='\u{9fff}').contains(&c) || ('\u{ac00}'..='\u{d7af}').contains(&c);
        if !wide && (c.is_alphanumeric() || matches!(c, '\'' | '<' | '>' | '_')) {
            start = start.or(Some(at));
            continue;
        }
        words.extend(start.take().map(|start| &text[start..at]));
        if wide || matches!(c, '?' | '!') {
            words.push(&text[at..at + c.len_utf8()]);
        }
    }
    words.extend(start.map(|start| &text[start..]));
    words
}
