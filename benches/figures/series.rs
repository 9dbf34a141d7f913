//! Histories with a known truth.

use fastrand::Rng;

use crate::dice::{between, heavy, normal, seeded};

/// What was done to a series besides noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trouble {
    Steps,
    Spikes,
    Drift,
    Modes,
    Tails,
}

pub(crate) struct Series {
    pub(crate) values: Vec<f64>,
    pub(crate) truth: Vec<usize>,
    pub(crate) trouble: Trouble,
}

/// A fifth each: plain steps, steps with spikes that go away, with a slow drift, with two modes, with heavy tails.
///
/// 0 to 4 steps of 1.5 noise standard deviations and 2 % at least, up to 20 %; 20 points or more apart and from the ends;
/// noise 0.2 to 5 %.
pub(crate) fn generated(count: usize, length: usize, seed: u64) -> Vec<Series> {
    let mut rng = seeded(seed);
    let troubles =
        [Trouble::Steps, Trouble::Spikes, Trouble::Drift, Trouble::Modes, Trouble::Tails];
    (0..count).map(|i| one(&mut rng, length, troubles[i % troubles.len()])).collect()
}

fn one(rng: &mut Rng, length: usize, trouble: Trouble) -> Series {
    let level = 10f64.powf(between(rng, 0.0, 6.0));
    let noise = 10f64.powf(between(rng, -2.7, -1.3));
    let truth = places(rng, length);
    let mut factor = vec![1.0; length];
    for &step in &truth {
        let least = (1.5 * noise).max(0.02);
        let size =
            between(rng, least, 0.2f64.max(least + 0.02)) * if rng.bool() { 1.0 } else { -1.0 };
        factor[step..].iter_mut().for_each(|value| *value *= 1.0 + size);
    }
    match trouble {
        Trouble::Steps | Trouble::Tails => {}
        Trouble::Spikes => {
            // One to three commits that were bad and were reverted or rerun, and single outliers.
            for _ in 0..rng.usize(1..6) {
                let start = rng.usize(0..length - 3);
                let size = 1.0 + between(rng, 0.05, 0.3) * if rng.bool() { 1.0 } else { -1.0 };
                let long = rng.usize(1..4);
                factor[start..start + long].iter_mut().for_each(|value| *value *= size);
            }
        }
        Trouble::Drift => {
            let whole = between(rng, -0.02, 0.02).clamp(-2.0 * noise, 2.0 * noise);
            factor
                .iter_mut()
                .enumerate()
                .for_each(|(i, value)| *value *= 1.0 + whole * i as f64 / length as f64);
        }
        Trouble::Modes => {
            let share = between(rng, 0.1, 0.4);
            let slow = 1.0 - between(rng, 3.0, 6.0) * noise;
            factor
                .iter_mut()
                .for_each(|value| *value *= if rng.f64() < share { slow } else { 1.0 });
        }
    }
    let values = factor
        .into_iter()
        .map(|factor| {
            let dice = if trouble == Trouble::Tails { heavy(rng) } else { normal(rng) };
            level * factor * (1.0 + noise * dice).max(0.01)
        })
        .collect();
    Series { values, truth, trouble }
}

fn places(rng: &mut Rng, length: usize) -> Vec<usize> {
    let mut truth: Vec<usize> = Vec::new();
    for _ in 0..rng.usize(0..5) {
        let place = rng.usize(20..length - 20);
        if truth.iter().all(|other| other.abs_diff(place) >= 20) {
            truth.push(place);
        }
    }
    truth.sort_unstable();
    truth
}

/// Precision, recall and the share of hits at the exact index; a hit lies within `reach` points, each truth is hit once.
pub(crate) struct Quality {
    pub(crate) found: usize,
    pub(crate) wanted: usize,
    pub(crate) hits: usize,
    pub(crate) exact: usize,
}

impl Quality {
    pub(crate) fn of<'a>(
        pairs: impl Iterator<Item = (&'a [usize], &'a [usize])>,
        reach: usize,
    ) -> Self {
        let mut quality = Self { found: 0, wanted: 0, hits: 0, exact: 0 };
        for (found, truth) in pairs {
            quality.found += found.len();
            quality.wanted += truth.len();
            let mut left: Vec<usize> = found.to_vec();
            for &wanted in truth {
                let nearest =
                    left.iter().enumerate().min_by_key(|(_, found)| found.abs_diff(wanted));
                if let Some((place, &at)) = nearest
                    && at.abs_diff(wanted) <= reach
                {
                    left.remove(place);
                    quality.hits += 1;
                    quality.exact += usize::from(at == wanted);
                }
            }
        }
        quality
    }

    pub(crate) fn precision(&self) -> f64 {
        self.hits as f64 / self.found.max(1) as f64
    }

    pub(crate) fn recall(&self) -> f64 {
        self.hits as f64 / self.wanted.max(1) as f64
    }
}
