//! Step 6: runs that fall into two modes cannot be compared by their means.

use super::numeric::squares;

/// Two modes in one side's runs, or in both sides' runs together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Modes {
    /// Between the modes, in the metric's unit.
    pub(super) cut: f64,
    /// The distance between them, on the scale of the comparison.
    pub(super) gap: f64,
}

/// Spread within a mode below which a gap is not taken for two modes when there is no history: 0.25 %.
const LEAST: f64 = 0.0025;

/// Looks for two modes in one side (values on the comparison's scale, any order): the largest inner gap that leaves at least
/// two values on each side of it and is wider than 4 `known` standard deviations.
///
/// Without history (`known` 0) the spread within the two parts stands in, and the gap must be wider than 8 of it.
pub(super) fn split(values: &[f64], known: f64, level: f64) -> Option<Modes> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let count = sorted.len();
    if count < 4 {
        return None;
    }
    let widest = (2..=count - 2)
        .max_by(|&a, &b| (sorted[a] - sorted[a - 1]).total_cmp(&(sorted[b] - sorted[b - 1])))?;
    let gap = sorted[widest] - sorted[widest - 1];
    let needed = if known > 0.0 {
        4.0 * known
    } else {
        let within = squares(&sorted[..widest]) + squares(&sorted[widest..]);
        8.0 * (within / (count - 2) as f64).sqrt().max(LEAST * level)
    };
    let cut = f64::midpoint(sorted[widest], sorted[widest - 1]);
    (gap > needed).then_some(Modes { cut, gap })
}

/// Distance between the ranges of two sides; 0 when they overlap.
pub(super) fn distance(x: &[f64], y: &[f64]) -> f64 {
    let low = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = |values: &[f64]| values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (low(y) - high(x)).max(low(x) - high(y)).max(0.0)
}
