//! The pairwise decision, steps 0 to 7 of `docs/statistics.md`.

use crate::bench::{Direction, Environment, Knowledge, Metric, Notification, Resolved};

use super::blank::{blank, present};
use super::moderated::{Moderated, effective_builds, moderated};
use super::numeric::{cliff, fisher_either, fisher_more, median};
use super::prior::{Noise, Prior};
use super::scale::Scale;
use super::settings::Settings;
use super::size::Size;
use super::words::{number, p_value, percent};
use super::{Change, Kind, family, modes};

/// Decides every metric of a notification, in its order.
///
/// The family of step 7 is this notification; [`family`] over the changes of all tests of a commit widens it.
pub fn decide(
    notification: &Notification,
    knowledge: &Knowledge,
    prior: &Prior,
    settings: &Settings,
) -> Vec<Change> {
    let difference = notification
        .head_environment
        .as_ref()
        .and_then(|head| difference(&notification.environment, head));
    let mut changes: Vec<Change> = notification
        .metrics
        .iter()
        .map(|metric| {
            let resolved = knowledge.resolve_metric(metric);
            match &difference {
                Some(reason) => blank(metric, &resolved).conclude(Kind::Invalid, reason.clone()),
                None => pair(metric, &resolved, &prior.of(&metric.name), settings),
            }
        })
        .collect();
    family(changes.iter_mut(), settings);
    changes
}

/// `environment-differs: machine lab-a / lab-b`, or `None` when the sides can be compared.
pub(super) fn difference(base: &Environment, head: &Environment) -> Option<String> {
    let (key, here, there) = base.first_difference(head)?;
    Some(format!("environment-differs: {key} {here} / {there}"))
}

/// Decides one metric alone.
pub fn pair(metric: &Metric, resolved: &Resolved, noise: &Noise, settings: &Settings) -> Change {
    let change = blank(metric, resolved);
    if metric.base.is_empty() || metric.head.is_empty() {
        return one_sided(change, metric);
    }
    let (base, head) = (present(&metric.base), present(&metric.head));
    let fewest = base.len().min(head.len());
    if fewest < 2 {
        let reason = format!(
            "too-few-runs: {} base and {} head, {} a side decide",
            base.len(),
            head.len(),
            settings.decisive_runs
        );
        return change.conclude(Kind::Insufficient, reason);
    }
    if median(&base) == Some(0.0) && !resolved.bounded {
        return from_zero(change, &base, &head, resolved, settings);
    }
    compare(change, metric, &Pair { base, head, fewest }, resolved, noise, settings)
}

struct Pair {
    base: Vec<f64>,
    head: Vec<f64>,
    fewest: usize,
}

fn compare(
    mut change: Change,
    metric: &Metric,
    pair: &Pair,
    resolved: &Resolved,
    noise: &Noise,
    settings: &Settings,
) -> Change {
    let Pair { base, head, fewest } = pair;
    let scale = Scale::of(base, head, resolved.bounded);
    let build = noise.build.unwrap_or(resolved.noise);
    let builds = [
        effective_builds(metric.base_builds.as_deref(), &metric.base),
        effective_builds(metric.head_builds.as_deref(), &metric.head),
    ];
    let test = moderated(base, head, scale, noise, build, builds);
    let base_mean = change.base.mean.unwrap_or_default();
    change.build_noise = build;
    change.p = test.p;
    change.t = test.t;
    change.df = test.t.map(|_| test.df);
    change.cliff = Some(cliff(base, head));
    change.ci95 = scale
        .percent(test.difference - test.half_width, base_mean)
        .zip(scale.percent(test.difference + test.half_width, base_mean))
        .map(|(low, high)| [low, high]);

    let size = Size::of(&change, resolved, build);
    let Some(p) = test.p else {
        return exact(change, &size, *fewest, settings);
    };
    if let Some(verdict) = two_modes(&change, pair, scale, noise, &size, settings) {
        return change.conclude(verdict.0, verdict.1);
    }
    let (kind, reason) = gates(&change, &test, &size, *fewest, p, settings);
    let reason = match skewed(&change) {
        Some(note) => format!("{reason}; {note}"),
        None => reason,
    };
    change.conclude(kind, reason)
}

