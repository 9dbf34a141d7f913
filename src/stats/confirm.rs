//! Step 8: a second round on fresh builds, joined with the first.

use std::collections::HashMap;

use crate::bench::{FailureCount, Metric, Notification, Side};
use crate::report::{Finding, Round};

use super::blank::{present, summarise};
use super::numeric::{mean, t_interval, t_p};
use super::scale::Scale;
use super::words::{p_value, percent};
use super::{Change, Class, Kind, Settings, failure};

/// Largest p of the second round.
const SECOND: f64 = 0.05;
/// Largest p of both rounds together.
const TOGETHER: f64 = 0.0005;
/// Smallest mean of the rounds' Cliff's deltas.
const SEPARATED: f64 = 0.8;
/// The rounds' effects may differ by this factor.
const FACTOR: f64 = 2.0;

/// Joins two rounds of one comparison, when the second bears out a kpi (or a failure) of the first.
///
/// A kpi is borne out when both rounds point the same way, both effects matter and lie within a factor of 2, the second round
/// has p <= 0.05 and both together p <= 0.0005. The joined finding holds the runs of both, with the builds of the second counted
/// on; its test pools the rounds, each against its own base, so that a drift of the machine between them does no harm.
/// Kpis that are not borne out become inconclusive.
///
/// # Errors
/// The reason why nothing was borne out, a slug and a sentence.
pub fn confirm(first: &Finding, second: &Finding) -> Result<Finding, String> {
    comparable(&first.notification, &second.notification)?;
    let again: HashMap<&str, &Change> =
        second.changes.iter().map(|change| (change.metric.as_str(), change)).collect();
    let [first_metrics, second_metrics] =
        [first, second].map(|finding| by_name(&finding.notification));
    let mut changes = Vec::with_capacity(first.changes.len());
    let mut refused: Option<String> = None;
    let mut agreed = false;
    let notification = join(&first.notification, &second.notification);
    let all = by_name(&notification);
    for change in &first.changes {
        let name = change.metric.as_str();
        let Some(&metric) = all.get(name) else { continue };
        let Some(&other) = again.get(name) else {
            changes.push(change.clone());
            continue;
        };
        let rounds = [first_metrics.get(name).copied(), second_metrics.get(name).copied()];
        let joined = pool(change, other, metric, rounds);
        let verdict = borne_out(change, other, &joined);
        agreed |= verdict.is_ok() && change.class == Class::Kpi;
        changes.push(match verdict {
            Ok(kind) => {
                let reason = format!(
                    "confirmed: two rounds, {}",
                    joined.p.map_or("exact".to_owned(), p_value)
                );
                Change { kind, reason, ..joined }
            }
            Err(reason) => {
                if change.class == Class::Kpi
                    && (change.raises() || change.kind == Kind::Suspicious)
                {
                    refused.get_or_insert_with(|| format!("{reason} ({})", change.metric));
                }
                let kind = if change.kind == Kind::Same && other.kind == Kind::Same {
                    Kind::Same
                } else {
                    Kind::Inconclusive
                };
                Change { kind, reason, ..joined }
            }
        });
    }
    let settings = Settings::default();
    agreed |= notification
        .failures
        .iter()
        .any(|count| failure(count, &settings).kind == Kind::Regression);
    if !agreed {
        return Err(refused
            .unwrap_or_else(|| "nothing-to-confirm: the first round found no change".to_owned()));
    }
    let rounds = if first.rounds.is_empty() { vec![round(first)] } else { first.rounds.clone() };
    let rounds = rounds.into_iter().chain([round(second)]).collect();
    let (history, pooled) = (first.history.clone(), first.pooled);
    Ok(Finding { notification, changes, rounds, history, pooled })
}

/// Whether the second round repeats the first.
fn comparable(first: &Notification, second: &Notification) -> Result<(), String> {
    if first.base.commit != second.base.commit || first.head.commit != second.head.commit {
        return Err("other-commits: the second round ran on other commits".to_owned());
    }
    if first.test.name != second.test.name || first.test.parameters != second.test.parameters {
        return Err("other-test: the second round ran another test".to_owned());
    }
    match first.environment.first_difference(&second.environment) {
        Some((key, here, there)) => Err(format!("environment-differs: {key} {here} / {there}")),
        None => Ok(()),
    }
}

fn by_name(notification: &Notification) -> HashMap<&str, &Metric> {
    notification.metrics.iter().map(|metric| (metric.name.as_str(), metric)).collect()
}

/// Both rounds' runs in one notification; the builds of the second are counted on.
fn join(first: &Notification, second: &Notification) -> Notification {
    let mut joined = first.clone();
    let others = by_name(second);
    for metric in &mut joined.metrics {
        let Some(other) = others.get(metric.name.as_str()) else { continue };
        metric.base_builds =
            Some(builds(&metric.base_builds, &metric.base, &other.base_builds, &other.base));
        metric.head_builds =
            Some(builds(&metric.head_builds, &metric.head, &other.head_builds, &other.head));
        metric.base.extend_from_slice(&other.base);
        metric.head.extend_from_slice(&other.head);
    }
    for count in &mut joined.failures {
        if let Some(other) = second.failures.iter().find(|other| other.name == count.name) {
            *count = FailureCount {
                name: count.name.clone(),
                base: sum(count.base, other.base),
                head: sum(count.head, other.head),
            };
        }
    }
    joined
}

