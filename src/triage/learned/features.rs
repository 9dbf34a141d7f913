//! A mail as a bag of features: its words, pairs of words, and facts.

use super::super::engine::Reader;
use super::super::facts::Fact;
use super::super::form::Form;

/// Facts that say something whatever the words are.
const FACTS: [Fact; 12] = [
    Fact::Patch,
    Fact::Attachment,
    Fact::Posting,
    Fact::AnswersPatch,
    Fact::NamesCommit,
    Fact::NamesUrl,
    Fact::NamesReport,
    Fact::QuotesPatch,
    Fact::QuotesRequest,
    Fact::FiguresAgree,
    Fact::FiguresDiffer,
    Fact::Table,
];

/// The features of each sentence, then those of the mail as a whole.
pub(in super::super) fn of(reader: &Reader<'_>) -> Vec<Vec<String>> {
    let mut all = Vec::new();
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
        all.push(found);
    }
    let facts = FACTS.iter().filter(|f| reader.facts.has(**f));
    all.push(facts.map(|f| format!("fact:{}", f.name())).collect());
    all
}

/// Words and pairs of words; scripts without blanks give their characters and pairs of them.
fn words(text: &str, prefix: &str, found: &mut Vec<String>) {
    let mut before = "^".to_owned();
    for word in split(text) {
        found.push(format!("{prefix}{word}"));
        found.push(format!("{prefix}{before} {word}"));
        before = word;
    }
    found.push(format!("{prefix}{before} $"));
}

fn split(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        let wide = ('\u{2e80}'..='\u{9fff}').contains(&c) || ('\u{ac00}'..='\u{d7af}').contains(&c);
        if !wide && (c.is_alphanumeric() || matches!(c, '\'' | '<' | '>' | '_')) {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if wide || matches!(c, '?' | '!') {
            words.push(c.to_string());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}
