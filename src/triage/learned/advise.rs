//! Rules and sayings together: one conclusion.

use super::super::Label;
use super::super::engine::{Hit, Reader};
use super::super::facts::Fact;
use super::super::points::points_at;
use super::super::reading::{Evidence, Finding, Reading};
use super::weights::{Features, Heard};
use super::{Opinion, Weights, features};
use crate::mail::Origin;
use crate::regression::{Role, State};

/// Share of the belief below which an effect is only likely: the mail is undecided and goes to the review list.
const LIKELY: f32 = 0.3;
/// The same for a mail of more sentences than [`TALK`], of which any may be a chance match.
const SURE: f32 = 0.6;
const TALK: usize = 6;
/// How many times likelier than "moves nothing" an effect must be. A wrong state goes to the maintainer, an undecided mail to
/// the review list.
const CLEARLY: f32 = 2.0;
/// Features that must be known before words are weighed: two words are no sentence.
const HEARD: usize = 4;

/// The rule's name in the audit trail.
const RULE: &str = "learned-from-sayings";

/// Weighs what the rules found against everything else that the mail says, as sayings teach. Gives what they make of it;
/// `None` where they have no say.
pub(in super::super) fn advise(
    reader: &Reader<'_>,
    hits: &[Hit],
    reading: &mut Reading,
) -> Option<Opinion> {
    let (heard, opinion) = opinion(reader, hits, reading)?;
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
    let &(to, share, label) = effects.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let nothing = effects.iter().find(|(to, ..)| to.is_none()).map_or(0.0, |(_, sum, _)| *sum);
    let needed = if reader.sentences.len() > TALK { SURE } else { LIKELY };
    let decides = to.is_none() || share >= needed && share >= CLEARLY * nothing;
    let judged = Judged { reader, heard: &heard };
    let own = judged.take(label, share, reading);
    if to.is_none() || !decides {
        keep_still(reading);
    }
    let place = if decides { &mut reading.findings } else { &mut reading.hints };
    place.insert(0, own);
    Some(opinion)
}

/// What sayings make of a mail in which the rules found this. `None` where they have no say.
fn opinion(
    reader: &Reader<'_>,
    hits: &[Hit],
    reading: &Reading,
) -> Option<(Heard<'static>, Opinion)> {
    let weights = Weights::embedded();
    if !is_talk(reader) || weights.is_empty() || decides_alone(weights, reading) {
        return None;
    }
    let mut all = Features::default();
    features::each(reader, hits, reading, |place, feature| all.add(place, feature));
    let heard = Heard::new(weights, &all);
    let opinion = heard.opinion(|label| may_say(reader, label));
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
/// cannot be judged by them: it decides, or leaves the mail undecided, by itself.
fn decides_alone(weights: &Weights, reading: &Reading) -> bool {
    let unknown = |f: &Finding| !weights.knows(&format!("rule:{}", f.rule));
    let moving = reading.findings.iter().find(|f| f.effect.is_some());
    let first = reading.primary().filter(|f| f.label != Label::NoAction);
    match moving.or(first) {
        Some(found) => unknown(found),
        None => reading.hints.iter().any(unknown),
    }
}

/// Verdicts of which there are rules. Robots and their operators may say less than people, and nobody else says what they
/// do.
fn may_say(reader: &Reader<'_>, label: Label) -> bool {
    let robot = reader.context.role == Role::Robot;
    match label {
        Label::RobotSelf => robot,
        Label::NoAction => !robot,
        _ => reader.rules.verdict(label).is_some_and(|verdict| verdict.robot || !robot),
    }
}

/// Findings that would move something become hints.
fn keep_still(reading: &mut Reading) {
    let moves = |f: &Finding| f.effect.is_some();
    let (moving, rest) = std::mem::take(&mut reading.findings).into_iter().partition(moves);
    reading.findings = rest;
    let moving: Vec<Finding> = moving;
    reading.hints.splice(0..0, moving);
}

struct Judged<'a> {
    reader: &'a Reader<'a>,
    heard: &'a Heard<'a>,
}

impl Judged<'_> {
    /// Takes the finding of a verdict out of the rules' findings, or makes one.
    fn take(&self, label: Label, share: f32, reading: &mut Reading) -> Finding {
        let found = &mut reading.findings;
        let own = match found.iter().position(|f| f.label == label) {
            Some(at) => found.remove(at),
            None => self.finding(label, share),
        };
        // "No verdict" is what is left when there is none.
        found.retain(|f| !f.evidence.text.is_empty());
        own
    }

    fn finding(&self, label: Label, share: f32) -> Finding {
        let sentences = self.reader.sentences.len();
        let sentence = self.heard.sentence_for(sentences, label);
        // That nothing moves, no sentence says.
        let said = sentence.filter(|_| label != Label::NoAction);
        let words = said.and_then(|n| self.reader.sentences.get(n));
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
