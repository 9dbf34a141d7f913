//! Step 9: steps of several series that hold, as one comparison of the commits around them.

use std::collections::BTreeMap;

use crate::bench::{Knowledge, Notification, StillOn};
use crate::report::{Finding, Pooled, Round};

use super::attribute::{Alert, Range, Recent, merge, recent};
use super::baseline::{Pool, pooled_until, two_sided};
use super::overall::Lead;
use super::past::Past;
use super::{Class, Overall, Settings, Steps, decide, overall, pair};

/// An edge is found to a commit or two only.
const SLACK: usize = 2;

/// Steps of kpis that the newest commits show and that hold, those that one commit may explain together; the largest first.
pub fn held(past: &Past, knowledge: &Knowledge) -> Vec<Range> {
    let settings = Steps::default();
    let mut alerts = Vec::new();
    for track in past.tracks() {
        if knowledge.resolve_metric(&track.metric).class != Class::Kpi {
            continue;
        }
        let (at, history) = past.history(track, |_| true);
        let Recent::Stepped(seen) = recent(&history, &settings) else { continue };
        let Some(before) = seen.index.checked_sub(1) else { continue };
        if let (Some(&from), Some(&to)) = (at.get(before), at.get(seen.index)) {
            let percent = seen.step.percent().unwrap_or_default();
            alerts.push(Alert { series: track.metric.name.clone(), from, to, percent });
        }
    }
    let mut ranges = merge(alerts, SLACK);
    let size = |range: &Range| range.alerts.first().map_or(0.0, |alert| alert.percent.abs());
    ranges.sort_by(|a, b| size(b).total_cmp(&size(a)));
    ranges
}

/// One comparison of what lies before and behind a range: all metrics, the last ten commits of the level before against the
/// commits since, each a build of its own. `None` when the gates of the pairwise decision do not all hold.
///
/// `template` gives the test, the machine and how to reproduce it. The finding is not bisected: base is the last good commit
/// that was measured, head the first bad one, and the newest commit still shows it.
pub fn hold(
    range: &Range,
    past: &Past,
    template: &Notification,
    knowledge: &Knowledge,
    settings: &Settings,
) -> Option<(Finding, Overall)> {
    let newest = past.commits().last()?;
    let sides = [past.commits().get(range.from)?.clone(), past.commits().get(range.to)?.clone()];
    let Notification { tree, test, environment, reproduce, .. } = template.clone();
    let mut n = Notification { reproduce, ..Notification::new(tree, sides, test, environment) };
    if newest.commit != n.head.commit {
        let branch = format!("{}/{}", n.tree.name, n.tree.branch);
        n.still_on = Some(StillOn { branch, commit: newest.commit.clone() });
    }
    let since = |at: usize| at >= range.to;
    let mut commits = BTreeMap::new();
    for track in past.tracks() {
        let Some((base, count)) = pooled_until(past, track, range.from) else { continue };
        let head = Pool::of(track.spots.iter().filter(|spot| since(spot.at)));
        if !head.runs.is_empty() {
            commits.insert(track.metric.name.as_str(), count);
            n.metrics.push(two_sided(track, base, head));
        }
    }
    let prior = past.prior_of(|at| at <= range.from, knowledge);
    let changes = decide(&n, knowledge, &prior, settings);
    let found = overall(&changes, &[]);
    let Some(Lead::Change(index)) = found.lead.filter(|_| found.kind.raises()) else { return None };
    let lead = &changes.get(index)?.metric;
    let metric = n.metrics.iter().find(|metric| metric.name == *lead)?;
    let resolved = knowledge.resolve_metric(metric);
    let spots = past.track(lead)?.spots.iter().filter(|spot| since(spot.at));
    let rounds: Vec<Round> = spots
        .filter(|spot| spot.median().is_some())
        .map(|spot| {
            let mut one = metric.clone();
            (one.head, one.head_builds) = (spot.runs.clone(), Some(spot.builds.clone()));
            let change = pair(&one, &resolved, &prior.of(lead), settings);
            Round {
                base_runs: change.base.n,
                head_runs: change.head.n,
                change_percent: change.change_percent,
                p: change.p,
            }
        })
        .collect();
    let base = commits.get(lead.as_str()).copied().unwrap_or_default();
    let pooled = Some(Pooled { base, head: rounds.len() });
    Some((Finding { rounds, pooled, ..Finding::new(n, changes) }, found))
}
