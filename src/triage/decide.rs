//! What all that was found comes to.

use super::Label;
use super::engine::{Hit, Reader};
use super::facts::Fact;
use super::form::Form;
use super::points::points_at;
use super::reading::{Evidence, Finding, Reading};
use crate::mail::Origin;

/// A verdict of less weight is only a hint: it goes to the review list.
const THRESHOLD: f32 = 0.5;

/// What a question or a condition takes off the rank of an opinion.
const UNSURE: i32 = 16;

/// Sentences of a mail up to which each of them counts in full.
const TALK: usize = 12;

/// What weak words reach together at most.
const TOGETHER: f32 = 0.7;

/// Opinions about the report: a later sentence can take an earlier one back.
fn is_opinion(label: Label) -> bool {
    matches!(
        label,
        Label::Expected
            | Label::WontFix
            | Label::Disputed
            | Label::NotReproducible
            | Label::Confirmed
            | Label::Duplicate
            | Label::AlreadyFixed
    )
}

/// The conclusion of all hits.
pub(super) fn decide(reader: &Reader<'_>, hits: &[Hit]) -> Reading {
    let turn = reader.shapes.iter().rposition(|s| s.forms.has(Form::Turn));
    let mut found: Vec<Verdict> = Vec::new();
    for hit in hits {
        let rule = &reader.rules.rules[hit.rule];
        let place = hit.sentence.unwrap_or(0);
        let taken_back = turn.is_some_and(|turn| place < turn)
            && hit.sentence.is_some()
            && is_opinion(rule.label);
        if taken_back {
            continue;
        }
        let weight = rule.weight * loudness(reader, hit);
        let rank = rule.rank - if unsure(reader, rule.label, hit) { UNSURE } else { 0 };
        let finding = Finding {
            label: rule.label,
            rule: rule.id.clone(),
            effect: rule.effect,
            weight,
            evidence: evidence(reader, hit),
            points_at: points_at(reader, rule.label, hit.sentence),
        };
        match found.iter_mut().find(|v| v.finding.label == rule.label) {
            Some(verdict) => verdict.join(finding, hit, rank),
            None => found.push(Verdict {
                finding,
                place,
                rank,
                seen: vec![(hit.rule, hit.sentence)],
                doubt: 1.0 - weight,
            }),
        }
    }
    let mut found: Vec<(Finding, usize, i32)> = found.into_iter().map(Verdict::settle).collect();
    found.sort_by(|(a, a_place, a_rank), (b, b_place, b_rank)| {
        let decided = |f: &Finding| f.weight >= THRESHOLD;
        decided(b)
            .cmp(&decided(a))
            .then(b_rank.cmp(a_rank))
            .then(b.weight.total_cmp(&a.weight))
            .then(b_place.cmp(a_place))
    });
    let (findings, hints): (Vec<_>, Vec<_>) =
        found.into_iter().map(|(f, ..)| f).partition(|f| f.weight >= THRESHOLD);
    let mut reading = Reading { findings, hints };
    if reading.findings.is_empty() {
        settle(reader, &mut reading);
    }
    reading
}

/// Whether an opinion is only asked or supposed: work that is promised, or a plain word beside it, says more.
fn unsure(reader: &Reader<'_>, label: Label, hit: &Hit) -> bool {
    let opinion = matches!(
        label,
        Label::Expected | Label::Disputed | Label::NotReproducible | Label::Confirmed
    );
    let supposed = |n: usize| {
        let forms = reader.shapes[n].forms;
        forms.has(Form::Condition) || forms.has(Form::Question)
    };
    opinion && hit.sentence.is_some_and(supposed)
}

/// In a long discussion one sentence is not the verdict of the mail, unless it opens or ends it.
fn loudness(reader: &Reader<'_>, hit: &Hit) -> f32 {
    let Some(at) = hit.sentence else { return 1.0 };
    let all = reader.sentences.len();
    if all <= TALK || at < 2 || at + 3 >= all {
        return 1.0;
    }
    TALK as f32 / all as f32
}

