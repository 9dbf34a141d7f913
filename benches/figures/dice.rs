//! Seeded noise.

use fastrand::Rng;

pub(crate) fn seeded(seed: u64) -> Rng {
    Rng::with_seed(seed)
}

/// Standard normal, by Box and Muller.
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.f64()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.f64()).cos()
}

/// Student's t with 3 degrees of freedom, scaled to a standard deviation of 1: heavy tails.
pub(crate) fn heavy(rng: &mut Rng) -> f64 {
    let square: f64 = (0..3).map(|_| normal(rng).powi(2)).sum();
    normal(rng) / (square / 3.0).sqrt() / 3f64.sqrt()
}

pub(crate) fn between(rng: &mut Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.f64()
}
