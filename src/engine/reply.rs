//! A person wrote in a thread: commands first, then what the words mean.

use jiff::Timestamp;

use super::event::MailRef;
use super::speaker::role;
use super::{Effect, Policy, Snapshot};
use crate::mail::{MessageId, Trailer};
use crate::regression::{Cause, Claim, Entry, Fix, Happening, Regression, Role, State, Step};
use crate::triage::{Finding, Label, Reading};

pub(super) fn decide(
    mail: &MailRef,
    reading: &Reading,
    _tags: &[Trailer],
    snapshot: &Snapshot,
    policy: &Policy,
    now: Timestamp,
) -> Vec<Effect> {
    let Some(regression) = &snapshot.regression else {
        return vec![Effect::Nothing("no-thread: belongs to nothing that is tracked".to_owned())];
    };
    let mut effects: Vec<Effect> =
        mail.id.iter().map(|id| Effect::Join(regression.id().clone(), id.clone())).collect();
    let Some(primary) = reading.primary() else {
        let why = "undecided".to_owned();
        effects.push(Effect::Review { why, label: None, words: String::new() });
        return effects;
    };
    let speaker = Speaker {
        mail,
        role: mail.from.as_ref().map_or(Role::Other, |a| role(a, Some(regression), policy)),
    };
    effects.extend(speaker.say(primary, regression, now));
    effects
}

struct Speaker<'a> {
    mail: &'a MailRef,
    role: Role,
}

impl Speaker<'_> {
    /// What becomes of one verdict.
    fn say(&self, finding: &Finding, regression: &Regression, now: Timestamp) -> Vec<Effect> {
        let Some((_, to)) = finding.effect else {
            return vec![Effect::Nothing(format!("{}: moves nothing", finding.label))];
        };
        let cause = Cause::Words {
            message: self.mail.key.clone(),
            from: self.mail.from.clone(),
            role: self.role,
            words: finding.evidence.text.clone(),
            rule: finding.rule.clone(),
        };
        let append = |what| {
            Effect::Append(
                regression.id().clone(),
                Box::new(Entry { at: now, cause: cause.clone(), what }),
            )
        };
        let canonical = self.mail.from.as_ref().map(crate::mail::Address::canonical);
        let claim = Claim {
            label: finding.label,
            to,
            role: self.role,
            speaker: canonical.as_deref(),
            names_it: finding.points_at.is_some(),
        };
        let step = claim.judge(regression);
        let mut effects = Vec::new();
        if let Some(fix) = self.fix(finding)
            && !matches!(step, Step::Keep("closed"))
        {
            effects.push(append(Happening::FixNamed(fix)));
        }
        match step {
            Step::Move(to) => effects.push(append(Happening::Moved { from: regression.state, to })),
            Step::Keep(why) => {
                effects.push(append(Happening::Kept { label: finding.label, why: why.to_owned() }));
                if matches!(why, "duplicate-of-what" | "not-the-reporter") {
                    effects.push(Effect::Review {
                        why: why.to_owned(),
                        label: Some(finding.label.to_string()),
                        words: finding.evidence.text.clone(),
                    });
                }
            }
        }
        if step == Step::Move(State::Open)
            && matches!(finding.label, Label::TestedBad | Label::PartialFix)
        {
            effects.push(append(Happening::FixForgotten));
        }
        effects
    }

    /// The fix that a verdict names: a posted patch is the mail itself unless the words point elsewhere.
    fn fix(&self, finding: &Finding) -> Option<Fix> {
        let author = self.mail.from.as_ref().map(crate::mail::Address::canonical);
        match finding.label {
            Label::FixPosted => Some(match &finding.points_at {
                Some(text) => Fix { author, ..named(text) },
                None => Fix {
                    patch: self.mail.id.as_ref().map(|i| i.as_str().to_owned()),
                    author,
                    ..Fix::default()
                },
            }),
            Label::AlreadyFixed | Label::FixApplied => finding.points_at.as_deref().map(named),
            _ => None,
        }
    }
}

/// A commit id, a Message-ID, a URL, or else a subject.
pub(super) fn named(text: &str) -> Fix {
    let text = text.trim();
    let first = text.split_whitespace().next().unwrap_or("");
    let hex = first.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    if (8..=40).contains(&hex.len()) && hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        let rest = text[first.len()..].trim().trim_matches(['(', ')', '"']).trim();
        let subject = (!rest.is_empty()).then(|| rest.to_owned());
        return Fix { commit: Some(hex.to_ascii_lowercase()), subject, ..Fix::default() };
    }
    let id = text.strip_prefix('<').and_then(|t| t.strip_suffix('>')).filter(|t| t.contains('@'));
    if let Some(id) = id.and_then(MessageId::clean) {
        return Fix { patch: Some(id.as_str().to_owned()), ..Fix::default() };
    }
    let subject = text.trim_matches(['(', ')', '"', '\'']).trim().to_owned();
    Fix { subject: Some(subject), ..Fix::default() }
}