/// Steps 3 and 4 and the three-way outcome of step 8.
fn gates(
    change: &Change,
    test: &Moderated,
    size: &Size,
    fewest: usize,
    p: f64,
    settings: &Settings,
) -> (Kind, String) {
    let said = p_value(p);
    let too_wide = change.ci95.is_some_and(|[low, high]| {
        !size.bounded
            && (high.max(-low) > settings.widest.max(3.0 * size.needed))
            && p > settings.alpha
    });
    if p > settings.noise_p || !size.enough {
        return match change.ci95 {
            Some([low, high]) if too_wide && !(size.enough && p <= settings.noise_p) => (
                Kind::Inconclusive,
                format!(
                    "too-much-spread: anything from {} to {} fits these runs",
                    percent(low),
                    percent(high)
                ),
            ),
            _ if p > settings.noise_p => (Kind::Same, format!("within-noise: {said}")),
            _ => (Kind::Same, format!("below-effect-floor: {}", size.said)),
        };
    }
    let delta = change.cliff.unwrap_or_default().abs();
    let apart = if fewest <= 3 { 1.0 } else { 0.8 };
    if fewest < settings.decisive_runs {
        let runs = format!("too-few-runs: {}+{}", change.base.n, change.head.n);
        return (
            Kind::Suspicious,
            format!("{runs}, {} a side decide ({said})", settings.decisive_runs),
        );
    }
    if p > settings.alpha {
        return (Kind::Suspicious, format!("weak-evidence: {said}, {} decides", settings.alpha));
    }
    if delta < apart {
        return (
            Kind::Suspicious,
            format!("overlap: runs of both sides mix (Cliff {delta:.2}, {apart} decides), {said}"),
        );
    }
    let t = test.t.unwrap_or_default();
    (change.direction_kind(), format!("moderated-t: {said} (t {t:.2}, df {:.0})", test.df))
}

/// Step 2's last sentence: without any spread, a difference is real.
fn exact(change: Change, size: &Size, fewest: usize, settings: &Settings) -> Change {
    if !size.differs {
        return change.conclude(Kind::Same, "exact: no difference and no spread".to_owned());
    }
    if !size.enough {
        let reason = format!("below-effect-floor: {}", size.said);
        return change.conclude(Kind::Same, reason);
    }
    if fewest < settings.decisive_runs {
        let reason = format!("too-few-runs: {}+{}, no spread", change.base.n, change.head.n);
        return change.conclude(Kind::Suspicious, reason);
    }
    let kind = change.direction_kind();
    change.conclude(kind, "exact-counter: every run of a side gives the same number".to_owned())
}

