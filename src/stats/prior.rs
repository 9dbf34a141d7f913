//! What earlier commits taught about a metric's noise.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Noise of one metric. Fractions of its level: 0.02 is 2 %.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// s0: run-to-run standard deviation over earlier commits.
    pub spread: f64,
    /// d0: how many runs that knowledge is worth; 0 for no history.
    pub weight: f64,
    /// sb: build-to-build noise; `None` leaves it to the metric's documented default.
    pub build: Option<f64>,
    /// From how many commits.
    pub commits: usize,
}

/// Noise of all metrics of one test on one machine. The default knows nothing: s0 = 0, d0 = 0, documented build noise.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Prior {
    /// By metric name.
    pub metrics: BTreeMap<String, Noise>,
    /// For metrics without history of their own.
    pub suite: Noise,
}

impl Prior {
    /// The same noise for every metric.
    pub fn uniform(noise: Noise) -> Self {
        Self { metrics: BTreeMap::new(), suite: noise }
    }

    /// What is known of a metric.
    pub fn of(&self, metric: &str) -> Noise {
        self.metrics.get(metric).copied().unwrap_or(self.suite)
    }
}
