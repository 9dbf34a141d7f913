//! Small numeric helpers over slices of finite numbers; distributions come from `statrs`.

use std::cell::RefCell;
use std::collections::HashMap;

use statrs::distribution::{ContinuousCDF, Discrete, Hypergeometric, StudentsT};

/// Arithmetic mean; `None` of nothing.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    Some(values.iter().sum::<f64>() / values.len() as f64)
}

/// Sum of squared differences from the mean.
pub(crate) fn squares(values: &[f64]) -> f64 {
    match mean(values) {
        Some(mean) => values.iter().map(|value| (value - mean).powi(2)).sum(),
        None => 0.0,
    }
}

/// Sample standard deviation, 1/(n-1); `None` of fewer than two.
pub(crate) fn stddev(values: &[f64]) -> Option<f64> {
    (values.len() >= 2).then(|| (squares(values) / (values.len() - 1) as f64).sqrt())
}

/// Median (mean of the middle two of an even count); `None` of nothing.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    median_in_place(&mut sorted)
}

/// The same, reordering its argument.
pub(crate) fn median_in_place(values: &mut [f64]) -> Option<f64> {
    let half = values.len() / 2;
    if values.is_empty() {
        return None;
    }
    let odd = values.len() % 2 == 1;
    let (below, middle, _) = values.select_nth_unstable_by(half, f64::total_cmp);
    if odd {
        return Some(*middle);
    }
    let lower = below.iter().copied().max_by(f64::total_cmp)?;
    Some(lower / 2.0 + *middle / 2.0)
}

/// 1.4826 * median absolute deviation: a standard deviation that outliers do not move. `None` of nothing.
pub(crate) fn robust_spread(values: &[f64]) -> Option<f64> {
    let centre = median(values)?;
    let mut distances: Vec<f64> = values.iter().map(|value| (value - centre).abs()).collect();
    median_in_place(&mut distances).map(|distance| 1.4826 * distance)
}

/// Two-sided p of a t value.
pub fn t_p(t: f64, df: f64) -> f64 {
    if t.is_nan() {
        return 1.0;
    }
    StudentsT::new(0.0, 1.0, df).map_or(1.0, |law| (2.0 * law.sf(t.abs())).min(1.0))
}

/// The t that a share `p` of the distribution lies below.
pub(crate) fn t_quantile(p: f64, df: f64) -> f64 {
    StudentsT::new(0.0, 1.0, df).map_or(f64::INFINITY, |law| law.inverse_cdf(p))
}

/// The t of a 95 % confidence interval. Remembered by its degrees of freedom: a commit has thousands of metrics with the same.
pub(crate) fn t_interval(df: f64) -> f64 {
    thread_local! {
        static KNOWN: RefCell<HashMap<u64, f64>> = RefCell::new(HashMap::new());
    }
    KNOWN.with_borrow_mut(|known| {
        if known.len() > 1000 {
            known.clear();
        }
        *known.entry(df.to_bits()).or_insert_with(|| t_quantile(0.975, df))
    })
}

/// Cliff's delta: (#{y > x} - #{y < x}) / (n m), -1 to 1. Cost (n + m) log n.
pub fn cliff(x: &[f64], y: &[f64]) -> f64 {
    if x.is_empty() || y.is_empty() {
        return 0.0;
    }
    let mut sorted = x.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut balance = 0i64;
    for value in y {
        let below = sorted.partition_point(|other| other < value);
        let above = sorted.len() - sorted.partition_point(|other| other <= value);
        balance += below as i64 - above as i64;
    }
    balance as f64 / (x.len() * y.len()) as f64
}

/// Fisher's exact test on `a_hits` of `a_all` against `b_hits` of `b_all`: the chance of so many or more hits in `b`.
pub fn fisher_more(a_hits: u32, a_all: u32, b_hits: u32, b_all: u32) -> f64 {
    let (law, hits, most) = match table(a_hits, a_all, b_hits, b_all) {
        Some(table) => table,
        None => return 1.0,
    };
    (hits..=most).map(|k| law.pmf(k)).sum::<f64>().min(1.0)
}

/// The same, two-sided: all tables that are no likelier than this one.
pub fn fisher_either(a_hits: u32, a_all: u32, b_hits: u32, b_all: u32) -> f64 {
    let (law, hits, most) = match table(a_hits, a_all, b_hits, b_all) {
        Some(table) => table,
        None => return 1.0,
    };
    let here = law.pmf(hits) * (1.0 + 1e-7);
    (0..=most).map(|k| law.pmf(k)).filter(|chance| *chance <= here).sum::<f64>().min(1.0)
}

fn table(a_hits: u32, a_all: u32, b_hits: u32, b_all: u32) -> Option<(Hypergeometric, u64, u64)> {
    let hits = u64::from(a_hits) + u64::from(b_hits);
    let all = u64::from(a_all) + u64::from(b_all);
    let law = Hypergeometric::new(all, hits, u64::from(b_all)).ok()?;
    Some((law, u64::from(b_hits), hits.min(u64::from(b_all))))
}

/// Benjamini-Hochberg: p adjusted for the number of tests, in the order given.
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut adjusted = vec![1.0; p.len()];
    let mut smallest = 1.0f64;
    for (rank, &index) in order.iter().enumerate().rev() {
        smallest = smallest.min(p[index] * p.len() as f64 / (rank + 1) as f64);
        adjusted[index] = smallest;
    }
    adjusted
}

/// Geometric mean of positive ratios; `None` of nothing or of a ratio that is not positive.
pub fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    if ratios.iter().any(|ratio| *ratio <= 0.0) {
        return None;
    }
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    mean(&logs).map(f64::exp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_invert_the_tail_for_every_df_that_occurs() {
        for df in (1..=60).chain((1..=21).map(|power| 1000 * power)).map(f64::from) {
            let t = t_quantile(0.975, df);
            assert!((t_p(t, df) - 0.05).abs() < 1e-7, "df {df}: t {t}");
        }
    }

    #[test]
    fn medians_of_even_and_odd_counts() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[1e308, 1e308]), Some(1e308));
    }
}
