//! Step 5: functional failures, counted over runs.

use serde::{Deserialize, Serialize};

use crate::bench::{FailureCount, Notification, Side};

use super::numeric::fisher_more;
use super::words::p_value;
use super::{Kind, Settings, decide};

/// One failure, decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailureChange {
    /// Failure id: `dmesg.WARNING:at_fs/x.c`.
    pub name: String,
    /// Base runs.
    pub base: Side,
    /// Head runs.
    pub head: Side,
    /// Head rate minus base rate, in points of percent; each side by its own runs.
    pub rate_points: Option<f64>,
    /// One-sided p of Fisher's exact test, in the direction that it moved.
    pub p: f64,
    /// The conclusion: `Regression` is a new or more frequent failure, `Improvement` a rarer one.
    #[serde(rename = "verdict")]
    pub kind: Kind,
    /// Slug and what a person needs to know.
    pub reason: String,
}

/// Decides every failure count of a notification, in its order.
pub fn failures(notification: &Notification, settings: &Settings) -> Vec<FailureChange> {
    let head = notification.head_environment.as_ref();
    let invalid = head.and_then(|head| decide::difference(&notification.environment, head));
    notification
        .failures
        .iter()
        .map(|count| {
            let mut change = failure(count, settings);
            if let Some(reason) = &invalid {
                change.kind = Kind::Invalid;
                change.reason.clone_from(reason);
            }
            change
        })
        .collect()
}

/// Decides one failure count.
pub fn failure(count: &FailureCount, settings: &Settings) -> FailureChange {
    let FailureCount { name, base, head } = count;
    let rate = |side: &Side| (side.runs > 0).then(|| f64::from(side.fails) / f64::from(side.runs));
    let rates = rate(base).zip(rate(head));
    let done = |kind, p, reason: String| FailureChange {
        name: name.clone(),
        base: *base,
        head: *head,
        rate_points: rates.map(|(base, head)| 100.0 * (head - base)),
        p,
        kind,
        reason,
    };
    let Some((before, after)) = rates else {
        let reason = format!("too-few-runs: {} base and {} head", base.runs, head.runs);
        return done(Kind::Insufficient, 1.0, reason);
    };
    let counts = format!("{}:{} -> {}:{}", base.fails, base.runs, head.fails, head.runs);
    if before == after {
        return done(Kind::Same, 1.0, format!("same-rate: {counts}"));
    }
    if after < before {
        let p = fisher_more(head.fails, head.runs, base.fails, base.runs);
        let said = p_value(p);
        return if p <= settings.failure_p {
            done(Kind::Improvement, p, format!("failure-rarer: {counts}, {said}"))
        } else {
            done(Kind::Same, p, format!("within-noise: {counts}, {said}"))
        };
    }
    let p = fisher_more(base.fails, base.runs, head.fails, head.runs);
    let said = p_value(p);
    if p <= settings.failure_p {
        let slug = if base.fails == 0 { "new-failure" } else { "failure-rate" };
        return done(Kind::Regression, p, format!("{slug}: {counts}, {said}"));
    }
    if base.fails == 0 && base.runs >= settings.failure_history && head.fails >= 2 {
        return done(Kind::Regression, p, format!("never-seen-before: {counts}, {said}"));
    }
    if p <= settings.noise_p || base.fails == 0 {
        return done(Kind::Suspicious, p, format!("needs-more-runs: {counts}, {said}"));
    }
    done(Kind::Same, p, format!("within-noise: {counts}, {said}"))
}
