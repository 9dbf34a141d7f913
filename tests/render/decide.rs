//! Changes for tests: the moderated t test of the statistics page with fixed history (s0 1 %, d0 6), enough to fill a mail.

use regard::bench::{Direction, Metric, Notification};
use regard::stats::{Change, Class, Kind, Summary};
use statrs::distribution::{ContinuousCDF, StudentsT};

const PRIOR: f64 = 0.01;
const PRIOR_DF: f64 = 6.0;

/// One change a metric; kpis that changed first, as `stats` orders them.
pub(crate) fn all(notification: &Notification, build_noise: f64) -> Vec<Change> {
    let mut changes: Vec<Change> =
        notification.metrics.iter().map(|m| one(m, build_noise)).collect();
    changes.sort_by_key(|c| {
        (c.class == Class::Monitor, matches!(c.kind, Kind::Same | Kind::Suspicious))
    });
    changes
}

fn summary(runs: &[Option<f64>]) -> Summary {
    let values: Vec<f64> = runs.iter().flatten().copied().collect();
    let n = values.len();
    if n == 0 {
        return Summary { runs: runs.to_vec(), ..Summary::default() };
    }
    let mean = values.iter().sum::<f64>() / n as f64;
    let square: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    let median = f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]);
    let stddev = (n > 1).then(|| (square / (n as f64 - 1.0)).sqrt());
    Summary { n, builds: 1, mean: Some(mean), median: Some(median), stddev, runs: runs.to_vec() }
}

/// One metric.
pub(crate) fn one(metric: &Metric, build_noise: f64) -> Change {
    let (base, head) = (summary(&metric.base), summary(&metric.head));
    let class = if metric.kpi == Some(true) { Class::Kpi } else { Class::Monitor };
    let mut change = Change {
        metric: metric.name.clone(),
        unit: metric.unit.clone(),
        direction: metric.direction,
        class,
        change_percent: None,
        mean_change_percent: None,
        change_absolute: None,
        ci95: None,
        p: None,
        q: None,
        t: None,
        df: None,
        cliff: None,
        build_noise,
        bounded: metric.unit.as_deref() == Some("%"),
        kind: Kind::Same,
        reason: "no-difference".to_owned(),
        base,
        head,
    };
    let (Some(x), Some(y)) = (change.base.median, change.head.median) else {
        change.kind = if change.base.n == 0 { Kind::New } else { Kind::Gone };
        return change;
    };
    change.change_absolute = Some(y - x);
    if x == 0.0 {
        change.kind = if y == 0.0 { Kind::Same } else { worded(metric.direction, y) };
        return change;
    }
    let effect = 100.0 * (y / x - 1.0);
    change.change_percent = Some(effect);
    change.mean_change_percent =
        Some(100.0 * (change.head.mean.unwrap() / change.base.mean.unwrap() - 1.0));
    let logs = |runs: &[Option<f64>]| runs.iter().flatten().map(|v| v.ln()).collect::<Vec<f64>>();
    let (a, b) = (logs(&metric.base), logs(&metric.head));
    if a.len() < 2 || b.len() < 2 || a.iter().chain(&b).any(|v| !v.is_finite()) {
        change.kind = Kind::Insufficient;
        return change;
    }
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let square = |v: &[f64]| v.iter().map(|x| (x - mean(v)).powi(2)).sum::<f64>();
    let (m, n) = (a.len() as f64, b.len() as f64);
    let df = PRIOR_DF + m + n - 2.0;
    let variance = (PRIOR_DF * PRIOR * PRIOR + square(&a) + square(&b)) / df;
    let error = (variance * (1.0 / m + 1.0 / n) + 2.0 * build_noise * build_noise).sqrt();
    let shift = mean(&b) - mean(&a);
    let student = StudentsT::new(0.0, 1.0, df).unwrap();
    let reach = student.inverse_cdf(0.975) * error;
    let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (y - x).signum() * f64::from(y != x)));
    change.t = Some(shift / error);
    change.df = Some(df);
    change.p = Some(2.0 * student.cdf(-(shift / error).abs()));
    change.ci95 =
        Some([100.0 * ((shift - reach).exp() - 1.0), 100.0 * ((shift + reach).exp() - 1.0)]);
    change.cliff = Some(pairs.sum::<f64>() / (m * n));
    let sure = change.p < Some(0.01)
        && change.cliff.is_some_and(|d| d.abs() >= 0.8)
        && effect.abs() >= 2.0;
    if sure {
        change.kind = worded(metric.direction, effect);
        change.reason = "all-gates-hold".to_owned();
    }
    change
}

fn worded(direction: Option<Direction>, effect: f64) -> Kind {
    match direction {
        None => Kind::Change,
        Some(Direction::Higher) if effect > 0.0 => Kind::Improvement,
        Some(Direction::Lower) if effect < 0.0 => Kind::Improvement,
        Some(_) => Kind::Regression,
    }
}
