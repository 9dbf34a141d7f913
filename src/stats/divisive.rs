//! E-divisive with means on one dimension: where an interval splits best (Matteson and James, arXiv 1306.4933).
//!
//! For `s < tau < kappa <= e` the statistic compares `x[s..tau]` with `x[tau..kappa]`:
//!
//! ```text
//! q(tau, kappa) = 2/(m+n) sum |x_i - y_j| - 2m/((m+n)(n-1)) sum_{i<k} |x_i - x_k| - 2n/((m+n)(m-1)) sum_{j<k} |y_j - y_k|
//! ```
//!
//! with n values on the left and m on the right. All (tau, kappa) of an interval cost its length squared.

/// Working memory of the search, so that a series costs no allocation a window.
#[derive(Debug, Clone, Default)]
pub(crate) struct Divisive {
    /// For each left index t: sum of |x_t - x_j| for t < j < kappa.
    right: Vec<f64>,
    /// For each tau: sum over t < tau of the sums of |x_t - x_i| for i < t, the pairs inside the left part.
    inside: Vec<f64>,
    /// 1/k.
    inverse: Vec<f64>,
}

/// The best split of an interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Split {
    /// First index of the right part.
    pub(crate) index: usize,
    /// The statistic.
    pub(crate) qhat: f64,
}

impl Divisive {
    /// The best split of `values`, at least two of them; the index counts from the start of the slice.
    ///
    /// Of equal statistics the smallest tau wins, then the smallest kappa.
    pub(crate) fn best(&mut self, values: &[f64]) -> Option<Split> {
        let count = values.len();
        if count < 2 {
            return None;
        }
        while self.inverse.len() <= count {
            self.inverse.push(if self.inverse.is_empty() {
                0.0
            } else {
                1.0 / self.inverse.len() as f64
            });
        }
        self.right.clear();
        self.right.resize(count, 0.0);
        self.inside.clear();
        self.inside.resize(count + 1, 0.0);
        let mut best = Split { index: 1, qhat: f64::NEG_INFINITY };
        // The first two values end the smallest interval, [0, 2).
        for end in 1..count {
            let value = values[end];
            let mut column = 0.0;
            for (sum, other) in self.right[..end].iter_mut().zip(&values[..end]) {
                let distance = (other - value).abs();
                *sum += distance;
                column += distance;
            }
            // Pairs inside x[..end+1], for a left part that ends there later.
            self.inside[end + 1] = self.inside[end] + column;
            self.scan(end + 1, &mut best);
        }
        Some(best)
    }

    /// All taus for one kappa.
    fn scan(&self, kappa: usize, best: &mut Split) {
        let right = &self.right[..kappa - 1];
        let total: f64 = right.iter().sum();
        let scale = 2.0 * self.inverse[kappa];
        let mut left = 0.0;
        let mut most = f64::NEG_INFINITY;
        let mut at = 0;
        for tau in 1..kappa {
            left += right[tau - 1];
            let inside = self.inside[tau];
            let n = tau as f64;
            let m = (kappa - tau) as f64;
            // inverse[0] is 0: a part of one value has no pairs.
            let between = left - inside;
            let left_pairs = m * self.inverse[tau - 1] * inside;
            let right_pairs = n * self.inverse[kappa - tau - 1] * (total - left);
            let q = between - left_pairs - right_pairs;
            if q > most {
                most = q;
                at = tau;
            }
        }
        let q = scale * most;
        if q > best.qhat || (q == best.qhat && at < best.index) {
            *best = Split { index: at, qhat: q };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, pair by pair.
    fn slow(values: &[f64]) -> Split {
        let pairs = |part: &[f64]| -> f64 {
            part.iter()
                .enumerate()
                .map(|(i, a)| part[i + 1..].iter().map(|b| (a - b).abs()).sum::<f64>())
                .sum()
        };
        let mut best = Split { index: 0, qhat: f64::NEG_INFINITY };
        for tau in 1..values.len() {
            for kappa in tau + 1..=values.len() {
                let (x, y) = (&values[..tau], &values[tau..kappa]);
                let (n, m) = (x.len() as f64, y.len() as f64);
                let between: f64 =
                    x.iter().flat_map(|a| y.iter().map(move |b| (a - b).abs())).sum();
                let left = if n > 1.0 { 2.0 * m / (m + n) / (n - 1.0) * pairs(x) } else { 0.0 };
                let right = if m > 1.0 { 2.0 * n / (m + n) / (m - 1.0) * pairs(y) } else { 0.0 };
                let q = 2.0 / (m + n) * between - left - right;
                if q > best.qhat + 1e-9 {
                    best = Split { index: tau, qhat: q };
                }
            }
        }
        best
    }

    #[test]
    fn the_worked_vector() {
        let values = [
            100.0, 101.0, 99.0, 100.0, 102.0, 98.0, 100.0, 101.0, 90.0, 91.0, 89.0, 90.0, 92.0,
            88.0, 90.0, 91.0,
        ];
        let found = Divisive::default().best(&values).unwrap();
        assert_eq!(found.index, 8);
        // docs/statistics.md gives the V-form nm/(n+m) (2A - B - C); this form weighs pairs without repetition.
        assert!((found.qhat - slow(&values).qhat).abs() < 1e-9);
    }

    #[test]
    fn fast_is_slow() {
        let mut seed = 1u64;
        let mut next = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 40) as f64 / 1e6
        };
        let mut search = Divisive::default();
        for length in [2usize, 3, 5, 12, 30] {
            for _ in 0..20 {
                let values: Vec<f64> = (0..length).map(|_| next()).collect();
                let (fast, slow) = (search.best(&values).unwrap(), slow(&values));
                assert_eq!(fast.index, slow.index);
                assert!((fast.qhat - slow.qhat).abs() < 1e-9 * slow.qhat.abs().max(1.0));
            }
        }
        assert_eq!(search.best(&[1.0]), None);
    }
}
