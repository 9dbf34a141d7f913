//! Change points as Hunter and Apache Otava find them: E-divisive in sliding windows, a t test, then weak points merged away.
//!
//! Made from the published method (Fleming et al., arXiv 2301.03034; Otava's docs/MATH.md) so that a lab that comes from
//! there gets the same points, its peculiarities included. What regard itself trusts is [`super::steps`].

use super::divisive::{Divisive, Split};
use super::numeric::{t_p, t_quantile};

/// Parameters; the defaults are Otava's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Search {
    /// Points a window: 50.
    pub window: usize,
    /// Largest p of a point: 0.001. The first pass keeps ten times that.
    pub p: f64,
    /// Smallest relative change: 0.
    pub magnitude: f64,
}

impl Default for Search {
    fn default() -> Self {
        Self { window: 50, p: 0.001, magnitude: 0.0 }
    }
}

/// A point where the mean changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// First index after the change.
    pub index: usize,
    /// Mean since the previous point.
    pub before: f64,
    /// Mean until the next point.
    pub after: f64,
    /// Two-sided p of the t test between the two stretches; NaN where both are the same constant.
    pub p: f64,
}

impl Point {
    /// The larger of the relative changes forward and backward; 0 from or to zero.
    fn magnitude(&self) -> f64 {
        let relative = |from: f64, to: f64| if from == 0.0 { 0.0 } else { (to / from - 1.0).abs() };
        relative(self.before, self.after).max(relative(self.after, self.before))
    }
}

/// The change points of a series of finite values, in order.
pub fn change_points(values: &[f64], search: &Search) -> Vec<Point> {
    Hunter::new(*search).change_points(values)
}

/// The search with its working memory, for many series.
#[derive(Debug, Clone)]
pub struct Hunter {
    search: Search,
    divisive: Divisive,
    /// Smallest |t| that the first pass accepts, by degrees of freedom.
    critical: Vec<f64>,
}

impl Hunter {
    /// A search with these parameters; windows below 2 are taken for 2.
    pub fn new(search: Search) -> Self {
        let search = Search { window: search.window.max(2), ..search };
        let first = match search.p {
            p if p < 0.05 => p * 10.0,
            p if p < 0.5 => p * 2.0,
            p => p,
        };
        let quantile = |df: usize| {
            if df == 0 { f64::INFINITY } else { t_quantile(1.0 - first / 2.0, df as f64) }
        };
        Self {
            search,
            divisive: Divisive::default(),
            critical: (0..search.window).map(quantile).collect(),
        }
    }

    /// The change points of a series of finite values, in order.
    pub fn change_points(&mut self, values: &[f64]) -> Vec<Point> {
        let weak = self.weak(values);
        merge(weak, values, &self.search)
    }

    /// First pass: indices that any window finds.
    fn weak(&mut self, values: &[f64]) -> Vec<usize> {
        let step = self.search.window / 2;
        let mut found: Vec<usize> = Vec::new();
        let mut start = 0;
        while start < values.len() {
            let end = (start + self.search.window).min(values.len());
            let inner = self.window(&values[start..end]);
            let last = inner.last().map_or(0, |last| last + start);
            for index in inner {
                if !found.contains(&(index + start)) {
                    found.push(index + start);
                }
            }
            start = last.max(start + step.max(1));
        }
        found.sort_unstable();
        found
    }

    /// Splits one window for as long as its best split is significant.
    fn window(&mut self, values: &[f64]) -> Vec<usize> {
        let mut points: Vec<usize> = Vec::new();
        let mut parts: Vec<(usize, usize, Option<Split>)> =
            vec![(0, values.len(), self.divisive.best(values))];
        loop {
            let mut best: Option<(usize, Split)> = None;
            for (part, (_, _, split)) in parts.iter().enumerate() {
                if let Some(split) = split
                    && best.is_none_or(|(_, known)| split.qhat > known.qhat)
                {
                    best = Some((part, *split));
                }
            }
            let Some((part, split)) = best else { break };
            let (from, to, _) = parts[part];
            let middle = from + split.index;
            let t = t_value(&values[from..middle], &values[middle..to]);
            let needed = self.critical.get(to - from - 2).copied().unwrap_or(f64::INFINITY);
            // A NaN, from two equal constants, is not significant.
            if t.is_none_or(|t| t.abs() < needed || t.is_nan()) {
                break;
            }
            points.push(middle);
            let halves = [(from, middle), (middle, to)];
            let halves = halves.map(|(from, to)| (from, to, self.divisive.best(&values[from..to])));
            parts.splice(part..=part, halves);
        }
        points.sort_unstable();
        points
    }
}

/// Second pass: the weakest point goes, until all are strong.
fn merge(weak: Vec<usize>, values: &[f64], search: &Search) -> Vec<Point> {
    let mut indices = weak;
    let mut points: Vec<Point> = (0..indices.len()).map(|i| point(&indices, i, values)).collect();
    while !points.is_empty() {
        let mut weakest = 0;
        for i in 1..points.len() {
            if points[i].p > points[weakest].p {
                weakest = i;
            }
        }
        if points[weakest].p < search.p {
            weakest = 0;
            for i in 1..points.len() {
                if points[i].magnitude() < points[weakest].magnitude() {
                    weakest = i;
                }
            }
            if points[weakest].magnitude() > search.magnitude {
                return points;
            }
        }
        indices.remove(weakest);
        points.remove(weakest);
        // Otava recomputes this one and the next, not the one before.
        for i in [weakest, weakest + 1] {
            if i < points.len() {
                points[i] = point(&indices, i, values);
            }
        }
    }
    points
}

fn point(indices: &[usize], i: usize, values: &[f64]) -> Point {
    let index = indices[i];
    let from = if i == 0 { 0 } else { indices[i - 1] };
    let to = indices.get(i + 1).copied().unwrap_or(values.len());
    let (left, right) = (&values[from..index], &values[index..to]);
    let df = (left.len() + right.len()).saturating_sub(2);
    let p = match t_value(left, right) {
        Some(t) if t.is_nan() => f64::NAN,
        Some(t) if t.is_infinite() => 0.0,
        Some(t) => t_p(t, df as f64),
        None => 1.0,
    };
    Point { index, before: moments(left).0, after: moments(right).0, p }
}

/// Student's t from population variances, as Otava feeds them to scipy; `None` with no degree of freedom.
fn t_value(left: &[f64], right: &[f64]) -> Option<f64> {
    let (n, m) = (left.len() as f64, right.len() as f64);
    let df = n + m - 2.0;
    if df <= 0.0 {
        return None;
    }
    let ((a, va), (b, vb)) = (moments(left), moments(right));
    let pooled = ((n - 1.0) * va + (m - 1.0) * vb) / df;
    Some((a - b) / (pooled * (1.0 / n + 1.0 / m)).sqrt())
}

/// Mean and population variance.
fn moments(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, variance)
}
