//! What others would say of two samples.

use regard::stats::t_p;

/// The kernel robot's rule (lkp-tests `changed_stat.rb`): the upper median of each side outside the other's range, and a ratio.
pub(crate) fn lkp(base: &[f64], head: &[f64], ratio: f64) -> bool {
    let sorted = |values: &[f64]| {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        values
    };
    let (x, y) = (sorted(base), sorted(head));
    let middle = |values: &[f64]| values[values.len() / 2];
    let (low, high) = (|v: &[f64]| v[0], |v: &[f64]| v[v.len() - 1]);
    let up = low(&y) > middle(&x) && middle(&y) > high(&x);
    let down = low(&x) > middle(&y) && middle(&x) > high(&y);
    let (a, b) = (middle(&x), middle(&y));
    (up || down) && a.max(b) / a.min(b) > ratio
}

/// Welch's t test, two-sided.
pub(crate) fn welch(x: &[f64], y: &[f64]) -> f64 {
    let part = |values: &[f64]| {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
        (mean, variance / n, n)
    };
    let ((a, va, n), (b, vb, m)) = (part(x), part(y));
    let square = va + vb;
    if square == 0.0 {
        return if a == b { 1.0 } else { 0.0 };
    }
    let df = square.powi(2) / (va.powi(2) / (n - 1.0) + vb.powi(2) / (m - 1.0));
    t_p((b - a) / square.sqrt(), df)
}

/// Mann-Whitney's U, exact and two-sided, for samples without ties, by counting.
pub(crate) fn mann_whitney(x: &[f64], y: &[f64]) -> f64 {
    let (n, m) = (x.len(), y.len());
    let u: usize = x.iter().map(|a| y.iter().filter(|b| *b > a).count()).sum();
    // ways[i][k]: arrangements of i of x among the first values with k inversions.
    let most = n * m;
    let mut ways = vec![vec![0f64; most + 1]; n + 1];
    ways[0][0] = 1.0;
    for total in 1..=n + m {
        for i in (1..=n.min(total)).rev() {
            let above = total - i;
            if above > m {
                continue;
            }
            for k in (above..=most).rev() {
                ways[i][k] += ways[i - 1][k - above];
            }
        }
    }
    let all: f64 = ways[n].iter().sum();
    let tail = |to: usize| ways[n][..=to].iter().sum::<f64>() / all;
    (2.0 * tail(u.min(most - u))).min(1.0)
}
