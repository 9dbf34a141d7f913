//! Rules against a mail.

use std::cell::OnceCell;
use std::sync::Arc;

use super::facts::{Context, Fact, Facts, facts};
use super::form::{Form, Shape, shape};
use super::pattern::{Matches, PatternSet};
use super::rules::{Rule, Rules};
use super::sentence::{Quoted, Sentence, sentences_beside};
use crate::regression::Role;

/// A mail made ready for rules.
pub(super) struct Reader<'a> {
    pub rules: &'a Rules,
    pub context: &'a Context<'a>,
    pub facts: Facts,
    pub sentences: Vec<Sentence>,
    pub shapes: Vec<Shape>,
    /// All of the author's words, in normal form.
    all: String,
    /// The subject in normal form, once a rule asks for it.
    subject: OnceCell<String>,
}

/// A rule that fired. In the order of rules, then of sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
        Self { rules, context, facts, sentences, shapes, all, subject: OnceCell::new() }
    }

    fn subject(&self) -> &str {
        self.subject.get_or_init(|| super::plain(&self.context.message.subject).text)
    }

    /// Looks at every claim once, and at other texts when they are asked for.
    fn look(&self) -> Look<'_> {
        let mut quotes: Vec<Text<'_>> = Vec::new();
        let mut answered = Vec::with_capacity(self.sentences.len());
        let mut last: Option<&Arc<Quoted>> = None;
        for sentence in &self.sentences {
            let quote = sentence.answers.as_ref().map(|quoted| {
                if !last.is_some_and(|last| Arc::ptr_eq(last, quoted)) {
                    quotes.push(Text { source: Source::Quote(quoted), matches: OnceCell::new() });
                    last = Some(quoted);
                }
                quotes.len() - 1
            });
            answered.push(quote);
        }
        let text = |source| Text { source, matches: OnceCell::new() };
        Look {
            rules: self.rules,
            claims: self.shapes.iter().map(|s| self.rules.text.search(&s.claim)).collect(),
            answered,
            quotes,
            mail: text(Source::Words(&self.all)),
            subject: text(Source::Subject(self)),
        }
    }

    /// Every rule that fires, with its sentence.
    pub(super) fn hits(&self) -> Vec<Hit> {
        let look = self.look();
        let rules = self.rules;
        // Most rules are never asked. The cheapest question comes first, and one about the mail is asked once.
        let mut addressed: Vec<Option<bool>> = vec![None; rules.len()];
        let mut whole: Vec<Option<bool>> = vec![None; rules.len()];
        let mut is_whole = |rule: usize| {
            let ask = || self.whole(&look, &rules.rules[rule]).is_ok();
            *whole[rule].get_or_insert_with(ask)
        };
        let mut settled: Vec<Option<usize>> = vec![None; rules.len()];
        let mut hits: Vec<Hit> = Vec::new();
        for (number, (claim, shape)) in look.claims.iter().zip(&self.shapes).enumerate() {
            let opens = self.sentences[number].opens;
            for pattern in claim.open() {
                for &at in rules.of_text(pattern) {
                    let rule = &rules.rules[at];
                    let is_addressed = || self.addressed(rule).is_ok();
                    let wanted = settled[at] != Some(number)
                        && rule.fits(shape.forms, opens)
                        && *addressed[at].get_or_insert_with(is_addressed)
                        && claim.matched(pattern);
                    if !wanted {
                        continue;
                    }
                    settled[at] = Some(number);
                    if is_whole(at) && self.beside(&look, rule, number).is_ok() {
                        hits.push(Hit { rule: at, sentence: Some(number) });
                    }
                }
            }
        }
        let mails = rules.of_mails.iter().filter(|&&rule| is_whole(rule));
        hits.extend(mails.map(|&rule| Hit { rule, sentence: None }));
        hits.sort_unstable();
        hits
    }

    /// What a rule asks of the mail as a whole, its words aside.
    fn addressed(&self, rule: &Rule) -> Result<(), Miss> {
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
        Ok(())
    }

    /// The same with what takes longer to look at.
    fn whole(&self, look: &Look<'_>, rule: &Rule) -> Result<(), Miss> {
        self.addressed(rule)?;
        if !rule.subject.is_empty() && !look.subject().any(&rule.subject) {
            return Err(Miss::Subject);
        }
        if !rule.mail.is_empty() && !look.mail().any(&rule.mail) {
            return Err(Miss::Mail);
        }
        if !rule.not_mail.is_empty() && look.mail().any(&rule.not_mail) {
            return Err(Miss::ForbiddenInMail);
        }
        Ok(())
    }

    /// What a rule asks of one sentence.
    fn sentence(&self, look: &Look<'_>, rule: &Rule, number: usize) -> Result<(), Miss> {
        if !look.claims[number].any(&rule.text) {
            return Err(Miss::Text);
        }
        self.beside(look, rule, number)
    }

    /// The same but for the words that it looks for.
    fn beside(&self, look: &Look<'_>, rule: &Rule, number: usize) -> Result<(), Miss> {
        let claim = &look.claims[number];
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
        if !rule.answers.is_empty() && !look.answers(number, &rule.answers) {
            return Err(Miss::Answers);
        }
        if !rule.not_answers.is_empty() && look.answers(number, &rule.not_answers) {
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
    rules: &'a Rules,
    claims: Vec<Matches<'a>>,
    /// For each sentence the number of the quote that it answers.
    answered: Vec<Option<usize>>,
    quotes: Vec<Text<'a>>,
    mail: Text<'a>,
    subject: Text<'a>,
}

/// A text that few rules ask for.
struct Text<'a> {
    source: Source<'a>,
    matches: OnceCell<Matches<'a>>,
}

enum Source<'a> {
    Words(&'a str),
    Quote(&'a Quoted),
    Subject(&'a Reader<'a>),
}

impl<'a> Look<'a> {
    fn mail(&self) -> &Matches<'a> {
        self.mail.matches(&self.rules.mail)
    }

    fn subject(&self) -> &Matches<'a> {
        self.subject.matches(&self.rules.subject)
    }

    /// Whether the sentence answers words that one of these patterns finds.
    fn answers(&self, sentence: usize, patterns: &[usize]) -> bool {
        self.answered[sentence]
            .is_some_and(|n| self.quotes[n].matches(&self.rules.answers).any(patterns))
    }
}

impl<'a> Text<'a> {
    fn matches(&self, set: &'a PatternSet) -> &Matches<'a> {
        self.matches.get_or_init(|| {
            set.search(match self.source {
                Source::Words(words) => words,
                Source::Quote(quoted) => quoted.plain(),
                Source::Subject(reader) => reader.subject(),
            })
        })
    }
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
