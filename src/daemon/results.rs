//! A notification: its results are decoded, decided against what is stored, and brought before the engine.

use serde::{Deserialize, Serialize};

use super::apply::apply;
use super::desk::{Clerk, Incoming};
use super::gather;
use super::history::History;
use super::story::{Story, Understood};
use crate::bench::{self, Environment, Notification};
use crate::engine::{self, Event, MailRef};
use crate::mail::Message;
use crate::regression::Regression;
use crate::report::{Finding, Pooled};
use crate::stats::Overall;
use crate::store::{StoreError, Tx};

/// Works through every set of results that the mail carries.
pub(super) fn take(
    clerk: &Clerk<'_>,
    tx: &mut Tx<'_>,
    incoming: &Incoming,
    message: &Message,
    story: &mut Story,
) -> Result<(), StoreError> {
    if incoming.cut {
        let why = "results in a mail that is too large to be read whole";
        clerk.quarantine(tx, incoming, Some(&message.key), why)?;
        story.understood.push(Understood::Quarantined { why: why.to_owned() });
        return Ok(());
    }
    let files = parts(message);
    match bench::load(&files) {
        Ok(inputs) => {
            let mut all: Vec<Notification> =
                inputs.into_iter().map(bench::Input::into_notification).collect();
            all.iter_mut().for_each(|n| clerk.mind.commits.complete(n));
            // What a mail says of one commit is one family: all of it is known before any of it is concluded.
            for n in all.iter().filter(|_| all.len() > 1) {
                decide(clerk, tx, message, n.clone(), story)?;
            }
            for (i, notification) in all.into_iter().enumerate() {
                let part = if i == 0 { String::new() } else { (i + 1).to_string() };
                conclude(clerk, tx, message, (part, notification), story)?;
            }
            Ok(())
        }
        Err(problems) => {
            let part = problems.first().map_or_else(|| "body".to_owned(), |p| p.file.clone());
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            malformed(clerk, tx, incoming, message, part, problems, story)
        }
    }
}

/// The parts that hold results: everything attached, else the body.
fn parts(message: &Message) -> Vec<bench::File> {
    if message.attachments.is_empty() {
        return vec![("body".to_owned(), message.body.clone().into_bytes())];
    }
    let name = |a: &crate::mail::Attachment| {
        if a.name.is_empty() { "attachment".to_owned() } else { a.name.clone() }
    };
    message.attachments.iter().map(|a| (name(a), a.bytes.clone())).collect()
}

/// Stores what a lab measured and decides it among all that is stored; results of strangers are decided alone.
fn decide(
    clerk: &Clerk<'_>,
    tx: &mut Tx<'_>,
    message: &Message,
    notification: Notification,
    story: &mut Story,
) -> Result<(History, Finding, Overall), StoreError> {
    let mind = clerk.mind;
    if !message.from.as_ref().is_some_and(|from| mind.policy.labs.contains(from)) {
        let history = History::default();
        let (finding, overall) = history.decide(clerk, tx, notification)?;
        return Ok((history, finding, overall));
    }
    for defect in tx.put_points(&notification, &mind.knowledge, &message.key, clerk.now)? {
        if !story.defects.contains(&defect) {
            story.defects.push(defect);
        }
    }
    let history = History::of(clerk, tx, &notification)?;
    let (finding, overall) = history.decide(clerk, tx, notification)?;
    // A further round on the same commit is no further test of it.
    if finding.notification.regression.is_none() {
        history.remember(clerk, tx, &finding)?;
    }
    Ok((history, finding, overall))
}

fn conclude(
    clerk: &Clerk<'_>,
    tx: &mut Tx<'_>,
    message: &Message,
    (part, notification): (String, Notification),
    story: &mut Story,
) -> Result<(), StoreError> {
    let mind = clerk.mind;
    let (history, mut finding, mut overall) = decide(clerk, tx, message, notification, story)?;
    // What the statistics say of unequal sides is "invalid", whatever the letter for the operator holds.
    let mut said = overall.clone();
    if let Some(equal) = as_if_equal(clerk, tx, &history, &finding)? {
        (finding, overall) = equal;
    }
    let n = &finding.notification;
    let own = overall.kind.raises() || n.bisected || n.regression.is_some();
    let step = if own { None } else { history.step(clerk, tx, n)? };
    if let Some(step) = &step {
        (finding, overall) = (step.finding.clone(), step.overall.clone());
        said = overall.clone();
        mind.commits.complete(&mut finding.notification);
    }
    story
        .understood
        .push(Understood::Results { title: title(&finding.notification), overall: said });
    let metric = finding.lead().map(|c| c.metric.clone());
    let mut snapshot =
        gather::for_results(tx, &finding.notification, metric.as_deref(), clerk.now)?;
    if overall.kind.raises() || finding.notification.regression.is_some() {
        let n = &finding.notification;
        snapshot.patch = mind.commits.patch(n);
        let shares = |r: &&Regression| mind.commits.overlap(n, r);
        let shared = snapshot.same_series.iter().filter(shares);
        snapshot.overlapping = shared.map(|r| r.id().clone()).collect();
    }
    snapshot.first_round = first_round(clerk, tx, &finding.notification)?;
    let mail = MailRef { part, ..clerk.reference(message) };
    let event = Event::Results { mail, finding: Box::new(finding), overall };
    let effects = engine::decide(&event, &snapshot, &mind.policy, clerk.now);
    if let Some(step) = &step {
        step.remember(clerk, tx, &effects, &message.key)?;
    }
    apply(tx, effects, story, clerk.post, clerk.now)
}

