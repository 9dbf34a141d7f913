//! Steps of a history as regard trusts them: E-divisive candidates, then what spikes, drifts and two modes must not pass.
//!
//! 1. Logs, where all values are positive; spikes are clipped to what their neighbours show, so that one bad night moves nothing.
//! 2. E-divisive with means in windows of 50, t test, as [`super::hunter`] does it.
//! 3. Each step is moved to where the two levels meet best.
//! 4. A step must have `side` points on each side, differ by `magnitude` and by `deviations` of the noise, and pass the t test
//!    and a rank test (two modes and heavy tails fail one of them); stretches that are too short are spikes and go, and so does a
//!    longer bump of up to three times `side` after which the old level is back.

use super::hunter::{Hunter, Search};
use super::numeric::{cliff, mean, median, robust_spread, t_p};

/// Parameters; the defaults are the documented ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Steps {
    /// Points a window: 50.
    pub window: usize,
    /// Largest p: 0.001.
    pub p: f64,
    /// Fewest points on each side: 6.
    pub side: usize,
    /// Smallest relative change of the level: 0.5 %.
    pub magnitude: f64,
    /// Smallest change in standard deviations of the points around it: 0.8.
    pub deviations: f64,
    /// Smallest absolute Cliff's delta between both sides: 0.5.
    pub separation: f64,
}

impl Default for Steps {
    fn default() -> Self {
        Self { window: 50, p: 0.001, side: 6, magnitude: 0.005, deviations: 0.8, separation: 0.5 }
    }
}

/// A lasting change of level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// First index of the new level.
    pub index: usize,
    /// Median of the level before.
    pub before: f64,
    /// Median of the level after.
    pub after: f64,
    /// Two-sided p of the t test.
    pub p: f64,
}

impl Step {
    /// 100 * (after - before) / |before|, in percent; `None` from zero.
    pub fn percent(&self) -> Option<f64> {
        (self.before != 0.0).then(|| 100.0 * (self.after - self.before) / self.before.abs())
    }
}

/// The steps of a series of finite values, in order.
pub fn steps(values: &[f64], settings: &Steps) -> Vec<Step> {
    Stepper::new(*settings).steps(values)
}

/// Candidates may have a larger p: it is judged anew when spikes and neighbours are settled.
const CANDIDATES: f64 = 5.0;

/// The search with its working memory, for many series.
#[derive(Debug, Clone)]
pub struct Stepper {
    settings: Steps,
    hunter: Hunter,
}

impl Stepper {
    /// A search with these parameters.
    pub fn new(settings: Steps) -> Self {
        let search = Search { window: settings.window, p: CANDIDATES * settings.p, magnitude: 0.0 };
        Self { settings, hunter: Hunter::new(search) }
    }

    /// The steps of a series of finite values, in order.
    pub fn steps(&mut self, values: &[f64]) -> Vec<Step> {
        if values.len() < 2 * self.settings.side {
            return Vec::new();
        }
        let logs = values.iter().all(|value| *value > 0.0);
        let scaled: Vec<f64> =
            if logs { values.iter().map(|value| value.ln()).collect() } else { values.to_vec() };
        let calm = clipped(&scaled);
        let mut at: Vec<usize> =
            self.hunter.change_points(&calm).iter().map(|point| point.index).collect();
        self.prune(&calm, &mut at, logs);
        for i in 0..at.len() {
            let (from, to) = bounds(&at, i, calm.len());
            at[i] = meeting(&calm, from, at[i], to, self.settings.side);
        }
        self.drop_bumps(&calm, &mut at);
        self.prune(&calm, &mut at, logs);
        (0..at.len())
            .filter_map(|i| {
                let (from, to) = bounds(&at, i, values.len());
                let before = median(&values[from..at[i]])?;
                let after = median(&values[at[i]..to])?;
                let p = compare(&calm[from..at[i]], &calm[at[i]..to]).p;
                Some(Step { index: at[i], before, after, p })
            })
            .collect()
    }

    /// Takes the weakest point that does not pass, until all do.
    fn prune(&self, values: &[f64], at: &mut Vec<usize>, logs: bool) {
        loop {
            let mut weakest: Option<(usize, f64)> = None;
            for i in 0..at.len() {
                let (from, to) = bounds(at, i, values.len());
                let strength = self.strength(&values[from..at[i]], &values[at[i]..to], logs);
                if strength < 1.0 && weakest.is_none_or(|(_, known)| strength < known) {
                    weakest = Some((i, strength));
                }
            }
            match weakest {
                Some((i, _)) => at.remove(i),
                None => return,
            };
        }
    }

    /// A short stretch after which the old level is back went away by itself: no step leads into it, none out of it.
    fn drop_bumps(&self, values: &[f64], at: &mut Vec<usize>) {
        let mut i = 0;
        while i + 1 < at.len() {
            let (from, _) = bounds(at, i, values.len());
            let (_, to) = bounds(at, i + 1, values.len());
            let level = |from: usize, to: usize| median(&values[from..to]).unwrap_or_default();
            let (before, bump, after) =
                (level(from, at[i]), level(at[i], at[i + 1]), level(at[i + 1], to));
            let short = at[i + 1] - at[i] < BUMP * self.settings.side;
            if short && (after - before).abs() < RETURNED * (bump - before).abs() {
                at.drain(i..=i + 1);
                i = i.saturating_sub(1);
            } else {
                i += 1;
            }
        }
    }

