//! The learned opinion beside the rules.

use super::super::Label;
use super::super::engine::Reader;
use super::super::facts::Fact;
use super::super::points::points_at;
use super::super::reading::{Evidence, Finding, Reading};
use super::{Opinion, Weights, features};
use crate::mail::Origin;
use crate::regression::Role;

/// Share of the belief from which on the opinion decides where rules are silent, and overrules one that it gives less than
/// [`STRANGE`].
const SURE: f32 = 0.65;
/// Share from which on a mail without a verdict goes to the review list.
const LIKELY: f32 = 0.5;
/// Features that must be known before an opinion counts: two words are no sentence.
const HEARD: usize = 8;
/// Belief in "moves nothing" from which on a rule that has less than [`LONELY`] is taken for a chance match.
const CALM: f32 = 0.7;
const LONELY: f32 = 0.05;
const STRANGE: f32 = 0.03;
/// A rule of this weight knows what it says.
const FIRM: f32 = 0.8;

/// The rule's name in the audit trail.
const RULE: &str = "learned-from-sayings";

/// Adds what sayings teach where the rules found no verdict, and doubts a verdict that nothing speaks for.
pub(in super::super) fn advise(reader: &Reader<'_>, reading: &mut Reading) {
    let context = reader.context;
    let talk = matches!(context.origin, Origin::Reply | Origin::Other | Origin::Patch)
        && context.role != Role::Robot
        && !context.commands
        && !reader.sentences.is_empty()
        // Reviews speak of the patch, in the same words.
        && !reader.facts.has(Fact::AnswersPatch);
    if !talk {
        return;
    }
    let opinion = Weights::embedded().opinion(&features::of(reader));
    if opinion.known < HEARD {
        return;
    }
    match reading.findings.iter().find(|f| f.effect.is_some()) {
        Some(moving) if moving.weight < FIRM && is_of_words(reader, moving) => {
            doubt(reader, &opinion, reading)
        }
        Some(_) => {}
        None => fill(reader, &opinion, reading),
    }
}

/// Whether the verdict hangs on the words alone: what patches, trailers and quoted questions show, words cannot refute.
fn is_of_words(reader: &Reader<'_>, finding: &Finding) -> bool {
    let rule = reader.rules.iter().find(|rule| rule.id == finding.rule);
    rule.is_some_and(|rule| !rule.text.is_empty() && rule.answers.is_empty())
}

fn doubt(reader: &Reader<'_>, opinion: &Opinion, reading: &mut Reading) {
    let to = |label: Label| reader.rules.effect_of(label).map(|(_, to)| to);
    let Some(found) = reading.findings.iter().find_map(|f| f.effect).map(|(_, to)| to) else {
        return;
    };
    let share = |wanted: &dyn Fn(Label) -> bool| -> f32 {
        opinion.shares.iter().filter(|(label, _)| wanted(*label)).map(|(_, p)| p).sum()
    };
    let agrees = share(&|label| to(label) == Some(found));
    let Some(&(top, p)) = opinion.shares.first() else { return };
    let calm = share(&|label| to(label).is_none()) > CALM && agrees < LONELY;
    let other = to(top).is_some_and(|to| to != found) && p > SURE && agrees < STRANGE;
    if !calm && !other {
        return;
    }
    let (moving, rest): (Vec<Finding>, Vec<Finding>) =
        std::mem::take(&mut reading.findings).into_iter().partition(|f| f.effect.is_some());
    reading.findings = rest;
    reading.hints.splice(0..0, moving);
    if other {
        reading.findings.insert(0, finding(reader, opinion, top, p));
    } else if reading.findings.is_empty() {
        let label = if to(top).is_none() { top } else { Label::NoAction };
        reading.findings.push(finding(reader, opinion, label, p));
    }
}

fn fill(reader: &Reader<'_>, opinion: &Opinion, reading: &mut Reading) {
    let silent = reading.findings.iter().all(|f| f.label == Label::NoAction);
    let asks =
        reading.findings.iter().all(|f| matches!(f.label, Label::NoAction | Label::NeedsInfo));
    let Some(&(label, p)) = opinion.shares.first() else { return };
    let moves = reader.rules.effect_of(label).is_some();
    if !asks || !moves && !silent || label == Label::NoAction {
        return;
    }
    if p >= SURE {
        reading.findings.retain(|f| f.label != Label::NoAction);
        reading.findings.insert(0, finding(reader, opinion, label, p));
    } else if p >= LIKELY && moves {
        // Undecided: somebody should look.
        reading.findings.retain(|f| f.label != Label::NoAction);
        reading.hints.insert(0, finding(reader, opinion, label, p));
    }
}

fn finding(reader: &Reader<'_>, opinion: &Opinion, label: Label, share: f32) -> Finding {
    Finding {
        label,
        rule: RULE.to_owned(),
        effect: reader.rules.effect_of(label),
        weight: share,
        evidence: evidence(reader, opinion),
        points_at: points_at(reader, label, opinion.sentence),
    }
}

fn evidence(reader: &Reader<'_>, opinion: &Opinion) -> Evidence {
    let Some(sentence) = opinion.sentence.and_then(|n| reader.sentences.get(n)) else {
        return Evidence::default();
    };
    Evidence { text: sentence.text.clone(), line: sentence.line, answers: None }
}
