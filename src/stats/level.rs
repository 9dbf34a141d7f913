//! Step 9: the level that a history stands on now: since the last step, without the spikes.

use super::noise::Measured;
use super::numeric::{median, robust_spread};
use super::steps::{Steps, steps};

/// Standard deviations that a commit lies apart from its level.
pub(super) const APART: f64 = 4.0;

/// Where a history stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// Indices of the commits that make the level, oldest first; commits without a run, spikes and the unsettled end are left out.
    pub commits: Vec<usize>,
    /// Median of their medians.
    pub centre: f64,
    /// How many commits at the end lie apart on one side: too few for a step, too many to pass over.
    pub unsettled: usize,
    /// Whether those lie above.
    pub above: bool,
}

/// The level at the end of a history (oldest first); `None` without any run.
pub fn level(history: &[Measured], settings: &Steps) -> Option<Level> {
    let (at, values): (Vec<usize>, Vec<f64>) =
        history.iter().enumerate().filter_map(|(i, commit)| Some((i, commit.median()?))).unzip();
    let start = steps(&values, settings).last().map_or(0, |last| last.index);
    let (at, values) = (&at[start..], &values[start..]);
    let centre = median(values)?;
    let spread = robust_spread(values).unwrap_or_default();
    let apart = |value: &f64| (value - centre).abs() > APART * spread && *value != centre;
    let above = values.last().is_some_and(|last| *last > centre);
    let unsettled =
        values.iter().rev().take_while(|value| apart(value) && (**value > centre) == above).count();
    let settled = values.len() - unsettled;
    let calm = |i: &usize| !apart(&values[*i]);
    Some(Level {
        commits: (0..settled).filter(calm).map(|i| at[i]).collect(),
        centre,
        unsettled,
        above,
    })
}