    /// The smallest ratio of what is there to what is needed; a step passes from 1 on.
    fn strength(&self, left: &[f64], right: &[f64], logs: bool) -> f64 {
        let settings = &self.settings;
        let shorter = left.len().min(right.len());
        if shorter < settings.side {
            // Short stretches go first, the shortest before the others: a spike leaves by both of its edges.
            return shorter as f64 / settings.side as f64 / 100.0;
        }
        let found = compare(left, right);
        let relative = if logs {
            found.difference.abs().exp_m1()
        } else {
            found.difference.abs() / found.level
        };
        let sizes = relative / settings.magnitude.max(f64::MIN_POSITIVE);
        let spreads = if found.spread > 0.0 {
            found.difference.abs() / (found.spread * settings.deviations)
        } else {
            2.0
        };
        let ranks = found.separation / settings.separation;
        let chance = if found.p <= settings.p { 1.0 } else { settings.p / found.p };
        sizes.min(spreads).min(ranks).min(chance)
    }
}

/// Stretches shorter than this many times the fewest points of a side may be bumps.
const BUMP: usize = 3;
/// The old level is back when what remains is less than this share of the bump.
const RETURNED: f64 = 0.35;

struct Compared {
    difference: f64,
    spread: f64,
    level: f64,
    separation: f64,
    p: f64,
}

/// Points on each side that are looked at: what lies further back says little about this step.
const NEAR: usize = 50;

fn compare(left: &[f64], right: &[f64]) -> Compared {
    let left = &left[left.len().saturating_sub(NEAR)..];
    let right = &right[..right.len().min(NEAR)];
    let (a, b) = (mean(left).unwrap_or_default(), mean(right).unwrap_or_default());
    let squares =
        |values: &[f64], mean: f64| values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    let (n, m) = (left.len() as f64, right.len() as f64);
    let df = n + m - 2.0;
    let variance = if df > 0.0 { (squares(left, a) + squares(right, b)) / df } else { 0.0 };
    let error = (variance * (1.0 / n + 1.0 / m)).sqrt();
    let p = match (error > 0.0, a == b) {
        (true, _) => t_p((b - a) / error, df),
        (false, true) => 1.0,
        (false, false) => 0.0,
    };
    let difference = median(right).unwrap_or_default() - median(left).unwrap_or_default();
    let level = f64::midpoint(a.abs(), b.abs()).max(f64::MIN_POSITIVE);
    Compared { difference, spread: variance.sqrt(), level, separation: cliff(left, right).abs(), p }
}

fn bounds(at: &[usize], i: usize, length: usize) -> (usize, usize) {
    (if i == 0 { 0 } else { at[i - 1] }, at.get(i + 1).copied().unwrap_or(length))
}

/// Where two levels meet: the cut near `at` with the smallest sum of absolute distances from both medians.
fn meeting(values: &[f64], from: usize, at: usize, to: usize, side: usize) -> usize {
    let (Some(before), Some(after)) = (median(&values[from..at]), median(&values[at..to])) else {
        return at;
    };
    let low = (from + side).max(at.saturating_sub(side));
    let high = (to.saturating_sub(side)).min(at + side);
    if low >= high {
        return at;
    }
    let mut cost = 0.0;
    let mut best = (low, cost);
    for (i, value) in values[low..high].iter().enumerate() {
        cost += (value - before).abs() - (value - after).abs();
        if cost < best.1 {
            best = (low + i + 1, cost);
        }
    }
    best.0
}

/// Neighbours on each side that a point is compared with.
const AROUND: usize = 4;
/// Robust standard deviations beyond all neighbours at which a point is clipped.
const FAR: f64 = 3.0;

/// Points far beyond all of their neighbours are drawn to the farthest of them.
fn clipped(values: &[f64]) -> Vec<f64> {
    let differences: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let noise = robust_spread(&differences).unwrap_or(0.0) / std::f64::consts::SQRT_2;
    let mut calm = values.to_vec();
    for (i, value) in calm.iter_mut().enumerate() {
        let from = i.saturating_sub(AROUND);
        let to = (i + AROUND + 1).min(values.len());
        let mut buffer = [0.0; 2 * AROUND];
        let around = &mut buffer[..to - from - 1];
        for (slot, other) in around.iter_mut().zip(values[from..i].iter().chain(&values[i + 1..to]))
        {
            *slot = *other;
        }
        around.sort_unstable_by(f64::total_cmp);
        // Two of the neighbours may be as bad: a revert takes a commit or two.
        let trim = if around.len() >= 6 { 2 } else { 0 };
        let (Some(low), Some(high)) = (around.get(trim), around.get(around.len() - 1 - trim))
        else {
            continue;
        };
        *value = value.clamp(low - FAR * noise, high + FAR * noise);
    }
    calm
}
