//! Rules and sayings together: one conclusion.

use super::super::Label;
use super::super::engine::{Hit, Reader};
use super::super::facts::Fact;
use super::super::points::points_at;
use super::super::reading::{Evidence, Finding, Reading};
use super::weights::Heard;
use super::{Opinion, Weights, features};
use crate::mail::Origin;
use crate::regression::{Role, State};

/// Share of the belief below which an effect is only likely: the mail is undecided and goes to the review list.
const LIKELY: f32 = 0.45;
/// Features that must be known before words are weighed: two words are no sentence.
const HEARD: usize = 4;

/// The rule's name in the audit trail.
const RULE: &str = "learned-from-sayings";

/// Weighs what the rules found against everything else that the mail says, as sayings teach.
pub(in super::super) fn advise(reader: &Reader<'_>, hits: &[Hit], reading: &mut Reading) {
    let Some((heard, opinion)) = opinion(reader, hits, reading) else { return };
    // Verdicts of one effect help each other: whether a fix is "already there" or "just applied" moves nothing.
    let mut effects: Vec<(Option<State>, f32, Label)> = Vec::new();
    for &(label, share) in &opinion.shares {
        let to = reader.rules.effect_of(label).map(|(_, to)| to);
        match effects.iter_mut().find(|(other, ..)| *other == to) {
            Some((_, sum, _)) => *sum += share,
            // The shares come in order, so the first of an effect is its likeliest verdict.
            None => effects.push((to, share, label)),
        }
    }
    let Some((to, share, label)) = effects.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)) else {
        return;
    };
    let judged = Judged { reader, weights: Weights::embedded(), heard: &heard };
    judged.conclude(to, share, label, reading);
}

/// What sayings make of a mail in which the rules found this. `None` where they have no say.
pub(in super::super) fn opinion(
    reader: &Reader<'_>,
    hits: &[Hit],
    reading: &Reading,
) -> Option<(Heard, Opinion)> {
    let weights = Weights::embedded();
    if !is_talk(reader) || weights.is_empty() || decides_alone(weights, reading) {
        return None;
    }
    let heard = weights.heard(|take| features::each(reader, hits, reading, take));
    let opinion = weights.opinion_of(&heard, |label| may_say(reader, label));
    (opinion.known >= HEARD).then_some((heard, opinion))
}

/// Whether somebody talks: commands and machines are understood without weighing words, and reviews speak of the patch,
/// in the same words.
fn is_talk(reader: &Reader<'_>) -> bool {
    let context = reader.context;
    matches!(context.origin, Origin::Reply | Origin::Other | Origin::Patch)
        && !context.commands
        && !reader.sentences.is_empty()
        && !reader.facts.has(Fact::AnswersPatch)
}

/// A rule of which the sayings know nothing, because somebody wrote it since or because it looks at trailers and the like,
/// cannot be judged by them.
fn decides_alone(weights: &Weights<'_>, reading: &Reading) -> bool {
    let moving = reading.findings.iter().find(|f| f.effect.is_some());
    let first = reading.primary().filter(|f| f.label != Label::NoAction);
    moving.or(first).is_some_and(|f| !weights.knows(&format!("rule:{}", f.rule)))
}

/// Robots and their operators may say less than people, and nobody else says what they do.
fn may_say(reader: &Reader<'_>, label: Label) -> bool {
    let robot =
        || label == Label::RobotSelf || reader.rules.iter().any(|r| r.label == label && r.robot);
    match reader.context.role {
        Role::Robot => robot(),
        _ => label != Label::RobotSelf,
    }
}

struct Judged<'a> {
    reader: &'a Reader<'a>,
    weights: &'a Weights<'a>,
    heard: &'a Heard,
}

impl Judged<'_> {
    fn conclude(&self, to: Option<State>, share: f32, label: Label, reading: &mut Reading) {
        let found = std::mem::take(&mut reading.findings);
        let agrees = |f: &Finding| f.effect.is_none() || f.effect.map(|(_, to)| to) == to;
        let (mut agreeing, outvoted): (Vec<_>, Vec<_>) = found.into_iter().partition(agrees);
        reading.hints.splice(0..0, outvoted);
        let own = match agreeing.iter().position(|f| f.label == label) {
            Some(at) => agreeing.remove(at),
            None => self.finding(label, share),
        };
        agreeing.retain(|f| f.label != Label::NoAction);
        if to.is_some() && share < LIKELY {
            reading.hints.insert(0, own);
            agreeing.retain(|f| f.effect.is_none());
        } else {
            reading.findings.push(own);
        }
        reading.findings.extend(agreeing);
    }

    fn finding(&self, label: Label, share: f32) -> Finding {
        let sentences = self.reader.sentences.len();
        let sentence = self.weights.sentence_for(self.heard, sentences, label);
        let words = sentence.and_then(|n| self.reader.sentences.get(n));
        let evidence =
            words.map(|s| Evidence { text: s.text.clone(), line: s.line, answers: None });
        Finding {
            label,
            rule: RULE.to_owned(),
            effect: self.reader.rules.effect_of(label),
            weight: share,
            evidence: evidence.unwrap_or_default(),
            points_at: points_at(self.reader, label, sentence),
        }
    }
}
