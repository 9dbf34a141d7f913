//! Rules against a mail.

use super::facts::{Context, Fact, Facts, facts};
use super::form::{Form, Shape, shape};
use super::pattern::Matches;
use super::rules::{Rule, Rules};
use super::sentence::{Sentence, sentences_beside};
use crate::regression::Role;

/// A mail made ready for rules.
pub(super) struct Reader<'a> {
    pub rules: &'a Rules,
    pub context: &'a Context<'a>,
    pub facts: Facts,
    pub sentences: Vec<Sentence>,
    pub shapes: Vec<Shape>,
    /// All of the author's words, and the subject, in normal form.
    all: String,
    subject: String,
}

/// A rule that fired.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    /// Number of the rule.
    pub rule: usize,
    /// Number of the sentence; `None` for a rule about the mail as a whole.
    pub sentence: Option<usize>,
}

/// Why a rule did not fire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Miss {
    Origin,
    Role,
    Fact(Fact),
    NoneOf,
    Forbidden(Fact),
    Subject,
    Mail,
    ForbiddenInMail,
    Text,
    And,
    ForbiddenText,
    Form(Form),
    OnlyForm,
    Answers,
    ForbiddenAnswer,
    Place,
}

impl<'a> Reader<'a> {
    pub(super) fn new(rules: &'a Rules, context: &'a Context<'a>) -> Self {
        let sentences = sentences_beside(context.message, &context.taken);
        let facts = facts(context, &sentences, &rules.words);
        Self::with(rules, context, sentences, facts)
    }

    pub(super) fn with(
        rules: &'a Rules,
        context: &'a Context<'a>,
        sentences: Vec<Sentence>,
        facts: Facts,
    ) -> Self {
        let shapes: Vec<Shape> =
            sentences.iter().map(|s| shape(&s.plain.text, &rules.words)).collect();
        let all = sentences.iter().map(|s| s.plain.text.as_str()).collect::<Vec<_>>().join("\n");
        let subject = super::plain(&context.message.subject).text;
        Self { rules, context, facts, sentences, shapes, all, subject }
    }

