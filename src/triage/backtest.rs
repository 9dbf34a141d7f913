//! What a change of rules changes: the verdicts that two sets of rules give one mail, side by side.

use serde::Serialize;

use super::Label;
use super::reading::Reading;
use super::rules::Rule;
use crate::regression::State;

/// The verdict that decides a mail, with its words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// What the mail means.
    pub label: Label,
    /// What it moves, all else being equal; `from` of `None` means "whatever".
    pub effect: Option<(Option<State>, State)>,
    /// The rule that decided.
    pub rule: String,
    /// 0 to 1.
    pub weight: f32,
    /// The sentence that decided, as written.
    pub sentence: String,
    /// The quoted line that it answers, when its meaning hangs on it.
    pub answers: Option<String>,
}

/// What another set of rules makes of a mail.
#[derive(Debug, Clone, PartialEq)]
pub enum Shift {
    /// Nothing else.
    Same,
    /// The same verdict, by another rule.
    OtherRule,
    /// A verdict where there was none.
    Gained(Verdict),
    /// No verdict any more.
    Lost(Verdict),
    /// Another verdict, or another effect.
    Changed {
        /// Before.
        was: Verdict,
        /// After.
        now: Verdict,
    },
}

impl Verdict {
    /// The verdict that decides; `None` when the mail is undecided or says nothing. A command decides before any rule, so it
    /// is no verdict of the rules.
    pub fn of(reading: &Reading) -> Option<Self> {
        let primary = reading.findings.iter().find(|f| f.label != Label::Command)?;
        // What is left when no rule found anything.
        if matches!(primary.rule.as_str(), "no-verdict" | "no-words") {
            return None;
        }
        Some(Self {
            label: primary.label,
            effect: primary.effect,
            rule: primary.rule.clone(),
            weight: primary.weight,
            sentence: primary.evidence.text.clone(),
            answers: primary.evidence.answers.clone(),
        })
    }
}

/// Compares two readings of one mail.
pub fn shift(before: &Reading, after: &Reading) -> Shift {
    match (Verdict::of(before), Verdict::of(after)) {
        (None, None) => Shift::Same,
        (None, Some(now)) => Shift::Gained(now),
        (Some(was), None) => Shift::Lost(was),
        (Some(was), Some(now)) if (was.label, was.effect) != (now.label, now.effect) => {
            Shift::Changed { was, now }
        }
        (Some(was), Some(now)) if was.rule != now.rule => Shift::OtherRule,
        _ => Shift::Same,
    }
}

impl Rule {
    /// How many example mails it brings along: those that it must find, and near misses.
    pub fn examples(&self) -> (usize, usize) {
        (self.matches.len(), self.misses.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triage::{Evidence, Finding, Rules};

    fn reading(labels: &[(Label, &str)]) -> Reading {
        let finding = |(label, rule): &(Label, &str)| Finding {
            label: *label,
            rule: (*rule).to_owned(),
            effect: None,
            weight: 0.9,
            evidence: Evidence { text: "Words.".to_owned(), ..Evidence::default() },
            points_at: None,
        };
        Reading { findings: labels.iter().map(finding).collect(), hints: Vec::new() }
    }

    #[test]
    fn only_what_decides_is_compared() {
        let expected = reading(&[(Label::Expected, "is-expected"), (Label::Ack, "thanks")]);
        let other = reading(&[(Label::Expected, "by-design")]);
        let disputed = reading(&[(Label::Disputed, "no-way")]);
        let nothing = reading(&[(Label::NoAction, "no-verdict")]);
        let undecided = reading(&[]);
        assert_eq!(shift(&expected, &expected), Shift::Same);
        assert_eq!(shift(&expected, &other), Shift::OtherRule);
        assert_eq!(shift(&nothing, &undecided), Shift::Same);
        assert!(matches!(shift(&nothing, &other), Shift::Gained(v) if v.rule == "by-design"));
        assert!(matches!(shift(&other, &undecided), Shift::Lost(v) if v.sentence == "Words."));
        assert!(
            matches!(shift(&other, &disputed), Shift::Changed { was, now } if was.label == Label::Expected && now.label == Label::Disputed)
        );
    }

    #[test]
    fn a_command_is_no_verdict_of_the_rules() {
        let with = reading(&[(Label::Command, "command"), (Label::Expected, "is-expected")]);
        assert_eq!(Verdict::of(&with).map(|v| v.label), Some(Label::Expected));
    }

    #[test]
    fn effects_come_from_the_files() {
        let rules = Rules::embedded().unwrap();
        assert_eq!(rules.effect_of(Label::Expected), Some((Some(State::Open), State::Expected)));
        assert_eq!(rules.effect_of(Label::Objection), Some((None, State::Open)));
        assert_eq!(rules.effect_of(Label::Ping), None);
    }
}
