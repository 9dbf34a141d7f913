//! What must be known to decide about an event: read from the store into a snapshot.

use jiff::{SignedDuration, Timestamp};

use super::desk::Clerk;
use super::results;

use crate::bench::Notification;
use crate::engine::Snapshot;
use crate::mail::Message;
use crate::regression::{Regression, RegressionId};
use crate::report::{Finding, Report};
use crate::store::{StoreError, Tx};

/// For results: what they answer, what else is open about the commit and the series.
pub(super) fn for_results(
    tx: &Tx<'_>,
    notification: &Notification,
    metric: Option<&str>,
    now: Timestamp,
) -> Result<Snapshot, StoreError> {
    let mut snapshot = counted(tx, now)?;
    if let Some(id) = notification.regression.as_deref().and_then(RegressionId::parse) {
        snapshot.regression = tx.regression(&id)?;
    }
    snapshot.same_commit = tx.regressions_of_commit(&notification.head.commit)?;
    if let Some(metric) = metric {
        let parameters: Vec<String> =
            notification.test.parameters.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let machine = &notification.environment.machine;
        let series =
            format!("{} {machine} {} {metric}", notification.test.name, parameters.join("/"));
        snapshot.same_series = tx.regressions_of_series(&series)?;
        snapshot
            .same_series
            .retain(|r| r.about.commit.as_deref() != Some(notification.head.commit.as_str()));
    }
    Ok(snapshot)
}

/// For somebody's report: what is tracked about the same commit already.
pub(super) fn for_report(
    tx: &Tx<'_>,
    report: &Report,
    now: Timestamp,
) -> Result<Snapshot, StoreError> {
    let mut snapshot = counted(tx, now)?;
    if let Some(commit) = &report.commit {
        snapshot.same_commit = tx.regressions_of_commit(commit)?;
        snapshot.same_commit.retain(|r| report.kind.is_none_or(|kind| r.about.kind == kind));
    }
    Ok(snapshot)
}

/// For anything else that belongs to a regression, or to none.
pub(super) fn for_thread(
    tx: &Tx<'_>,
    regression: Option<Regression>,
    now: Timestamp,
) -> Result<Snapshot, StoreError> {
    Ok(Snapshot { regression, ..counted(tx, now)? })
}

fn counted(tx: &Tx<'_>, now: Timestamp) -> Result<Snapshot, StoreError> {
    let day = now - SignedDuration::from_hours(24);
    Ok(Snapshot {
        written_today: tx.written_since(day, "report/")?,
        unwilling: tx.opt_outs()?,
        ..Snapshot::default()
    })
}

/// Answers that this sender got within a day.
pub(super) fn answered(tx: &Tx<'_>, message: &Message, now: Timestamp) -> Result<u32, StoreError> {
    let day = now - SignedDuration::from_hours(24);
    match &message.from {
        Some(from) => tx.written_to_since(&from.email, day, "answer/"),
        None => Ok(0),
    }
}

/// What opened a regression of ours, decided again, and the lab that sent it.
pub(super) fn opened_by(
    clerk: &Clerk<'_>,
    tx: &Tx<'_>,
    regression: Option<&Regression>,
) -> Result<Option<(String, Box<Finding>)>, StoreError> {
    let Some(regression) = regression.filter(|r| r.about.ours) else { return Ok(None) };
    let Some((lab, json)) = tx.finding(regression.id())? else { return Ok(None) };
    let notification: Notification = serde_json::from_str(&json).map_err(|e| StoreError::Row {
        row: format!("finding {}", regression.id()),
        what: e.to_string(),
    })?;
    Ok(Some((lab, Box::new(results::again(clerk, tx, notification)?))))
}
