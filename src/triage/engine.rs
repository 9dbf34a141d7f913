//! Rules against a mail.

use regex::SetMatches;

use super::facts::{Context, Fact, Facts, facts};
use super::form::{Form, Shape, shape};
use super::rules::{Rule, Rules};
use super::sentence::{Sentence, sentences};
use crate::regression::Role;

/// A mail made ready for rules.
pub(super) struct Reader<'a> {
    pub rules: &'a Rules,
    pub context: &'a Context<'a>,
    pub facts: Facts,
    pub sentences: Vec<Sentence>,
    pub shapes: Vec<Shape>,
    hits: Vec<SetMatches>,
    answered: Vec<Option<SetMatches>>,
    mail: SetMatches,
    subject: SetMatches,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
        let sentences = sentences(context.message);
        let facts = facts(context, &sentences);
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
        let hits = shapes.iter().map(|s| rules.text.matches(&s.claim)).collect();
        let mut answered: Vec<Option<SetMatches>> = Vec::with_capacity(sentences.len());
        for (n, sentence) in sentences.iter().enumerate() {
            let same = n > 0 && sentences[n - 1].answers == sentence.answers;
            let matches = match &sentence.answers {
                Some(_) if same => answered[n - 1].clone(),
                Some(quoted) => Some(rules.answers.matches(&quoted.plain)),
                None => None,
            };
            answered.push(matches);
        }
        let all: String =
            sentences.iter().map(|s| s.plain.text.as_str()).collect::<Vec<_>>().join("\n");
        let mail = rules.mail.matches(&all);
        let subject = rules.subject.matches(&super::plain(&context.message.subject).text);
        Self { rules, context, facts, sentences, shapes, hits, answered, mail, subject }
    }

    /// Every rule that fires, with its sentence.
    pub(super) fn hits(&self) -> Vec<Hit> {
        let mut found = Vec::new();
        for (number, rule) in self.rules.rules.iter().enumerate() {
            if self.whole(rule).is_err() {
                continue;
            }
            if rule.text.is_empty() {
                found.push(Hit { rule: number, sentence: None });
                continue;
            }
            for sentence in 0..self.sentences.len() {
                if self.sentence(rule, sentence).is_ok() {
                    found.push(Hit { rule: number, sentence: Some(sentence) });
                }
            }
        }
        found
    }

    /// What a rule asks of the mail as a whole.
    pub(super) fn whole(&self, rule: &Rule) -> Result<(), Miss> {
        let any = |set: &SetMatches, patterns: &[usize]| patterns.iter().any(|&p| set.matched(p));
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
        if !rule.subject.is_empty() && !any(&self.subject, &rule.subject) {
            return Err(Miss::Subject);
        }
        if !rule.mail.is_empty() && !any(&self.mail, &rule.mail) {
            return Err(Miss::Mail);
        }
        if any(&self.mail, &rule.not_mail) {
            return Err(Miss::ForbiddenInMail);
        }
        Ok(())
    }

    /// What a rule asks of one sentence.
    pub(super) fn sentence(&self, rule: &Rule, number: usize) -> Result<(), Miss> {
        let hits = &self.hits[number];
        if !rule.text.iter().any(|&p| hits.matched(p)) {
            return Err(Miss::Text);
        }
        if rule.and.iter().any(|&p| !hits.matched(p)) {
            return Err(Miss::And);
        }
        if rule.not.iter().any(|&p| hits.matched(p)) {
            return Err(Miss::ForbiddenText);
        }
        let forms = self.shapes[number].forms;
        if let Some(form) = forms.beyond(rule.forms).filter(|form| *form != Form::Turn) {
            return Err(Miss::Form(form));
        }
        if !rule.only.is_empty() && !forms.meets(rule.only) {
            return Err(Miss::OnlyForm);
        }
        let answered = self.answered[number].as_ref();
        if !rule.answers.is_empty()
            && !answered.is_some_and(|set| rule.answers.iter().any(|&p| set.matched(p)))
        {
            return Err(Miss::Answers);
        }
        if answered.is_some_and(|set| rule.not_answers.iter().any(|&p| set.matched(p))) {
            return Err(Miss::ForbiddenAnswer);
        }
        if rule.opens.is_some_and(|opens| opens != self.sentences[number].opens) {
            return Err(Miss::Place);
        }
        Ok(())
    }
}