/// A verdict that grows with each sentence that speaks for it.
struct Verdict {
    finding: Finding,
    place: usize,
    rank: i32,
    /// Rules and sentences that were counted.
    seen: Vec<(usize, Option<usize>)>,
    /// What is left of the doubt.
    doubt: f32,
}

impl Verdict {
    /// Of two sentences for one verdict the weightier stands; of equals the later. Weak words add up, as long as they
    /// stand in different sentences; a rule counts twice at most.
    fn join(&mut self, finding: Finding, hit: &Hit, rank: i32) {
        let told = self
            .seen
            .iter()
            .any(|(_, sentence)| hit.sentence.is_none() || *sentence == hit.sentence);
        let fresh = !told && self.seen.iter().filter(|(rule, _)| *rule == hit.rule).count() < 2;
        if fresh {
            self.doubt *= 1.0 - finding.weight;
            self.seen.push((hit.rule, hit.sentence));
        }
        if finding.weight >= self.finding.weight {
            let points_at = finding.points_at.clone().or_else(|| self.finding.points_at.take());
            self.finding = Finding { points_at, ..finding };
            self.place = hit.sentence.unwrap_or(0);
            self.rank = rank;
        } else {
            self.finding.points_at = self.finding.points_at.take().or(finding.points_at);
        }
    }

    fn settle(mut self) -> (Finding, usize, i32) {
        // Strong words need no company; several weak ones together decide, but never as firmly as one clear sentence.
        let together = (1.0 - self.doubt).min(TOGETHER);
        self.finding.weight = self.finding.weight.max(together);
        (self.finding, self.place, self.rank)
    }
}

/// No rule decided. Nothing hinted either: there is no verdict in the mail, and that is certain. Otherwise it stays
/// undecided.
fn settle(reader: &Reader<'_>, reading: &mut Reading) {
    let plain = |label: Label, rule: &str| Finding {
        label,
        rule: rule.to_owned(),
        effect: None,
        weight: THRESHOLD,
        evidence: Evidence::default(),
        points_at: None,
    };
    let facts = reader.facts;
    let silent = !facts.has(Fact::Words)
        && !facts.has(Fact::Trailers)
        && !facts.has(Fact::Patch)
        && !facts.has(Fact::Attachment);
    match reader.context.origin {
        Origin::Reply | Origin::Other if silent => {
            reading.findings.push(plain(Label::QuoteOnly, "no-words"))
        }
        Origin::Reply | Origin::Other | Origin::Patch if reading.hints.is_empty() => {
            let label = if facts.has(Fact::Robot) { Label::RobotSelf } else { Label::NoAction };
            reading.findings.push(plain(label, "no-verdict"));
        }
        _ => {}
    }
}

fn evidence(reader: &Reader<'_>, hit: &Hit) -> Evidence {
    let rule = &reader.rules.rules[hit.rule];
    match hit.sentence.map(|n| &reader.sentences[n]) {
        Some(sentence) => Evidence {
            text: sentence.text.clone(),
            line: sentence.line,
            answers: sentence
                .answers
                .as_ref()
                .filter(|_| !rule.answers.is_empty())
                .map(|q| q.text.clone()),
        },
        None => {
            let trailer = |names: &[&str]| {
                reader.context.trailers.iter().find(|t| names.contains(&t.name.as_str()))
            };
            let wanted = |fact: Fact| rule.has.contains(&fact) || rule.has_any.contains(&fact);
            let tag = [
                (Fact::TestedBy, &["Tested-by", "Reported-and-tested-by"][..]),
                (Fact::ReviewedBy, &["Reviewed-by", "Acked-by"]),
                (Fact::Fixes, &["Fixes"]),
                (Fact::FixesCulprit, &["Fixes"]),
                (Fact::LinksReport, &["Closes", "Link"]),
                (Fact::Closes, &["Closes", "Link"]),
            ];
            let found =
                tag.iter().filter(|(fact, _)| wanted(*fact)).find_map(|(_, names)| trailer(names));
            let text = found
                .map(|t| format!("{}: {}", t.name, t.value))
                .or_else(|| reader.sentences.first().map(|s| s.text.clone()));
            Evidence { text: text.unwrap_or_default(), line: 0, answers: None }
        }
    }
}
