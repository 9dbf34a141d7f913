//! What is concluded of one metric.

use serde::{Deserialize, Serialize};

use crate::bench::Direction;

/// The conclusion. The word comes from the direction, never from the sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Worse, and all gates hold.
    Regression,
    /// Better, and all gates hold.
    Improvement,
    /// All gates hold, but nobody told which way is better.
    Change,
    /// Nothing to see.
    Same,
    /// Looks changed, but not well enough to write to people: a confirmation round is due.
    Suspicious,
    /// Cannot be told from these runs (two modes, too much spread).
    Inconclusive,
    /// Fewer than two runs on a side.
    Insufficient,
    /// Only head has it.
    New,
    /// Only base has it.
    Gone,
    /// The sides cannot be compared; the reason names the first difference.
    Invalid,
}

/// Whether a metric may raise a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// May raise a report.
    Kpi,
    /// May only fill the table.
    Monitor,
}

/// The runs of one side that were counted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// How many values.
    pub n: usize,
    /// Arithmetic mean, in the metric's unit. `None` without values.
    pub mean: Option<f64>,
    /// Median, in the metric's unit.
    pub median: Option<f64>,
    /// Sample standard deviation (1/(n-1)), in the metric's unit; `None` with fewer than two values.
    pub stddev: Option<f64>,
    /// From how many builds (1 where nobody said, 0 without values).
    #[serde(default)]
    pub builds: usize,
    /// The values in run order, missing runs as `None`.
    #[serde(skip)]
    pub runs: Vec<Option<f64>>,
}

/// One metric, decided (`facts`: steps 0 to 10 of `docs/statistics.md`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Metric name.
    pub metric: String,
    /// Its unit.
    pub unit: Option<String>,
    /// Which way is better, where known.
    pub direction: Option<Direction>,
    /// May it raise a report.
    pub class: Class,
    /// Base runs.
    pub base: Summary,
    /// Head runs.
    pub head: Summary,
    /// 100 * (median head - median base) / |median base|, in percent; positive is a rise, also below zero. `None` where a
    /// percentage makes no sense (zero base, one side).
    pub change_percent: Option<f64>,
    /// The same from means, as the comparison table shows it.
    pub mean_change_percent: Option<f64>,
    /// Median head - median base, in the metric's unit.
    pub change_absolute: Option<f64>,
    /// 95 % confidence interval of the effect, in percent (of base), low then high.
    pub ci95: Option<[f64; 2]>,
    /// Two-sided p of the moderated t test with build noise.
    pub p: Option<f64>,
    /// p adjusted for all metrics of the same class (Benjamini-Hochberg), where there are several.
    #[serde(default)]
    pub q: Option<f64>,
    /// Its t value.
    pub t: Option<f64>,
    /// Its degrees of freedom.
    pub df: Option<f64>,
    /// Cliff's delta, -1 to 1.
    pub cliff: Option<f64>,
    /// Build-to-build noise that was allowed for, as a fraction (0.005 = 0.5 %).
    pub build_noise: f64,
    /// A percentage or share: sizes are judged and should be shown as points ([`Change::change_absolute`]).
    #[serde(default)]
    pub bounded: bool,
    /// The conclusion.
    #[serde(rename = "verdict")]
    pub kind: Kind,
    /// Kebab-case slug, then, after `: `, what a person needs to know.
    pub reason: String,
}

impl Change {
    /// Whether this metric alone may raise a report.
    pub fn raises(&self) -> bool {
        self.class == Class::Kpi
            && matches!(self.kind, Kind::Regression | Kind::Improvement | Kind::Change)
    }
}
