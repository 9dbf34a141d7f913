//! A metric's summaries before anything is concluded, and the words that can be.

use std::collections::BTreeSet;

use crate::bench::{Direction, Metric, Resolved};

use super::numeric::{mean, median, stddev};
use super::{Change, Class, Kind, Summary};

pub(super) fn present(runs: &[Option<f64>]) -> Vec<f64> {
    runs.iter().flatten().copied().filter(|value| value.is_finite()).collect()
}

pub(super) fn summarise(runs: &[Option<f64>], builds: Option<&[u32]>) -> Summary {
    let values = present(runs);
    let used: BTreeSet<u32> = match builds {
        Some(builds) => builds
            .iter()
            .zip(runs)
            .filter(|(_, run)| run.is_some())
            .map(|(build, _)| *build)
            .collect(),
        None => (0..u32::from(!values.is_empty())).collect(),
    };
    Summary {
        n: values.len(),
        mean: mean(&values),
        median: median(&values),
        stddev: stddev(&values),
        builds: used.len(),
        runs: runs.to_vec(),
    }
}

/// The change of a metric before anything is concluded.
pub(super) fn blank(metric: &Metric, resolved: &Resolved) -> Change {
    let (base, head) = (
        summarise(&metric.base, metric.base_builds.as_deref()),
        summarise(&metric.head, metric.head_builds.as_deref()),
    );
    let mut change = Change {
        metric: metric.name.clone(),
        unit: resolved.unit.clone(),
        direction: resolved.direction,
        class: resolved.class,
        change_percent: None,
        mean_change_percent: None,
        change_absolute: None,
        base,
        head,
        ci95: None,
        p: None,
        q: None,
        t: None,
        df: None,
        cliff: None,
        build_noise: resolved.noise,
        bounded: resolved.bounded,
        kind: Kind::Insufficient,
        reason: String::new(),
    };
    change.measure();
    change
}

impl Change {
    /// Fills in the differences of the two summaries.
    pub(super) fn measure(&mut self) {
        let relative = |from: Option<f64>, to: Option<f64>| {
            let (from, to) = from.zip(to)?;
            let percent = 100.0 * (to - from) / from.abs();
            (from != 0.0 && percent.is_finite()).then_some(percent)
        };
        self.change_percent = relative(self.base.median, self.head.median);
        self.mean_change_percent = relative(self.base.mean, self.head.mean);
        self.change_absolute =
            self.base.median.zip(self.head.median).map(|(base, head)| head - base);
    }

    pub(super) fn conclude(mut self, kind: Kind, reason: String) -> Change {
        // A monitor asks nobody for another round.
        self.kind = if kind == Kind::Suspicious && self.class == Class::Monitor {
            Kind::Inconclusive
        } else {
            kind
        };
        self.reason = reason;
        self
    }

    /// The word for what the medians did.
    pub(super) fn direction_kind(&self) -> Kind {
        let rises = self.change_absolute.unwrap_or_default() > 0.0;
        match self.direction {
            None => Kind::Change,
            Some(direction) if rises == (direction == Direction::Higher) => Kind::Improvement,
            Some(_) => Kind::Regression,
        }
    }

    pub(super) fn rise_kind(&self) -> Kind {
        match self.direction {
            None => Kind::Change,
            Some(Direction::Higher) => Kind::Improvement,
            Some(Direction::Lower) => Kind::Regression,
        }
    }
}
