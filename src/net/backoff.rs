//! How long to wait after a failure.

use std::time::Duration;

/// The pause after the `failures`-th failure in a row (1 = the first): `first`, doubled each time up to `max`, then
/// shortened by up to a quarter, so that clients that failed together do not come back together.
///
/// Pure: `seed` picks the jitter.
pub fn backoff(first: Duration, max: Duration, failures: u32, seed: u64) -> Duration {
    let doublings = failures.saturating_sub(1).min(20);
    let full = first.saturating_mul(1 << doublings).min(max);
    let share = (seed % 1024) as f64 / 1024.0;
    full.mul_f64(1.0 - share / 4.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn doubles_up_to_the_maximum() {
        let pause = |n| backoff(SECOND, 300 * SECOND, n, 0).as_secs();
        assert_eq!(
            (1..=11).map(pause).collect::<Vec<_>>(),
            [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
        );
        assert_eq!(pause(u32::MAX), 300);
        assert_eq!(pause(0), 1);
    }

    #[test]
    fn jitter_only_shortens_and_by_less_than_a_quarter() {
        for seed in 0..2000 {
            let pause = backoff(SECOND, 300 * SECOND, 4, seed);
            assert!(pause > 6 * SECOND && pause <= 8 * SECOND, "{seed}: {pause:?}");
        }
        assert_ne!(backoff(SECOND, SECOND, 1, 1), backoff(SECOND, SECOND, 1, 700));
    }
}
