//! A person wrote in a thread: commands first, then what the words mean.

use jiff::Timestamp;

use super::event::MailRef;
use super::{Answer, Draft, Effect, Policy, Snapshot, command};
use crate::mail::MessageId;
use crate::regression::command::Commands;
use crate::regression::{Cause, Claim, Entry, Fix, Happening, Regression, Role, State, Step};
use crate::triage::{Finding, Label, Reading};

/// What a person wrote.
pub(super) struct Said<'a> {
    pub mail: &'a MailRef,
    pub role: Role,
    pub reading: &'a Reading,
    pub commands: &'a Commands,
    /// The operator who settled what the words mean.
    pub settled_by: Option<&'a str>,
}

/// Answers a day that one sender gets at most.
const ANSWERS_A_DAY: u32 = 10;

pub(super) fn decide(
    said: &Said<'_>,
    snapshot: &Snapshot,
    policy: &Policy,
    now: Timestamp,
) -> Vec<Effect> {
    let mail = said.mail;
    let regression = snapshot.regression.as_ref();
    let join = |id: &MessageId| regression.map(|r| Effect::Join(r.id().clone(), id.clone()));
    let mut effects: Vec<Effect> = mail.id.iter().filter_map(join).collect();
    let carried = command::carry_out(said.commands, mail, said.role, snapshot, policy, now);
    let carried_out = !carried.effects.is_empty();
    effects.extend(carried.effects);
    effects.extend(answer(mail, carried.said, snapshot));
    if carried.decided {
        return effects;
    }
    let Some(regression) = regression else {
        if carried_out {
            return effects;
        }
        effects.push(Effect::Nothing("no-thread: belongs to nothing that is tracked".to_owned()));
        return effects;
    };
    let words = said.reading.findings.iter().find(|f| f.label != Label::Command);
    match words {
        Some(primary) => {
            // Whose word needs proof speaks as anybody while it has none.
            let doubt = policy.doubt(mail, said.role).is_some();
            let role = if doubt { Role::Other } else { said.role };
            let speaker = Speaker { mail, role, settled_by: said.settled_by };
            effects.extend(speaker.say(primary, regression, now));
        }
        None if said.commands.given.is_empty() => {
            let hint = said.reading.hints.first();
            effects.push(Effect::Review {
                why: "undecided".to_owned(),
                label: hint.map(|f| f.label.to_string()),
                words: hint.map_or_else(String::new, |f| f.evidence.text.clone()),
            });
        }
        None => {}
    }
    effects
}

/// One short answer a mail, to its sender, and only when there is something to say.
fn answer(mail: &MailRef, said: Vec<(String, super::Said)>, snapshot: &Snapshot) -> Option<Effect> {
    let ours = snapshot.regression.as_ref().is_some_and(|r| r.about.ours);
    let wanted = said.iter().any(|(_, s)| s.wants_answer());
    let from = mail.from.as_ref()?;
    if !wanted || mail.no_answer.is_some() || snapshot.answered_today >= ANSWERS_A_DAY {
        return None;
    }
    // In threads of others nobody asked us unless we are addressed.
    if !ours && !mail.addressed {
        return None;
    }
    let answer = Answer::Commands { lines: said };
    let mut draft = Draft::answer(mail, from, answer, "command-answer");
    draft.regression = snapshot.regression.as_ref().map(|r| r.id().clone());
    Some(Effect::Send(Box::new(draft)))
}

struct Speaker<'a> {
    mail: &'a MailRef,
    role: Role,
    settled_by: Option<&'a str>,
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
            settled_by: self.settled_by.map(str::to_owned),
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
                    // The next version has another id, and the same title.
                    subject: crate::mail::patch_title(&self.mail.subject).map(str::to_owned),
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
    let commit = crate::regression::commit_of_url(first);
    if commit.is_some() {
        return Fix { commit, ..Fix::default() };
    }
    let mut linked =
        crate::mail::linked_ids(first).into_iter().filter(|id| id.as_str().contains('@'));
    if let Some(id) = linked.next().filter(|_| first.contains("://")) {
        return Fix { patch: Some(id.as_str().to_owned()), ..Fix::default() };
    }
    let id = text.strip_prefix('<').and_then(|t| t.strip_suffix('>')).filter(|t| t.contains('@'));
    if let Some(id) = id.and_then(MessageId::clean) {
        return Fix { patch: Some(id.as_str().to_owned()), ..Fix::default() };
    }
    let subject = text.trim_matches(['(', ')', '"', '\'']).trim().to_owned();
    Fix { subject: Some(subject), ..Fix::default() }
}
