//! Why a mail was read as it was: every sentence, every rule.

use serde::Serialize;

use super::engine::{Hit, Miss, Reader};
use super::form::Form;

/// The whole trace of one reading.
#[derive(Debug, Clone, Serialize)]
pub struct Explanation {
    /// What is known of the mail besides its words.
    pub facts: Vec<&'static str>,
    /// The author's words.
    pub sentences: Vec<Told>,
    /// Every rule, in the order of files.
    pub rules: Vec<Tried>,
}

/// One sentence.
#[derive(Debug, Clone, Serialize)]
pub struct Told {
    /// As written.
    pub text: String,
    /// As the rules see it: what is really claimed.
    pub plain: String,
    /// Line of the body, 0-based.
    pub line: usize,
    /// What keeps it from being a plain statement.
    pub forms: Vec<Form>,
    /// The quoted words that it answers.
    pub answers: Option<String>,
}

/// One rule.
#[derive(Debug, Clone, Serialize)]
pub struct Tried {
    /// Its id.
    pub rule: String,
    /// Whether it fired.
    pub fired: bool,
    /// The sentence that came nearest (or made it fire), by number.
    pub sentence: Option<usize>,
    /// Why it did not fire; empty when it did.
    pub why_not: String,
}

impl Explanation {
    pub(super) fn new(reader: &Reader<'_>, hits: &[Hit]) -> Self {
        let facts = super::Fact::ALL
            .iter()
            .filter(|(fact, ..)| reader.facts.has(*fact))
            .map(|(_, name, _)| *name)
            .collect();
        let sentences = reader
            .sentences
            .iter()
            .zip(&reader.shapes)
            .map(|(s, shape)| Told {
                text: s.text.clone(),
                plain: shape.claim.clone(),
                line: s.line,
                forms: shape.forms.list(),
                answers: s.answers.as_ref().map(|q| q.text.clone()),
            })
            .collect();
        let rules =
            (0..reader.rules.rules.len()).map(|number| tried(reader, hits, number)).collect();
        Self { facts, sentences, rules }
    }
}

fn tried(reader: &Reader<'_>, hits: &[Hit], number: usize) -> Tried {
    let rule = &reader.rules.rules[number];
    if let Some(hit) = hits.iter().find(|h| h.rule == number) {
        return Tried {
            rule: rule.id.clone(),
            fired: true,
            sentence: hit.sentence,
            why_not: String::new(),
        };
    }
    let (sentence, miss) = match reader.whole(rule) {
        Err(miss) => (None, miss),
        Ok(()) => {
            // The sentence that got furthest tells most.
            let misses = (0..reader.sentences.len())
                .filter_map(|n| reader.sentence(rule, n).err().map(|m| (m, n)));
            misses
                .max_by_key(|(miss, _)| *miss)
                .map_or((None, Miss::Text), |(miss, n)| (Some(n), miss))
        }
    };
    let sentence = sentence.filter(|_| miss != Miss::Text);
    Tried { rule: rule.id.clone(), fired: false, sentence, why_not: told(miss) }
}

fn told(miss: Miss) -> String {
    match miss {
        Miss::Origin => "not for mail of this origin".to_owned(),
        Miss::Role => "not for this speaker".to_owned(),
        Miss::Fact(fact) => format!("lacks {}", fact.name()),
        Miss::NoneOf => "lacks all that it asks for".to_owned(),
        Miss::Forbidden(fact) => format!("forbidden by {}", fact.name()),
        Miss::Subject => "another subject".to_owned(),
        Miss::Mail => "not said anywhere in the mail".to_owned(),
        Miss::ForbiddenInMail => "forbidden by words elsewhere in the mail".to_owned(),
        Miss::Text => "no such words".to_owned(),
        Miss::And => "only some of the words".to_owned(),
        Miss::ForbiddenText => "forbidden by words of the sentence".to_owned(),
        Miss::Form(form) => {
            let name = Form::ALL.iter().find(|(f, _)| *f == form).map_or("", |(_, n)| n);
            format!("the sentence is a {name}")
        }
        Miss::OnlyForm => "the sentence is of another form".to_owned(),
        Miss::Answers => "does not answer such words".to_owned(),
        Miss::ForbiddenAnswer => "answers forbidden words".to_owned(),
        Miss::Place => "stands elsewhere".to_owned(),
    }
}
