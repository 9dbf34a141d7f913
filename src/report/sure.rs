//! "How sure": everything that a reader needs to judge one number.

use schemars::JsonSchema;
use serde::Serialize;

use super::number::{self, amount, percent, spread};
use super::table::Cell;
use super::title::{points, short, size};
use super::{Finding, Pooled, plot};
use crate::stats::Change;

/// Runs that are written out, a side; more only cost the reader's patience.
const MOST_RUNS: usize = 60;
/// Commits of the sparkline.
const MOST_COMMITS: usize = 60;

/// The evidence for one change, formatted.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Sure {
    /// Runs of both sides: `6+6`.
    pub runs: String,
    /// Builds of both sides, `2+2`, where the lab told.
    pub builds: Option<String>,
    /// Rounds of the comparison, at least 1.
    pub rounds: usize,
    /// Each round of its own, when there was more than one.
    pub each_round: Vec<RoundLine>,
    /// Short id of base.
    pub base: String,
    /// Short id of head.
    pub head: String,
    /// Base runs in order, `|` between builds, `-` for a missing run.
    pub base_runs: String,
    /// Head runs, likewise.
    pub head_runs: String,
    /// Whether a run of either side is missing.
    pub gaps: bool,
    /// The effect, of the medians: `-10.0%`, or `-12.8 points` of a share.
    pub effect: String,
    /// The same of the means, where it differs by more than a third and half a point.
    pub skewed: Option<String>,
    /// 95 % confidence interval: `-13.1% to -6.8%`.
    pub ci: Option<String>,
    /// `p=5e-05`.
    pub p: Option<String>,
    /// `t=-6.80, 10 degrees of freedom`, without words: `-6.80` and `10`.
    pub t: Option<String>,
    /// Degrees of freedom.
    pub df: Option<String>,
    /// Of 100 pairs of one base and one head run, how many point the way of the change.
    pub agree: Option<u32>,
    /// Whether head is above base (`higher`) or below it (`lower`).
    pub side: &'static str,
    /// Spread of the base runs (standard deviation in percent of the mean): `0.8%`.
    pub base_spread: Option<String>,
    /// Spread of the head runs.
    pub head_spread: Option<String>,
    /// Build-to-build noise that was allowed for: `0.5%`; absent when none was.
    pub build_noise: Option<String>,
    /// How many commits each side is made of, where that is more than one.
    pub pooled: Option<Pooled>,
    /// Medians of the last commits as one line.
    pub sparkline: Option<Sparkline>,
}

/// One round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RoundLine {
    /// 1 for the first.
    pub number: usize,
    /// `3+3`.
    pub runs: String,
    /// `-10.3%`, or `n/a`.
    pub change: String,
    /// `p=0.0004`.
    pub p: Option<String>,
}

/// The last commits of the series.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Sparkline {
    /// One character a commit: `_ . - ' ^` from low to high, `?` for a commit without a run.
    pub line: String,
    /// How many commits.
    pub commits: usize,
    /// How many of them were measured after head; 0 where head is last.
    pub after: usize,
    /// Lowest median.
    pub low: String,
    /// Highest median.
    pub high: String,
    /// Whether a commit is without a run.
    pub gaps: bool,
}

