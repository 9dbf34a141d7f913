//! Step 1: ratios are compared as logs, shares and values around zero as they are.

/// How values are compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// Logarithms: differences are ratios.
    Log,
    /// The values: differences are in the metric's unit. The level turns relative noise into the unit.
    Linear {
        /// Mean magnitude of the values.
        level: f64,
    },
}

impl Scale {
    /// Logs where all values are positive and the metric is not bounded.
    pub fn of(base: &[f64], head: &[f64], bounded: bool) -> Self {
        let all = || base.iter().chain(head);
        if !bounded && all().all(|value| *value > 0.0) {
            return Scale::Log;
        }
        let count = (base.len() + head.len()).max(1);
        Scale::Linear { level: all().map(|value| value.abs()).sum::<f64>() / count as f64 }
    }

    /// Values on this scale.
    pub fn map(self, values: &[f64]) -> Vec<f64> {
        match self {
            Scale::Log => values.iter().map(|value| value.ln()).collect(),
            Scale::Linear { .. } => values.to_vec(),
        }
    }

    /// A relative noise (0.02) on this scale.
    pub fn noise(self, fraction: f64) -> f64 {
        match self {
            Scale::Log => fraction,
            Scale::Linear { level } => fraction * level,
        }
    }

    /// A difference on this scale, in percent of the base mean; `None` where base is zero.
    pub fn percent(self, difference: f64, base_mean: f64) -> Option<f64> {
        let percent = match self {
            Scale::Log => 100.0 * difference.exp_m1(),
            Scale::Linear { .. } if base_mean == 0.0 => return None,
            Scale::Linear { .. } => 100.0 * difference / base_mean.abs(),
        };
        percent.is_finite().then_some(percent)
    }
}
