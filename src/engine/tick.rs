//! What time does: an unopposed dismissal is announced, then closed; an announced fix that never came is asked about.

use jiff::Timestamp;

use super::{Draft, Effect, FollowUp, Letter, News, Policy, Snapshot};
use crate::regression::{Cause, Entry, Happening, Landing, Regression, Standing, State};
use crate::report::{ReportKind, addressed, readers};

pub(super) fn decide(snapshot: &Snapshot, policy: &Policy, now: Timestamp) -> Vec<Effect> {
    let Some(regression) = &snapshot.regression else {
        return Vec::new();
    };
    if regression.is_closed() || regression.snoozed.is_some_and(|until| until > now) {
        return Vec::new();
    }
    match regression.state.standing() {
        Standing::Answered => answered(regression, policy, now),
        Standing::Active => fix_missing(regression, policy, now),
        Standing::Closed => Vec::new(),
    }
}

fn answered(regression: &Regression, policy: &Policy, now: Timestamp) -> Vec<Effect> {
    let entry = |rule: &str, what| {
        let cause = Cause::Timer { rule: rule.to_owned() };
        Effect::Append(regression.id().clone(), Box::new(Entry { at: now, cause, what }))
    };
    match regression.closing_announced {
        None if now.duration_since(regression.since) >= policy.announce_close_after => {
            let on = now + policy.close_after;
            let mover = regression.mover.as_ref();
            let by = mover.map_or("somebody", |m| m.name.as_str()).to_owned();
            let words = mover.map_or("", |m| m.words.as_str()).to_owned();
            let news = News::Closing { by, words, on: day(on) };
            let mut effects = vec![entry("dismissal-unopposed", Happening::ClosingAnnounced)];
            // Good news needs no second mail: nobody would want to object.
            if regression.about.kind == ReportKind::Improvement {
                return effects;
            }
            effects.extend(follow_up(regression, news, "dismissal-unopposed", policy));
            effects
        }
        Some(announced) if now.duration_since(announced) >= policy.close_after => {
            vec![entry("announcement-unopposed", Happening::LaidToRest)]
        }
        _ => Vec::new(),
    }
}

fn fix_missing(regression: &Regression, policy: &Policy, now: Timestamp) -> Vec<Effect> {
    let Some((fix, announced)) = &regression.fix else { return Vec::new() };
    let waits =
        matches!(regression.state, State::FixPlanned | State::FixProposed | State::FixQueued);
    let found = regression.landings.iter().any(Landing::is_live);
    if regression.backburner.is_some() || regression.labels.contains_key("no-reminders") {
        return Vec::new();
    }
    // Who watches no tree cannot miss anything there.
    let looked = policy.watches_trees && !found && regression.fix_missed.is_none();
    if !waits || !looked || now.duration_since(*announced) < policy.fix_missing_after {
        return Vec::new();
    }
    let cause = Cause::Timer { rule: "fix-missing".to_owned() };
    let what = Happening::FixMissed { fix: fix.name() };
    let entry = Box::new(Entry { at: now, cause, what });
    let mut effects = vec![Effect::Append(regression.id().clone(), entry)];
    let news = News::FixMissing { fix: fix.name(), announced: day(*announced) };
    effects.extend(follow_up(regression, news, "fix-missing", policy));
    effects
}

/// `YYYY-MM-DD`, UTC.
pub(super) fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}

/// A letter into the thread of a report of ours. Threads of others are only watched.
pub(super) fn follow_up(
    regression: &Regression,
    news: News,
    name: &str,
    policy: &Policy,
) -> Option<Effect> {
    if !regression.about.ours {
        return None;
    }
    let root = regression.about.report.as_deref().and_then(crate::mail::MessageId::clean)?;
    let about = &regression.about;
    let tree = about.tree.as_deref().unwrap_or_default();
    let branch = about.branch.as_deref().unwrap_or_default();
    let subject = about.commit_subject.as_deref();
    let readers = readers(&about.readers, subject, (tree, branch), &policy.reach);
    // Who opted out is taken off at the door, where it is told.
    let (to, cc) = addressed(readers);
    Some(Effect::Send(Box::new(Draft {
        key: format!("follow-up/{}/{name}/{}", regression.id(), regression.entries),
        regression: Some(regression.id().clone()),
        reason: name.to_owned(),
        hold: None,
        letter: Letter::FollowUp(Box::new(FollowUp {
            state: regression.state,
            title: about.title.clone(),
            news,
        })),
        to,
        cc,
        in_reply_to: Some(root.clone()),
        references: vec![root],
        answers_subject: None,
    })))
}