/// Sides that ran in different environments prove nothing. What they would raise is written all the same: the gate holds it, and the
/// operator, who sees in what they differ, may know better.
fn as_if_equal(
    clerk: &Clerk<'_>,
    tx: &Tx<'_>,
    history: &History,
    finding: &Finding,
) -> Result<Option<(Finding, Overall)>, StoreError> {
    let n = &finding.notification;
    let differs = |head: &Environment| n.environment.first_difference(head).is_some();
    let Some(head) = n.head_environment.clone().filter(differs) else { return Ok(None) };
    if n.regression.is_some() {
        return Ok(None);
    }
    let equal = Notification { head_environment: None, ..n.clone() };
    let (mut finding, mut overall) = history.decide(clerk, tx, equal)?;
    finding.notification.head_environment = Some(head);
    // No second round would make them equal.
    overall.needs_confirmation = false;
    Ok(overall.kind.raises().then_some((finding, overall)))
}

/// Decides a notification of a lab anew, with what is stored of its series.
pub(super) fn again(
    clerk: &Clerk<'_>,
    tx: &Tx<'_>,
    notification: Notification,
) -> Result<Finding, StoreError> {
    let history = History::of(clerk, tx, &notification)?;
    Ok(history.decide(clerk, tx, notification)?.0)
}

fn first_round(
    clerk: &Clerk<'_>,
    tx: &Tx<'_>,
    notification: &Notification,
) -> Result<Option<Box<Finding>>, StoreError> {
    let Some(id) = &notification.regression else { return Ok(None) };
    let Some(pending) = tx.pending(id)? else { return Ok(None) };
    let kept: Kept = serde_json::from_str(&pending.finding)
        .map_err(|e| StoreError::Row { row: format!("pending {id}"), what: e.to_string() })?;
    Ok(Some(Box::new(match kept {
        Kept::Plain(first) => again(clerk, tx, first)?,
        Kept::Pooled { notification, pooled } => {
            Finding { pooled: Some(pooled), ..again(clerk, tx, notification)? }
        }
    })))
}

/// A first round as it waits: what cannot be decided anew is kept beside the results.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Kept<N = Notification> {
    Pooled { notification: N, pooled: Pooled },
    Plain(N),
}

/// The JSON of a first round.
pub(super) fn kept(finding: &Finding) -> serde_json::Result<String> {
    let notification = &finding.notification;
    serde_json::to_string(&match finding.pooled {
        Some(pooled) => Kept::Pooled { notification, pooled },
        None => Kept::Plain(notification),
    })
}

fn malformed(
    clerk: &Clerk<'_>,
    tx: &mut Tx<'_>,
    incoming: &Incoming,
    message: &Message,
    part: String,
    problems: Vec<String>,
    story: &mut Story,
) -> Result<(), StoreError> {
    clerk.quarantine(tx, incoming, Some(&message.key), &problems.join("\n"))?;
    story.understood.push(Understood::Malformed { part: part.clone(), problems: problems.clone() });
    let mut snapshot = gather::for_thread(tx, None, clerk.now)?;
    snapshot.answered_today = gather::answered(tx, message, clerk.now)?;
    let event = Event::Malformed { mail: clerk.reference(message), part, problems };
    let effects = engine::decide(&event, &snapshot, &clerk.mind.policy, clerk.now);
    apply(tx, effects, story, clerk.post, clerk.now)
}

/// `hackbench on lab-a, 9c41d7e02b..3f1d0c5a9b`.
fn title(n: &Notification) -> String {
    let short = |c: &str| c.chars().take(10).collect::<String>();
    format!(
        "{} on {}, {}..{}",
        n.test.name,
        n.environment.machine,
        short(&n.base.commit),
        short(&n.head.commit)
    )
}