    /// Looks at every text once.
    fn look(&self) -> Look<'_> {
        let mut answered: Vec<Option<Matches<'_>>> = Vec::with_capacity(self.sentences.len());
        for (n, sentence) in self.sentences.iter().enumerate() {
            let same = n > 0 && self.sentences[n - 1].answers == sentence.answers;
            let matches = match &sentence.answers {
                Some(_) if same => answered[n - 1].clone(),
                Some(quoted) => Some(self.rules.answers.search(&quoted.plain)),
                None => None,
            };
            answered.push(matches);
        }
        Look {
            claims: self.shapes.iter().map(|s| self.rules.text.search(&s.claim)).collect(),
            answered,
            mail: self.rules.mail.search(&self.all),
            subject: self.rules.subject.search(&self.subject),
        }
    }

    /// Every rule that fires, with its sentence.
    pub(super) fn hits(&self) -> Vec<Hit> {
        let look = self.look();
        let mut found = Vec::new();
        for (number, rule) in self.rules.rules.iter().enumerate() {
            if self.whole(&look, rule).is_err() {
                continue;
            }
            if rule.text.is_empty() {
                found.push(Hit { rule: number, sentence: None });
                continue;
            }
            for sentence in 0..self.sentences.len() {
                if self.sentence(&look, rule, sentence).is_ok() {
                    found.push(Hit { rule: number, sentence: Some(sentence) });
                }
            }
        }
        found
    }

    /// What a rule asks of the mail as a whole.
    fn whole(&self, look: &Look<'_>, rule: &Rule) -> Result<(), Miss> {
        if !rule.origins.is_empty() && !rule.origins.contains(&self.context.origin) {
            return Err(Miss::Origin);
        }
        if self.context.role == Role::Robot && !rule.robot {
            return Err(Miss::Role);
        }
        if !rule.roles.is_empty() && !rule.roles.contains(&self.context.role)
            || rule.not_roles.contains(&self.context.role)
        {
            return Err(Miss::Role);
        }
        if let Some(fact) = rule.has.iter().find(|f| !self.facts.has(**f)) {
            return Err(Miss::Fact(*fact));
        }
        if !rule.has_any.is_empty() && !rule.has_any.iter().any(|f| self.facts.has(*f)) {
            return Err(Miss::NoneOf);
        }
        if let Some(fact) = rule.lacks.iter().find(|f| self.facts.has(**f)) {
            return Err(Miss::Forbidden(*fact));
        }
        if !rule.subject.is_empty() && !look.subject.any(&rule.subject) {
            return Err(Miss::Subject);
        }
        if !rule.mail.is_empty() && !look.mail.any(&rule.mail) {
            return Err(Miss::Mail);
        }
        if look.mail.any(&rule.not_mail) {
            return Err(Miss::ForbiddenInMail);
        }
        Ok(())
    }

    /// What a rule asks of one sentence.
    fn sentence(&self, look: &Look<'_>, rule: &Rule, number: usize) -> Result<(), Miss> {
        let claim = &look.claims[number];
        if !claim.any(&rule.text) {
            return Err(Miss::Text);
        }
        if rule.and.iter().any(|&p| !claim.matched(p)) {
            return Err(Miss::And);
        }
        if claim.any(&rule.not) {
            return Err(Miss::ForbiddenText);
        }
        let forms = self.shapes[number].forms;
        if let Some(form) = forms.beyond(rule.forms).filter(|form| *form != Form::Turn) {
            return Err(Miss::Form(form));
        }
        if !rule.only.is_empty() && !forms.meets(rule.only) {
            return Err(Miss::OnlyForm);
        }
        let answered = look.answered[number].as_ref();
        if !rule.answers.is_empty() && !answered.is_some_and(|set| set.any(&rule.answers)) {
            return Err(Miss::Answers);
        }
        if answered.is_some_and(|set| set.any(&rule.not_answers)) {
            return Err(Miss::ForbiddenAnswer);
        }
        if rule.opens.is_some_and(|opens| opens != self.sentences[number].opens) {
            return Err(Miss::Place);
        }
        Ok(())
    }

    /// Why each rule fired or did not: the nearest sentence, the pattern that it meets, and what was missing.
    pub(super) fn tried(&self) -> Vec<Trial> {
        let look = self.look();
        let pattern = |rule: &Rule, number: usize| {
            let met = rule.text.iter().find(|&&p| look.claims[number].matched(p))?;
            Some(self.rules.text.written(*met).to_owned())
        };
        let trial = |rule: &Rule| {
            if let Err(miss) = self.whole(&look, rule) {
                return Trial { sentence: None, pattern: None, miss: Some(miss) };
            }
            if rule.text.is_empty() {
                return Trial { sentence: None, pattern: None, miss: None };
            }
            // The sentence that got furthest tells most; one that fired furthest of all.
            let all = (0..self.sentences.len()).map(|n| (self.sentence(&look, rule, n).err(), n));
            let best = all.max_by_key(|(miss, n)| {
                (miss.map_or(u8::MAX, Miss::distance), std::cmp::Reverse(*n))
            });
            match best {
                Some((Some(Miss::Text), _)) | None => {
                    Trial { sentence: None, pattern: None, miss: Some(Miss::Text) }
                }
                Some((miss, n)) => Trial { sentence: Some(n), pattern: pattern(rule, n), miss },
            }
        };
        self.rules.rules.iter().map(trial).collect()
    }
}

/// One look at all texts of a mail.
struct Look<'a> {
    claims: Vec<Matches<'a>>,
    answered: Vec<Option<Matches<'a>>>,
    mail: Matches<'a>,
    subject: Matches<'a>,
}

/// What became of one rule.
pub(super) struct Trial {
    pub sentence: Option<usize>,
    pub pattern: Option<String>,
    pub miss: Option<Miss>,
}

impl Miss {
    /// How far a rule got.
    fn distance(self) -> u8 {
        match self {
            Miss::Text => 0,
            Miss::And => 1,
            Miss::ForbiddenText => 2,
            Miss::Form(_) | Miss::OnlyForm => 3,
            _ => 4,
        }
    }
}
