//! A history drawn: as text, SVG and PNG, with its steps. Missing commits are gaps, and no axis starts at zero by accident.

mod canvas;
mod font;
mod text;

use crate::stats::{Measured, Seen, Steps, seen};

pub use canvas::{PlotError, png, svg};
pub use text::text;

/// What is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// Headline: test, machine, metric.
    pub title: String,
    /// Unit of the values.
    pub unit: Option<String>,
    /// Oldest first.
    pub commits: Vec<Commit>,
    /// Steps, by index into `commits`.
    pub steps: Vec<Seen>,
}

/// One commit of a history.
#[derive(Debug, Clone, PartialEq)]
pub struct Commit {
    /// Short id or tag.
    pub id: String,
    /// Its runs that came back.
    pub runs: Vec<f64>,
    /// Their median; `None` where no run came back.
    pub median: Option<f64>,
}

impl History {
    /// A history with the steps that the search finds in it.
    pub fn new(title: impl Into<String>, unit: Option<&str>, history: &[Measured]) -> Self {
        let commits = history
            .iter()
            .map(|measured| Commit {
                id: short(&measured.commit),
                runs: measured
                    .runs
                    .iter()
                    .flatten()
                    .copied()
                    .filter(|value| value.is_finite())
                    .collect(),
                median: measured.median(),
            })
            .collect();
        Self {
            title: title.into(),
            unit: unit.map(str::to_owned),
            commits,
            steps: seen(history, &Steps::default()),
        }
    }

    /// Lowest and highest value with a margin, or `None` without any value.
    fn range(&self) -> Option<(f64, f64)> {
        let values = || {
            self.commits.iter().flat_map(|commit| commit.runs.iter().copied().chain(commit.median))
        };
        let low = values().fold(f64::INFINITY, f64::min);
        let high = values().fold(f64::NEG_INFINITY, f64::max);
        if !(low.is_finite() && high.is_finite()) {
            return None;
        }
        let margin = if high > low { 0.05 * (high - low) } else { low.abs().max(1.0) * 0.01 };
        Some((low - margin, high + margin))
    }
}

/// 12 digits of a hash, a tag whole.
fn short(commit: &str) -> String {
    let hash = commit.len() >= 20 && commit.bytes().all(|b| b.is_ascii_hexdigit());
    if hash { commit[..12].to_owned() } else { commit.to_owned() }
}

/// `12345`, `1.235`, `1.2e+09`.
fn amount(value: f64) -> String {
    let magnitude = value.abs();
    if value != 0.0 && !(1e-3..1e7).contains(&magnitude) {
        return format!("{value:.3e}");
    }
    let digits = if magnitude >= 1000.0 {
        0
    } else if magnitude >= 100.0 {
        1
    } else if magnitude >= 1.0 {
        2
    } else {
        4
    };
    format!("{value:.digits$}")
}

/// `-10.0 % between 1111 and 2222`.
fn sentence(seen: &Seen) -> String {
    let change = seen.step.percent().map_or_else(
        || format!("{} -> {}", amount(seen.step.before), amount(seen.step.after)),
        |percent| format!("{percent:+.1} %"),
    );
    format!("{change} between {} and {}", short(&seen.from), short(&seen.to))
}
