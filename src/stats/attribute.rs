//! Step 9: what a history says of when something changed, and which changes are one.

use super::level::APART;
use super::noise::Measured;
use super::numeric::{mean, robust_spread};
use super::steps::{Step, Steps, steps};

/// A step of a series, between two commits.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// Index of the first commit of the new level, in the history.
    pub index: usize,
    /// Last commit of the old level that was measured: the change came after it.
    pub from: String,
    /// First commit of the new level that was measured.
    pub to: String,
    /// The levels.
    pub step: Step,
}

/// The steps of a history, oldest first; commits without a run are passed over.
pub fn seen(history: &[Measured], settings: &Steps) -> Vec<Seen> {
    let (at, values) = medians(history);
    steps(&values, settings)
        .into_iter()
        .filter_map(|step| {
            let (before, after) = (*at.get(step.index.checked_sub(1)?)?, *at.get(step.index)?);
            Some(Seen {
                index: after,
                from: history[before].commit.clone(),
                to: history[after].commit.clone(),
                step,
            })
        })
        .collect()
}

fn medians(history: &[Measured]) -> (Vec<usize>, Vec<f64>) {
    history.iter().enumerate().filter_map(|(i, commit)| Some((i, commit.median()?))).unzip()
}

/// How the end of a history looks.
#[derive(Debug, Clone, PartialEq)]
pub enum Recent {
    /// As before.
    Steady,
    /// The last points lie apart from the level before, too few to tell a step from a spike.
    Unsettled {
        /// Index of the first of them.
        since: usize,
    },
    /// A spike that went away: the level is back.
    Spike {
        /// Index of its first commit.
        from: usize,
        /// Index of the first commit after it.
        to: usize,
    },
    /// A step that holds.
    Stepped(Box<Seen>),
}

/// Whether the newest commits show a step that holds, a spike that went away, or nothing yet.
pub fn recent(history: &[Measured], settings: &Steps) -> Recent {
    let (at, values) = medians(history);
    let found = seen(history, settings);
    let window = 2 * settings.side;
    if let Some(last) = found.last()
        && values.len() - last.step.index <= window
    {
        return Recent::Stepped(Box::new(last.clone()));
    }
    let start = found.last().map_or(0, |last| last.step.index);
    let level = &values[start..];
    if level.len() < window {
        return Recent::Steady;
    }
    let centre = super::numeric::median(level).unwrap_or_default();
    let spread = robust_spread(level).unwrap_or_default();
    let apart = |value: &f64| (value - centre).abs() > APART * spread && *value != centre;
    let tail = level.iter().rev().take_while(|value| apart(value)).count();
    if tail > 0 {
        return Recent::Unsettled { since: at[values.len() - tail] };
    }
    let from = level.len() - settings.side;
    match level
        .iter()
        .enumerate()
        .skip(from)
        .filter(|(_, value)| apart(value))
        .map(|(i, _)| i)
        .collect::<Vec<_>>()
    {
        bad if bad.is_empty() => Recent::Steady,
        bad => Recent::Spike { from: at[start + bad[0]], to: at[start + bad[bad.len() - 1] + 1] },
    }
}

/// A step of one metric on the common order of commits.
#[derive(Debug, Clone, PartialEq)]
pub struct Alert {
    /// Which series: free for the caller.
    pub series: String,
    /// Position of the last good commit.
    pub from: usize,
    /// Position of the first bad commit.
    pub to: usize,
    /// Its size in percent.
    pub percent: f64,
}

/// Alerts that one commit may explain.
#[derive(Debug, Clone, PartialEq)]
pub struct Range {
    /// Position of the last good commit.
    pub from: usize,
    /// Position of the first bad commit.
    pub to: usize,
    /// The alerts, largest first.
    pub alerts: Vec<Alert>,
}

/// Merges alerts of several metrics whose ranges of commits overlap; the merged range is what they share.
///
/// `slack` widens each range on both sides: an edge is found to a commit or two only.
pub fn merge(mut alerts: Vec<Alert>, slack: usize) -> Vec<Range> {
    alerts.sort_by_key(|alert| (alert.from, alert.to));
    let mut ranges: Vec<Range> = Vec::new();
    for alert in alerts {
        if let Some(open) = ranges.last_mut()
            && alert.from < open.to + slack
            && open.from < alert.to + slack
        {
            let (from, to) = (open.from.max(alert.from), open.to.min(alert.to));
            if from < to {
                (open.from, open.to) = (from, to);
            }
            open.alerts.push(alert);
            continue;
        }
        ranges.push(Range { from: alert.from, to: alert.to, alerts: vec![alert] });
    }
    for range in &mut ranges {
        range.alerts.sort_by(|a, b| b.percent.abs().total_cmp(&a.percent.abs()));
    }
    ranges
}

impl Range {
    /// Mean of the sizes of its alerts, in percent.
    pub fn percent(&self) -> f64 {
        mean(&self.alerts.iter().map(|alert| alert.percent).collect::<Vec<_>>()).unwrap_or_default()
    }
}