/// Step 6.
fn two_modes(
    change: &Change,
    pair: &Pair,
    scale: Scale,
    noise: &Noise,
    size: &Size,
    settings: &Settings,
) -> Option<(Kind, String)> {
    let (x, y) = (scale.map(&pair.base), scale.map(&pair.head));
    let known = if noise.weight > 0.0 { scale.noise(noise.spread) } else { 0.0 };
    let level = scale.noise(1.0);
    let found = [modes::split(&x, known, level), modes::split(&y, known, level)];
    let widest = found.into_iter().flatten().max_by(|a, b| a.gap.total_cmp(&b.gap))?;
    // Sides further apart than the modes are: the modes do not explain the difference.
    if modes::distance(&x, &y) > widest.gap {
        return None;
    }
    let slow = |values: &[f64]| match change.direction {
        Some(Direction::Higher) => {
            values.iter().filter(|value| **value < widest.cut).count() as u32
        }
        _ => values.iter().filter(|value| **value > widest.cut).count() as u32,
    };
    let (base, head) = ((slow(&x), x.len() as u32), (slow(&y), y.len() as u32));
    let word = if change.direction.is_some() { "slow" } else { "upper" };
    let shares = format!("{word} runs {}:{} -> {}:{}", base.0, base.1, head.0, head.1);
    if pair.fewest < settings.modal_runs {
        let wanted = settings.modal_runs;
        return Some((
            Kind::Inconclusive,
            format!("bimodal: {shares}, {wanted} runs a side are needed"),
        ));
    }
    let p = fisher_either(base.0, base.1, head.0, head.1);
    let said = p_value(p);
    if p > settings.noise_p || !size.any_mode(widest.gap, scale) {
        return Some((Kind::Same, format!("mode-shares: {shares}, {said}")));
    }
    if p > settings.alpha {
        return Some((Kind::Suspicious, format!("mode-shares: {shares}, {said}")));
    }
    let more = f64::from(head.0) / f64::from(head.1) > f64::from(base.0) / f64::from(base.1);
    let kind = match change.direction {
        None => Kind::Change,
        Some(_) if more => Kind::Regression,
        Some(_) => Kind::Improvement,
    };
    Some((kind, format!("mode-shares: {shares}, {said}")))
}

/// Base is zero: no percentage exists.
fn from_zero(
    mut change: Change,
    base: &[f64],
    head: &[f64],
    resolved: &Resolved,
    settings: &Settings,
) -> Change {
    change.change_percent = None;
    change.mean_change_percent = None;
    change.cliff = Some(cliff(base, head));
    let absolute = change.change_absolute.unwrap_or_default();
    if base.iter().chain(head).all(|value| *value == 0.0) {
        return change.conclude(Kind::Same, "exact: zero on both sides".to_owned());
    }
    if absolute.abs() < resolved.floor {
        let reason = format!(
            "below-effect-floor: {} is less than {}",
            number(absolute),
            number(resolved.floor)
        );
        return change.conclude(Kind::Same, reason);
    }
    let counts = base.iter().chain(head).all(|value| *value >= 0.0 && value.fract() == 0.0);
    if !counts && absolute == 0.0 {
        return change
            .conclude(Kind::Same, "within-noise: the medians of both sides are zero".to_owned());
    }
    if !counts {
        let reason = format!("zero-base: 0 -> {}, no percentage exists", number(absolute));
        return change.conclude(Kind::Inconclusive, reason);
    }
    let seen = |values: &[f64]| values.iter().filter(|value| **value > 0.0).count() as u32;
    let (b, h) = (seen(base), seen(head));
    let p = fisher_more(b, base.len() as u32, h, head.len() as u32);
    let shares = format!("seen in {b}:{} -> {h}:{} runs, {}", base.len(), head.len(), p_value(p));
    let kind = match p {
        p if p <= settings.failure_p && base.len().min(head.len()) >= settings.decisive_runs => {
            change.rise_kind()
        }
        p if p <= settings.noise_p => Kind::Suspicious,
        _ => Kind::Same,
    };
    change.conclude(kind, format!("zero-base: {shares}"))
}

fn one_sided(change: Change, metric: &Metric) -> Change {
    match (metric.base.is_empty(), metric.head.is_empty()) {
        (true, false) => {
            change.conclude(Kind::New, "no-base: only head has this metric".to_owned())
        }
        (false, true) => {
            change.conclude(Kind::Gone, "no-head: only base has this metric".to_owned())
        }
        _ => change.conclude(Kind::Insufficient, "too-few-runs: 0 base and 0 head".to_owned()),
    }
}

/// Mean and median tell different stories.
fn skewed(change: &Change) -> Option<String> {
    let (by_mean, by_median) = (change.mean_change_percent?, change.change_percent?);
    let larger = by_mean.abs().max(by_median.abs());
    if larger < 1.0 || (by_mean - by_median).abs() <= larger / 3.0 {
        return None;
    }
    Some(format!("skewed: {} by means, {} by medians", percent(by_mean), percent(by_median)))
}
