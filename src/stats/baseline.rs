//! Step 9: a head alone, against the level that earlier commits make.

use crate::bench::{Knowledge, Metric, Notification, Unit};
use crate::report::{Finding, Pooled};

use super::level::{Level, level};
use super::overall::Lead;
use super::past::{Past, Spot, Track};
use super::{Kind, Overall, OverallKind, Settings, Steps, decide, failures, family_among, overall};

/// Commits of one level from which a head alone is judged.
pub const LEVEL: usize = 6;
/// The last commits of a level that are pooled, each a build of its own.
pub const POOL: usize = 10;

/// Runs of several commits as one side.
#[derive(Debug, Default)]
pub(super) struct Pool {
    pub(super) runs: Vec<Option<f64>>,
    pub(super) builds: Vec<u32>,
}

impl Pool {
    /// Every build of every commit is counted on.
    pub(super) fn of<'a>(spots: impl IntoIterator<Item = &'a Spot>) -> Self {
        let mut pool = Pool::default();
        for spot in spots {
            let next = pool.builds.iter().max().map_or(0, |last| last + 1);
            pool.runs.extend_from_slice(&spot.runs);
            pool.builds.extend(spot.builds.iter().map(|build| build + next));
        }
        pool
    }
}

/// What a metric is compared against.
struct Baseline {
    level: Level,
    /// Place of the last commit of the level.
    last: usize,
    /// Commits in the pool.
    count: usize,
    pool: Pool,
}

/// The last commits of the level before `wanted` ends; the number of commits on the level where they are too few.
fn baseline(past: &Past, track: &Track, wanted: impl Fn(usize) -> bool) -> Result<Baseline, usize> {
    let (at, history) = past.history(track, wanted);
    let level = level(&history, &Steps::default()).ok_or(0usize)?;
    let chosen = level.commits.len();
    if chosen < LEVEL {
        return Err(chosen);
    }
    let places: Vec<usize> = level.commits[chosen.saturating_sub(POOL)..]
        .iter()
        .filter_map(|i| at.get(*i).copied())
        .collect();
    let spots = track.spots.iter().filter(|spot| places.contains(&spot.at));
    let pool = Pool::of(spots);
    let last = places.last().copied().unwrap_or_default();
    Ok(Baseline { last, count: places.len(), level, pool })
}

/// Base runs for a metric from the commits at or before a place, and how many commits those are; `None` where there is no
/// level.
pub(super) fn pooled_until(past: &Past, track: &Track, until: usize) -> Option<(Pool, usize)> {
    baseline(past, track, |at| at <= until).ok().map(|found| (found.pool, found.count))
}

/// Decides results without a base against what is stored of each series.
///
/// Base is the level before head: the last ten commits since the last step, without spikes, each a build of its own; its name is
/// the last of them. One commit alone is never enough for a report (it may be a spike): what passes all gates is suspicious
/// and wants a second round, unless the commits before it lie apart already. With fewer than six commits a metric is
/// insufficient. `others` are the p of kpis that other tests of the same head had.
pub fn head_alone(
    notification: &Notification,
    past: &Past,
    others: &[f64],
    knowledge: &Knowledge,
    settings: &Settings,
) -> (Finding, Overall) {
    let before = past.until(&notification.head.commit);
    let mut n = notification.clone();
    let mut levels: Vec<Result<Baseline, usize>> = Vec::with_capacity(n.metrics.len());
    for metric in &mut n.metrics {
        let found = match past.track(&metric.name) {
            Some(track) => baseline(past, track, &before).map(|found| (track, found)),
            None => Err(0),
        };
        let found = found.and_then(|(track, found)| {
            let unit = track.metric.unit.as_deref();
            let factor = Unit::factor(unit, metric.unit.as_deref()).ok_or(0usize)?;
            Ok((factor, found))
        });
        levels.push(found.map(|(factor, found)| {
            metric.base = found.pool.runs.iter().map(|run| run.map(|v| v * factor)).collect();
            metric.base_builds = Some(found.pool.builds.clone());
            found
        }));
    }
    let mut changes = decide(&n, knowledge, &past.prior(notification, knowledge), settings);
    family_among(changes.iter_mut(), others, settings);
    for (change, level) in changes.iter_mut().zip(&levels) {
        if let Err(have) = level {
            change.kind = Kind::Insufficient;
            change.reason = format!(
                "no-history: {have} of the {LEVEL} earlier commits that make a level are measured, {} more are needed",
                LEVEL - have
            );
        }
    }
    let found = overall(&changes, &failures(&n, settings));
    if found.kind == OverallKind::Failure {
        return (Finding::new(n, changes), found);
    }
    let lead = match found.lead {
        Some(Lead::Change(index)) => levels.get(index).and_then(|level| level.as_ref().ok()),
        _ => None,
    };
    let newest = (0..past.commits().len()).rev().find(|at| before(*at));
    if let Some(at) = lead.map(|lead| lead.last).or(newest) {
        n.base = past.commits()[at].clone();
    }
    let above = lead_rises(&found, &changes);
    let unsettled =
        lead.filter(|lead| lead.level.above == above).map_or(0, |lead| lead.level.unsettled);
    let overall = cautious(found, unsettled);
    let pooled = lead.map(|lead| Pooled { base: lead.count, head: 1 });
    (Finding { pooled, ..Finding::new(n, changes) }, overall)
}

fn lead_rises(found: &Overall, changes: &[super::Change]) -> bool {
    match found.lead {
        Some(Lead::Change(index)) => {
            changes.get(index).and_then(|c| c.change_absolute).unwrap_or_default() > 0.0
        }
        _ => false,
    }
}

/// One commit may be a spike: nothing of it goes to people before it is seen again.
fn cautious(found: Overall, unsettled: usize) -> Overall {
    let side = Steps::default().side;
    match found.kind {
        kind if kind.raises() && unsettled > 0 => Overall {
            kind: OverallKind::Inconclusive,
            reason: format!(
                "unsettled: {} commits in a row lie apart from the level, {side} make a step",
                unsettled + 1
            ),
            needs_confirmation: false,
            ..found
        },
        kind if kind.raises() => Overall {
            kind: OverallKind::Suspicious,
            reason: format!("lone-commit: {}", found.reason),
            needs_confirmation: true,
            ..found
        },
        // The next commit comes by itself: nobody is asked for runs because of weak evidence.
        OverallKind::Suspicious => {
            Overall { kind: OverallKind::Inconclusive, needs_confirmation: false, ..found }
        }
        _ => found,
    }
}

/// A metric of a track with both sides.
pub(super) fn two_sided(track: &Track, base: Pool, head: Pool) -> Metric {
    Metric {
        base: base.runs,
        base_builds: Some(base.builds),
        head: head.runs,
        head_builds: Some(head.builds),
        ..track.metric.clone()
    }
}
