//! The thresholds of the decision (`docs/statistics.md`); the defaults are the documented ones.

use serde::{Deserialize, Serialize};

/// Thresholds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Largest p of one metric that is decided without another round: 0.01.
    pub alpha: f64,
    /// From this p on a difference is called noise: 0.2. Between the two another round is due.
    pub noise_p: f64,
    /// Share of false ones among the kpis that are called changed (Benjamini-Hochberg q): 0.05.
    pub kpi_fdr: f64,
    /// The same among the monitors that are listed: 0.10.
    pub monitor_fdr: f64,
    /// Runs a side from which a change can be decided: 3.
    pub decisive_runs: usize,
    /// Runs a side from which two modes can be compared: 10.
    pub modal_runs: usize,
    /// Percent that the confidence interval may reach before "same" becomes "inconclusive": 10.
    pub widest: f64,
    /// Largest p of a new failure: 0.05.
    pub failure_p: f64,
    /// Base runs without a failure after which two failures are enough: 20.
    pub failure_history: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            alpha: 0.01,
            noise_p: 0.2,
            kpi_fdr: 0.05,
            monitor_fdr: 0.10,
            decisive_runs: 3,
            modal_runs: 10,
            widest: 10.0,
            failure_p: 0.05,
            failure_history: 20,
        }
    }
}