/// What speaks for the change of a finding's headline (or of any of its changes).
pub fn sure(finding: &Finding, change: &Change) -> Sure {
    let n = &finding.notification;
    let metric = finding.metric(&change.metric);
    let (base, head) =
        metric.map_or((&change.base.runs, &change.head.runs), |m| (&m.base, &m.head));
    let builds = metric.map(|m| (m.base_builds.as_deref(), m.head_builds.as_deref()));
    let (base_builds, head_builds) = builds.unwrap_or((None, None));
    let spread_of =
        |runs: &[Option<f64>]| Cell::of(runs).and_then(|c| c.spread_percent).map(spread);
    // Rounds and history were kept for one metric only.
    let own = finding.headline().is_none_or(|h| h.metric == change.metric);
    let history: Vec<Option<f64>> =
        finding.history.iter().filter(|_| own).map(|p| p.value).collect();
    let after = finding.history.iter().rev().position(|p| p.commit == n.head.commit).unwrap_or(0);
    Sure {
        runs: format!("{}+{}", change.base.n, change.head.n),
        builds: base_builds
            .zip(head_builds)
            .map(|(b, h)| format!("{}+{}", distinct(b), distinct(h))),
        rounds: finding.rounds.len().max(1),
        each_round: if own && finding.rounds.len() > 1 { rounds(finding) } else { Vec::new() },
        base: short(&n.base.commit, 10).to_owned(),
        head: short(&n.head.commit, 10).to_owned(),
        base_runs: runs(base, base_builds),
        head_runs: runs(head, head_builds),
        gaps: base.iter().chain(head).any(|v| v.is_none_or(|v| !v.is_finite())),
        effect: points(change).unwrap_or_else(|| size(change)),
        skewed: skewed(change).map(percent),
        ci: interval(change),
        p: change.p.map(number::p),
        t: change.t.map(|t| format!("{t:.2}")),
        df: change.df.map(amount),
        agree: change.cliff.map(|d| (50.0 + 50.0 * d.abs()).round().clamp(0.0, 100.0) as u32),
        side: if change.change_absolute.or(change.change_percent).unwrap_or(0.0) < 0.0 {
            "lower"
        } else {
            "higher"
        },
        base_spread: spread_of(base),
        head_spread: spread_of(head),
        build_noise: (change.build_noise > 0.0).then(|| spread(100.0 * change.build_noise)),
        pooled: finding.pooled.filter(|_| own),
        sparkline: sparkline(&history, after),
    }
}

/// In percent of base; in points for a share, as its size is told.
fn interval(change: &Change) -> Option<String> {
    let [low, high] = change.ci95?;
    if !change.bounded {
        return Some(format!("{} to {}", percent(low), percent(high)));
    }
    let points = |v: f64| Some(number::signed(v * change.base.mean?.abs() / 100.0));
    Some(format!("{} to {} points", points(low)?, points(high)?))
}

/// The mean-based change where it tells another story than the medians.
fn skewed(change: &Change) -> Option<f64> {
    if change.bounded {
        return None;
    }
    let (median, mean) = (change.change_percent?, change.mean_change_percent?);
    ((median - mean).abs() > (median.abs() / 3.0).max(0.5)).then_some(mean)
}

fn distinct(builds: &[u32]) -> usize {
    let mut builds = builds.to_vec();
    builds.sort_unstable();
    builds.dedup();
    builds.len()
}

fn rounds(finding: &Finding) -> Vec<RoundLine> {
    let line = |(i, round): (usize, &super::Round)| RoundLine {
        number: i + 1,
        runs: format!("{}+{}", round.base_runs, round.head_runs),
        change: round.change_percent.map_or_else(|| "n/a".to_owned(), percent),
        p: round.p.map(number::p),
    };
    finding.rounds.iter().enumerate().map(line).collect()
}

fn runs(runs: &[Option<f64>], builds: Option<&[u32]>) -> String {
    let mut text = String::new();
    for (i, run) in runs.iter().take(MOST_RUNS).enumerate() {
        let build = |i: usize| builds.and_then(|b| b.get(i));
        if i > 0 {
            text += if build(i) == build(i - 1) { " " } else { " | " };
        }
        text += &run.filter(|v| v.is_finite()).map_or_else(|| "-".to_owned(), amount);
    }
    if runs.len() > MOST_RUNS {
        text += &format!(" ... ({} in all)", runs.len());
    }
    if text.is_empty() { "none".to_owned() } else { text }
}

fn sparkline(history: &[Option<f64>], after: usize) -> Option<Sparkline> {
    let last = &history[history.len().saturating_sub(MOST_COMMITS)..];
    let line = plot::sparkline(last)?;
    let known = || last.iter().flatten().copied().filter(|v| v.is_finite());
    Some(Sparkline {
        line,
        commits: last.len(),
        after,
        gaps: last.iter().any(Option::is_none),
        low: amount(known().fold(f64::INFINITY, f64::min)),
        high: amount(known().fold(f64::NEG_INFINITY, f64::max)),
    })
}
