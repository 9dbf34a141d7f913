//! What a history teaches about noise: s0 within commits, sb between builds.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::numeric::{mean, median, robust_spread, squares};
use super::prior::{Noise, Prior};
use super::scale::Scale;
use super::steps::{Stepper, Steps};

/// The runs of one metric on one earlier commit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measured {
    /// Commit or tag.
    pub commit: String,
    /// One value a run; missing runs as `None`.
    pub runs: Vec<Option<f64>>,
}

impl Measured {
    /// The runs that came back.
    pub fn present(&self) -> Vec<f64> {
        super::blank::present(&self.runs)
    }

    /// Their median.
    pub fn median(&self) -> Option<f64> {
        median(&self.present())
    }
}

/// Earlier commits that are enough for a noise of a metric's own.
const OWN: usize = 5;
/// Build noise is not believed to be smaller than this share of the default: a short history underestimates it by chance.
const FLOOR: f64 = 0.5;
/// How many commits the default build noise counts for.
const DEFAULT_COMMITS: f64 = 2.0;
/// Standard errors from which on an estimate is build noise and no accident: below, caution would cost one true change in fifty.
const CLEAR: f64 = 1.25;
/// Standard errors that are added to such an estimate: too little build noise costs trust, too much only runs.
const CAUTION: f64 = 0.8;
/// A commit's variance counts for no more than this many times the usual one.
const OUTLIER: f64 = 5.0;
/// Robust standard deviations at which a difference of two commits is clipped.
const FAR: f64 = 2.5;
/// Variance of normal values over that of the same clipped at [`FAR`].
const CLIPPED: f64 = 1.035;

/// Noise of one metric from its earlier commits, oldest first, since the last step.
///
/// s0^2 is the mean of the commits' variances, outliers cut. sb^2 is what the differences d of
/// successive commits' means show beyond that, `mean(d^2) / 2 - s0^2 / n` with far ones clipped, plus 0.8 of its standard error
/// where it is larger than 1.25 of them, and drawn towards `default` (the metric's documented build noise, a fraction) while there are few commits. d0 is 6, and
/// grows with the commits to 24. `None` with fewer than five commits of two runs.
pub fn noise(history: &[Measured], bounded: bool, default: f64) -> Option<Noise> {
    let medians: Vec<Option<f64>> = history.iter().map(Measured::median).collect();
    let since = last_step(&medians);
    let recent: Vec<Vec<f64>> =
        history[since..].iter().map(Measured::present).filter(|runs| !runs.is_empty()).collect();
    let all: Vec<f64> = recent.iter().flatten().copied().collect();
    let scale = Scale::of(&all, &[], bounded);
    let level = scale.noise(1.0);
    if level <= 0.0 {
        return None;
    }
    let runs: Vec<Vec<f64>> = recent.iter().map(|runs| scale.map(runs)).collect();
    let several: Vec<&Vec<f64>> = runs.iter().filter(|runs| runs.len() >= 2).collect();
    if several.len() < OWN {
        return None;
    }
    let within = within(&several)?;
    let build = between(&runs, within, default * level);
    let weight = (several.len() as f64 / 3.0).clamp(6.0, 24.0);
    Some(Noise {
        spread: within.sqrt() / level,
        weight,
        build: Some(build / level),
        commits: several.len(),
    })
}

/// s0^2 on the scale of the runs: the mean of the commits' variances, those beyond five times their usual value cut to that.
fn within(several: &[&Vec<f64>]) -> Option<f64> {
    let variance = |runs: &&Vec<f64>| squares(runs) / (runs.len() - 1) as f64;
    let corrected: Vec<f64> = several
        .iter()
        .map(|runs| variance(runs) / median_of_chi_square((runs.len() - 1) as f64))
        .collect();
    let usual = median(&corrected)?;
    mean(&several.iter().map(|runs| variance(runs).min(OUTLIER * usual)).collect::<Vec<_>>())
}

/// The median of a chi-square with `df` degrees of freedom, divided by them (Wilson and Hilferty).
fn median_of_chi_square(df: f64) -> f64 {
    (1.0 - 2.0 / (9.0 * df)).powi(3)
}

/// sb on the scale of the runs.
fn between(runs: &[Vec<f64>], within: f64, default: f64) -> f64 {
    let means: Vec<f64> = runs.iter().filter_map(|runs| mean(runs)).collect();
    let differences: Vec<f64> = means.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (Some(spread), count) = (robust_spread(&differences), differences.len() as f64) else {
        return default;
    };
    let far = FAR * spread;
    let total =
        CLIPPED * differences.iter().map(|d| d.clamp(-far, far).powi(2)).sum::<f64>() / count / 2.0;
    let own =
        within * runs.iter().map(|runs| 1.0 / runs.len() as f64).sum::<f64>() / runs.len() as f64;
    // Successive differences share a commit: they are worth two thirds of as many independent ones.
    let error = total * (2.0 * 1.5 / count).sqrt();
    let seen = (total - own).max(0.0);
    let found = if seen > CLEAR * error { seen + CAUTION * error } else { seen };
    let drawn = (count * found + DEFAULT_COMMITS * default * default) / (count + DEFAULT_COMMITS);
    drawn.sqrt().max(FLOOR * default)
}

/// Index of the first commit after the last step.
fn last_step(medians: &[Option<f64>]) -> usize {
    let (at, values): (Vec<usize>, Vec<f64>) =
        medians.iter().enumerate().filter_map(|(i, value)| Some((i, (*value)?))).unzip();
    // A commit has thousands of series: one search with its memory for all of them.
    thread_local! {
        static STEPPER: RefCell<Stepper> = RefCell::new(Stepper::new(Steps::default()));
    }
    STEPPER
        .with_borrow_mut(|stepper| stepper.steps(&values))
        .last()
        .and_then(|step| at.get(step.index))
        .copied()
        .unwrap_or(0)
}

/// Noise of every metric of one test on one machine; metrics with little history get the suite's, worth half as much.
///
/// `histories` gives name, earlier commits, boundedness and documented build noise of each metric.
pub fn prior<'a>(
    histories: impl IntoIterator<Item = (&'a str, &'a [Measured], bool, f64)>,
) -> Prior {
    let metrics: BTreeMap<String, Noise> = histories
        .into_iter()
        .filter_map(|(name, history, bounded, default)| {
            Some((name.to_owned(), noise(history, bounded, default)?))
        })
        .collect();
    let spreads: Vec<f64> =
        metrics.values().map(|noise| noise.spread).filter(|spread| *spread > 0.0).collect();
    let suite = match median(&spreads) {
        Some(spread) if spreads.len() >= 3 => {
            Noise { spread, weight: 3.0, build: None, commits: 0 }
        }
        _ => Noise::default(),
    };
    Prior { metrics, suite }
}
