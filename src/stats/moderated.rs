//! Step 2: a t test whose variance borrows from earlier commits and which allows for build-to-build noise.

use super::numeric::{mean, squares, t_interval, t_p};
use super::prior::Noise;
use super::scale::Scale;

/// The outcome, on the scale it was made on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moderated {
    /// D: mean of head minus mean of base.
    pub difference: f64,
    /// s~: moderated run-to-run standard deviation.
    pub spread: f64,
    /// SE of the difference, build noise included.
    pub error: f64,
    /// D / SE; `None` when SE is 0.
    pub t: Option<f64>,
    /// Degrees of freedom.
    pub df: f64,
    /// Two-sided p; `None` when SE is 0.
    pub p: Option<f64>,
    /// Half the width of the 95 % confidence interval of D.
    pub half_width: f64,
}

/// Compares two sides of at least one value each and three together.
///
/// `s~^2 = (d0 s0^2 + (m + n - 2) s^2) / (d0 + m + n - 2)`, `SE^2 = s~^2 (1/m + 1/n) + sb^2 (1/bm + 1/bn)` where bm and bn
/// count the builds of each side (1 where nobody said); `df = d0 + m + n - 2`. `build` is sb, a fraction.
pub fn moderated(
    base: &[f64],
    head: &[f64],
    scale: Scale,
    noise: &Noise,
    build: f64,
    builds: [f64; 2],
) -> Moderated {
    let (x, y) = (scale.map(base), scale.map(head));
    let (m, n) = (x.len() as f64, y.len() as f64);
    let own = (m + n - 2.0).max(0.0);
    let weight = sane(noise.weight, 1000.0);
    let df = weight + own;
    let prior = weight * scale.noise(sane(noise.spread, 10.0)).powi(2);
    let variance = if df > 0.0 { (prior + squares(&x) + squares(&y)) / df } else { 0.0 };
    let build = scale.noise(sane(build, 10.0));
    let error = (variance * (1.0 / m + 1.0 / n)
        + build.powi(2) * (1.0 / builds[0] + 1.0 / builds[1]))
        .sqrt();
    let difference = mean(&y).unwrap_or_default() - mean(&x).unwrap_or_default();
    // Rounding leaves a spread of some 1e-16 in logs of equal values.
    let exact = error <= 1e-12 * scale.noise(1.0).max(f64::MIN_POSITIVE);
    let t = (!exact).then(|| difference / error);
    Moderated {
        difference,
        spread: variance.sqrt(),
        error,
        t,
        df,
        p: t.map(|t| t_p(t, df)),
        half_width: if exact { 0.0 } else { t_interval(df) * error },
    }
}

/// History may come from anywhere: a noise of more than 1000 % or worth more than a thousand runs is nonsense.
fn sane(value: f64, most: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, most) }
}

/// How many builds the runs are worth: (sum of runs)^2 / sum of squares of the runs of each build; 1 where nobody said.
pub(super) fn effective_builds(builds: Option<&[u32]>, runs: &[Option<f64>]) -> f64 {
    let Some(builds) = builds.filter(|builds| builds.len() == runs.len()) else {
        return 1.0;
    };
    let mut counts = std::collections::BTreeMap::new();
    for (build, _) in builds.iter().zip(runs).filter(|(_, run)| run.is_some()) {
        *counts.entry(build).or_insert(0.0) += 1.0;
    }
    let total: f64 = counts.values().sum();
    let squares: f64 = counts.values().map(|count| count * count).sum();
    if squares > 0.0 { total * total / squares } else { 1.0 }
}