fn sum(a: Side, b: Side) -> Side {
    Side { fails: a.fails.saturating_add(b.fails), runs: a.runs.saturating_add(b.runs) }
}

fn builds(
    first: &Option<Vec<u32>>,
    first_runs: &[Option<f64>],
    second: &Option<Vec<u32>>,
    second_runs: &[Option<f64>],
) -> Vec<u32> {
    let given = |builds: &Option<Vec<u32>>, runs: &[Option<f64>]| {
        builds
            .clone()
            .filter(|builds| builds.len() == runs.len())
            .unwrap_or_else(|| vec![0; runs.len()])
    };
    let mut all = given(first, first_runs);
    let next = all.iter().max().map_or(0, |last| last.saturating_add(1));
    all.extend(given(second, second_runs).into_iter().map(|build| build.saturating_add(next)));
    all
}

/// Pools the rounds: each round's difference, weighted by its precision.
fn pool(first: &Change, second: &Change, metric: &Metric, rounds: [Option<&Metric>; 2]) -> Change {
    let (base, head) = (present(&metric.base), present(&metric.head));
    let scale = Scale::of(&base, &head, first.bounded);
    let mut weights = 0.0;
    let mut weighted = 0.0;
    let mut df = 0.0;
    for (change, metric) in [first, second].into_iter().zip(rounds) {
        let Some(metric) = metric else { continue };
        let difference = mean(&scale.map(&present(&metric.head)))
            .zip(mean(&scale.map(&present(&metric.base))))
            .map(|(head, base)| head - base);
        if let (Some(difference), Some(t), Some(own)) = (difference, change.t, change.df)
            && t != 0.0
            && difference != 0.0
        {
            let weight = (t / difference).powi(2);
            weights += weight;
            weighted += weight * difference;
            df += own;
        }
    }
    let mut joined = Change {
        base: summarise(&metric.base, metric.base_builds.as_deref()),
        head: summarise(&metric.head, metric.head_builds.as_deref()),
        cliff: first.cliff.zip(second.cliff).map(|(a, b)| f64::midpoint(a, b)),
        t: None,
        p: None,
        q: None,
        df: None,
        ci95: None,
        ..first.clone()
    };
    joined.measure();
    if weights > 0.0 && weights.is_finite() {
        let (difference, error) = (weighted / weights, weights.sqrt().recip());
        let t = difference / error;
        let reach = t_interval(df) * error;
        let level = joined.base.mean.unwrap_or_default();
        joined.t = Some(t);
        joined.df = Some(df);
        joined.p = Some(t_p(t, df));
        joined.ci95 = scale
            .percent(difference - reach, level)
            .zip(scale.percent(difference + reach, level))
            .map(|(low, high)| [low, high]);
    }
    joined
}

/// The word of both rounds, or why there is none.
fn borne_out(first: &Change, second: &Change, joined: &Change) -> Result<Kind, String> {
    let matters = |change: &Change| {
        matches!(
            change.kind,
            Kind::Regression | Kind::Improvement | Kind::Change | Kind::Suspicious
        )
    };
    if !matters(first) {
        return Err(first.reason.clone());
    }
    let (a, b) = (effect(first), effect(second));
    let effects = format!("{} / {}", percent(a), percent(b));
    if a * b < 0.0 {
        return Err(format!("sign-differs: {effects}"));
    }
    if second.p.is_some_and(|p| p > SECOND) {
        return Err(format!(
            "not-seen-again: {effects}, second round {}",
            second.p.map_or_else(String::new, p_value)
        ));
    }
    if !matters(second) {
        return Err(format!("not-seen-again: second round {}", second.reason));
    }
    if a.abs() > FACTOR * b.abs() || b.abs() > FACTOR * a.abs() {
        return Err(format!("effect-differs: {effects}"));
    }
    let apart = joined.cliff.unwrap_or_default().abs();
    if apart < SEPARATED {
        return Err(format!(
            "overlap: runs of both sides mix (Cliff {apart:.2} in the mean, {SEPARATED} decides)"
        ));
    }
    match joined.p {
        Some(p) if p > TOGETHER => Err(format!("weak-together: {effects}, {}", p_value(p))),
        _ => Ok(joined.direction_kind()),
    }
}

fn effect(change: &Change) -> f64 {
    let relative = if change.bounded { None } else { change.change_percent };
    relative.or(change.change_absolute).unwrap_or_default()
}

fn round(finding: &Finding) -> Round {
    let lead = finding
        .headline()
        .or_else(|| finding.changes.iter().find(|change| change.kind == Kind::Suspicious));
    Round {
        base_runs: lead.map_or(0, |change| change.base.n),
        head_runs: lead.map_or(0, |change| change.head.n),
        change_percent: lead.and_then(|change| change.change_percent),
        p: lead.and_then(|change| change.p),
    }
}
