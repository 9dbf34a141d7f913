//! Why a mail was read as it was: every sentence, every rule.

use serde::Serialize;

use super::engine::{Miss, Reader};
use super::form::Form;
use super::{Label, Opinion};

/// The whole trace of one reading.
#[derive(Debug, Clone, Serialize)]
pub struct Explanation {
    /// What is known of the mail besides its words.
    pub facts: Vec<&'static str>,
    /// The author's words.
    pub sentences: Vec<Told>,
    /// Every rule, in the order of files.
    pub rules: Vec<Tried>,
    /// The verdicts that sayings and rules together believe in most, with their shares of the belief. Empty where they have
    /// no say.
    pub belief: Vec<(Label, f32)>,
}

/// Verdicts of the belief that are shown.
const SHOWN: usize = 4;
/// Share that is worth showing.
const LEAST: f32 = 0.03;

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
    /// The pattern that the sentence meets, as written in the rule.
    pub pattern: Option<String>,
    /// Why it did not fire; empty when it did.
    pub why_not: String,
}

impl Explanation {
    pub(super) fn new(reader: &Reader<'_>, opinion: Option<&Opinion>) -> Self {
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
        let tried = reader.rules.rules.iter().zip(reader.tried());
        let rules = tried
            .map(|(rule, trial)| Tried {
                rule: rule.id.clone(),
                fired: trial.miss.is_none(),
                sentence: trial.sentence,
                pattern: trial.pattern,
                why_not: trial.miss.map(told).unwrap_or_default(),
            })
            .collect();
        let shares = opinion.into_iter().flat_map(|o| &o.shares).copied();
        let belief = shares.filter(|(_, share)| *share >= LEAST).take(SHOWN).collect();
        Self { facts, sentences, rules, belief }
    }
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
