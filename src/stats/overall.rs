//! What all metrics and failures of a notification come to: the word of the mail, if there is to be one.

use serde::{Deserialize, Serialize};

use super::{Change, Class, FailureChange, Kind};

/// The conclusion of one or several tests of a commit pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Overall {
    /// The word.
    pub kind: OverallKind,
    /// Slug and what a person needs to know.
    pub reason: String,
    /// Another round should run before anybody is written to: the evidence is weak, or a single kpi stands alone.
    pub needs_confirmation: bool,
    /// What the title is about.
    pub lead: Option<Lead>,
}

/// Which entry leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lead {
    /// Index into the changes.
    Change(usize),
    /// Index into the failures.
    Failure(usize),
}

/// The word of a whole notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OverallKind {
    /// Kpis got worse.
    Regression,
    /// Kpis got better.
    Improvement,
    /// Kpis changed, nobody knows whether for the better.
    Change,
    /// Some worse, some better.
    Mixed,
    /// A functional failure appeared or became more frequent.
    Failure,
    /// Not enough to write to people; another round is due.
    Suspicious,
    /// No kpi changed.
    Same,
    /// These runs cannot tell.
    Inconclusive,
    /// Too few runs.
    Insufficient,
    /// The sides cannot be compared.
    Invalid,
}

impl OverallKind {
    /// Whether it is worth a report.
    pub fn raises(self) -> bool {
        matches!(
            self,
            Self::Regression | Self::Improvement | Self::Change | Self::Mixed | Self::Failure
        )
    }
}

/// Sums up. Only kpis and failures count; monitors never change the word.
pub fn overall(changes: &[Change], failures: &[FailureChange]) -> Overall {
    let done = |kind, lead, needs_confirmation, reason: String| Overall {
        kind,
        reason,
        needs_confirmation,
        lead,
    };
    if let Some((index, failure)) = worst_failure(failures, Kind::Regression) {
        let reason = format!("{} ({})", failure.reason, failure.name);
        return done(OverallKind::Failure, Some(Lead::Failure(index)), false, reason);
    }
    let kpis = || changes.iter().enumerate().filter(|(_, change)| change.class == Class::Kpi);
    let worst = |kind: Kind| {
        kpis()
            .filter(|(_, change)| change.kind == kind)
            .max_by(|(_, a), (_, b)| weight(a).total_cmp(&weight(b)))
            .map(|(index, change)| (index, change.reason.clone()))
    };
    let count = |kind: Kind| kpis().filter(|(_, change)| change.kind == kind).count();
    let [down, up, other] = [Kind::Regression, Kind::Improvement, Kind::Change].map(count);
    let raised = [
        (Kind::Regression, OverallKind::Regression),
        (Kind::Improvement, OverallKind::Improvement),
        (Kind::Change, OverallKind::Change),
    ];
    for (kind, word) in raised {
        let Some((index, reason)) = worst(kind) else {
            continue;
        };
        let mixed = down > 0 && up > 0;
        let word = if mixed { OverallKind::Mixed } else { word };
        // Kpis that moved the same way vouch for each other; a second build a side is a round of its own.
        let agree = down.max(up).max(other) >= 2;
        let rebuilt = changes
            .get(index)
            .is_some_and(|change| change.base.builds >= 2 && change.head.builds >= 2);
        let lone = !(agree || rebuilt);
        let reason = match (mixed, lone) {
            (true, _) => format!("mixed: {down} worse, {up} better; {reason}"),
            (false, true) => format!("lone-kpi: {reason}"),
            (false, false) => reason,
        };
        return done(word, Some(Lead::Change(index)), lone, reason);
    }
    if let Some((index, failure)) = worst_failure(failures, Kind::Suspicious) {
        let reason = format!("{} ({})", failure.reason, failure.name);
        return done(OverallKind::Suspicious, Some(Lead::Failure(index)), true, reason);
    }
    let unclear = count(Kind::Inconclusive) > count(Kind::Same);
    let (middle, word) = if unclear {
        (Kind::Inconclusive, OverallKind::Inconclusive)
    } else {
        (Kind::Same, OverallKind::Same)
    };
    let quiet = [
        (Kind::Suspicious, OverallKind::Suspicious),
        (Kind::Invalid, OverallKind::Invalid),
        (Kind::Gone, OverallKind::Inconclusive),
        (middle, word),
        (Kind::Insufficient, OverallKind::Insufficient),
        (Kind::New, OverallKind::Insufficient),
    ];
    for (kind, word) in quiet {
        if let Some((index, reason)) = worst(kind) {
            return done(word, Some(Lead::Change(index)), kind == Kind::Suspicious, reason);
        }
    }
    if let Some((index, failure)) = worst_failure(failures, Kind::Invalid) {
        return done(
            OverallKind::Invalid,
            Some(Lead::Failure(index)),
            false,
            failure.reason.clone(),
        );
    }
    let rarer = worst_failure(failures, Kind::Improvement).map(|(index, _)| Lead::Failure(index));
    done(
        OverallKind::Same,
        rarer,
        false,
        "no-kpi: only monitors, and failures that are no more frequent".to_owned(),
    )
}

/// How much a change matters: its size relative to noise, then in percent.
fn weight(change: &Change) -> f64 {
    change.change_percent.or(change.change_absolute).unwrap_or_default().abs()
}

fn worst_failure(failures: &[FailureChange], kind: Kind) -> Option<(usize, &FailureChange)> {
    failures
        .iter()
        .enumerate()
        .filter(|(_, failure)| failure.kind == kind)
        .min_by(|(_, a), (_, b)| a.p.total_cmp(&b.p))
}
