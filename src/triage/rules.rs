//! Compiled rules.

use super::Label;
use super::facts::Fact;
use super::form::{Form, Forms};
use super::pattern::PatternSet;
use super::source::RuleError;
use super::words::{LabTalk, Words};
use crate::mail::Origin;
use crate::regression::{Role, State};

/// All rules, compiled once: four sets of patterns, whatever the number of rules.
#[derive(Debug)]
pub struct Rules {
    pub(super) rules: Vec<Rule>,
    pub(super) words: Words,
    /// Over the claim of a sentence (what it really says).
    pub(super) text: PatternSet,
    /// Over the quoted words that a sentence answers.
    pub(super) answers: PatternSet,
    /// Over all of the author's words.
    pub(super) mail: PatternSet,
    /// Over the subject.
    pub(super) subject: PatternSet,
    /// For each pattern over claims the rules that look for it.
    pub(super) of_texts: Vec<Vec<usize>>,
    /// Rules about the mail as a whole.
    pub(super) of_mails: Vec<usize>,
    /// The verdicts of all rules.
    pub(super) verdicts: Vec<Verdict>,
    /// Mails that must get a verdict, whichever rule finds it: verdict, file, mail.
    pub(super) examples: Vec<(Label, String, Example)>,
}

/// What all rules of one verdict come to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Verdict {
    pub label: Label,
    /// What it moves when it stands alone.
    pub effect: Option<(Option<State>, State)>,
    /// Whether a robot, or those who run it, may say so.
    pub robot: bool,
}

impl Verdict {
    /// The verdicts of these rules, in the order of their first ones.
    pub(super) fn all(rules: &[Rule]) -> Vec<Verdict> {
        let mut all: Vec<Verdict> = Vec::new();
        for rule in rules {
            match all.iter_mut().find(|verdict| verdict.label == rule.label) {
                Some(verdict) => {
                    verdict.effect = verdict.effect.or(rule.effect);
                    verdict.robot |= rule.robot;
                }
                None => {
                    let Rule { label, effect, robot, .. } = *rule;
                    all.push(Verdict { label, effect, robot });
                }
            }
        }
        all
    }
}

/// One rule. Pattern numbers point into the sets of [`Rules`].
#[derive(Debug, Clone)]
pub struct Rule {
    /// Unique, kebab-case: stands in `explain`, in logs and in the audit trail.
    pub id: String,
    /// The verdict.
    pub label: Label,
    /// Why the rule exists.
    pub why: String,
    /// Version that brought it.
    pub since: String,
    /// 0 to 1.
    pub weight: f32,
    /// Which verdict comes first when several are found.
    pub rank: i32,
    /// Whether a robot, or those who run it, may say so.
    pub robot: bool,
    /// What the verdict moves.
    pub effect: Option<(Option<State>, State)>,
    /// File and line.
    pub place: (String, usize),
    pub(super) text: Vec<usize>,
    pub(super) and: Vec<usize>,
    pub(super) not: Vec<usize>,
    pub(super) answers: Vec<usize>,
    pub(super) not_answers: Vec<usize>,
    pub(super) mail: Vec<usize>,
    pub(super) not_mail: Vec<usize>,
    pub(super) subject: Vec<usize>,
    pub(super) forms: Forms,
    pub(super) only: Forms,
    pub(super) roles: Vec<Role>,
    pub(super) not_roles: Vec<Role>,
    pub(super) origins: Vec<Origin>,
    pub(super) has: Vec<Fact>,
    pub(super) has_any: Vec<Fact>,
    pub(super) lacks: Vec<Fact>,
    pub(super) opens: Option<bool>,
    pub(super) matches: Vec<Example>,
    pub(super) misses: Vec<Example>,
}

impl Rule {
    /// Whether a sentence of these forms at this place is one that the rule looks at.
    pub(super) fn fits(&self, forms: Forms, opens: bool) -> bool {
        forms.beyond(self.forms).is_none_or(|form| form == Form::Turn)
            && (self.only.is_empty() || forms.meets(self.only))
            && self.opens.is_none_or(|wanted| wanted == opens)
    }
}

/// An example mail of a rule.
#[derive(Debug, Clone, Default)]
pub(super) struct Example {
    pub text: String,
    pub answers: String,
    pub subject: String,
    pub role: Option<Role>,
    pub has: Vec<Fact>,
    pub line: usize,
    pub column: usize,
}

impl Rules {
    /// The rules that travel with the program.
    ///
    /// # Errors
    ///
    /// Never in a released program: a test compiles them.
    pub fn embedded() -> Result<Rules, Vec<RuleError>> {
        Rules::with_overrides(&[])
    }

    /// The rules that travel with the program, some files replaced and others added: (file name, text).
    ///
    /// # Errors
    ///
    /// Everything that is wrong with any file, each with its place and a cure.
    pub fn with_overrides(overrides: &[(String, String)]) -> Result<Rules, Vec<RuleError>> {
        let own = crate::embedded::RULES
            .iter()
            .filter(|(name, _)| !overrides.iter().any(|(n, _)| n == name));
        let own = own.map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        let mut files: Vec<(String, String)> = own.chain(overrides.iter().cloned()).collect();
        files.sort();
        Rules::compile(&files)
    }

    /// How much somebody sounds like the people who run a robot: the first line as written, all words, and what stands
    /// below them (`words.toml`, `[lab]`).
    pub fn lab(&self, opening: &str, words: &str, closing: &str) -> LabTalk {
        let plain = |text: &str| super::plain(text).text;
        self.words.lab(opening, &plain(words), &plain(closing))
    }

    /// The rules that look for this pattern in a claim.
    pub(super) fn of_text(&self, pattern: usize) -> &[usize] {
        self.of_texts.get(pattern).map_or(&[], Vec::as_slice)
    }

    /// What a verdict moves when it stands alone, as its rules say.
    pub fn effect_of(&self, label: Label) -> Option<(Option<State>, State)> {
        self.verdict(label)?.effect
    }

    pub(super) fn verdict(&self, label: Label) -> Option<&Verdict> {
        self.verdicts.iter().find(|verdict| verdict.label == label)
    }

    /// Every rule, in the order of files and lines.
    pub fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}
