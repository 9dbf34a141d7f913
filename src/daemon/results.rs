//! A notification: its results are decoded, decided against what is stored, and brought before the engine.

use super::apply::apply;
use super::desk::{Clerk, Incoming};
use super::gather;
use super::story::{Story, Understood};
use crate::bench::{self, Notification};
use crate::engine::{self, Event};
use crate::mail::Message;
use crate::report::Finding;
use crate::stats::{self, Overall, Prior};
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
            for input in inputs {
                decided(clerk, tx, message, input.into_notification(), story)?;
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

fn decided(
    clerk: &Clerk<'_>,
    tx: &mut Tx<'_>,
    message: &Message,
    notification: Notification,
    story: &mut Story,
) -> Result<(), StoreError> {
    let (finding, overall) = decide(clerk, notification);
    story.understood.push(Understood::Results {
        title: title(&finding.notification),
        overall: overall.clone(),
    });
    let metric = finding.lead().map(|c| c.metric.clone());
    let mut snapshot =
        gather::for_results(tx, &finding.notification, metric.as_deref(), clerk.now)?;
    snapshot.first_round = first_round(clerk, tx, &finding.notification)?;
    let event =
        Event::Results { mail: clerk.reference(message), finding: Box::new(finding), overall };
    let effects = engine::decide(&event, &snapshot, &clerk.mind.policy, clerk.now);
    apply(tx, effects, story, clerk.post, clerk.now)
}

/// Steps 0 to 8 of the procedure on one notification.
pub(super) fn decide(clerk: &Clerk<'_>, notification: Notification) -> (Finding, Overall) {
    let mind = clerk.mind;
    let changes = stats::decide(&notification, &mind.knowledge, &Prior::default(), &mind.settings);
    let failures = stats::failures(&notification, &mind.settings);
    let overall = stats::overall(&changes, &failures);
    (Finding::new(notification, changes), overall)
}

fn first_round(
    clerk: &Clerk<'_>,
    tx: &Tx<'_>,
    notification: &Notification,
) -> Result<Option<Box<Finding>>, StoreError> {
    let Some(id) = &notification.regression else { return Ok(None) };
    let Some(pending) = tx.pending(id)? else { return Ok(None) };
    let first: Notification = serde_json::from_str(&pending.finding)
        .map_err(|e| StoreError::Row { row: format!("pending {id}"), what: e.to_string() })?;
    Ok(Some(Box::new(decide(clerk, first).0)))
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
