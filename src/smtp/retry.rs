//! When to try a mail again (RFC 5321 section 4.5.4.1; the short first steps are for greylisting).

use std::time::Duration;

/// Pauses between the attempts for one mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// After the first attempt, the second, and so on.
    pub first: Vec<Duration>,
    /// After those.
    pub then: Duration,
    /// No attempt later than this after the first.
    pub give_up: Duration,
}

impl Default for Schedule {
    /// 1, 5, 15, 30 minutes, then hourly; gives up after three days.
    fn default() -> Self {
        let minutes = |n: u64| Duration::from_secs(60 * n);
        Self {
            first: [1, 5, 15, 30].map(minutes).to_vec(),
            then: minutes(60),
            give_up: minutes(3 * 24 * 60),
        }
    }
}

impl Schedule {
    /// The pause after attempt number `attempt` (from 1), or `None` to give up.
    ///
    /// Pure: `seed` (of the mail) moves each pause by up to a tenth in either direction, so that mails that failed
    /// together do not all come back together.
    pub fn pause(&self, attempt: u32, seed: u64) -> Option<Duration> {
        let index = attempt.saturating_sub(1) as usize;
        let spent: Duration = self.first.iter().take(index + 1).sum();
        let hours = (index + 1).saturating_sub(self.first.len());
        let spent = spent
            .saturating_add(self.then.saturating_mul(u32::try_from(hours).unwrap_or(u32::MAX)));
        if spent > self.give_up {
            return None;
        }
        let pause = self.first.get(index).copied().unwrap_or(self.then);
        Some(pause.mul_f64(0.9 + 0.2 * share(seed, attempt)))
    }
}

/// From 0 to 1, well spread over seeds and attempts (splitmix64).
fn share(seed: u64, attempt: u32) -> f64 {
    let mut x = seed.wrapping_add(u64::from(attempt).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_are_those_of_the_schedule_within_a_tenth() {
        let schedule = Schedule::default();
        for (attempt, minutes) in [(1, 1.0), (2, 5.0), (3, 15.0), (4, 30.0), (5, 60.0), (40, 60.0)]
        {
            for seed in 0..200 {
                let pause = schedule.pause(attempt, seed).unwrap().as_secs_f64() / 60.0;
                assert!((pause / minutes - 1.0).abs() <= 0.1, "{attempt} {seed}: {pause}");
            }
        }
        assert_ne!(schedule.pause(5, 1), schedule.pause(5, 2));
        assert_ne!(schedule.pause(5, 1), schedule.pause(6, 1));
        assert_eq!(schedule.pause(5, 1), schedule.pause(5, 1));
    }

    #[test]
    fn it_ends_after_three_days() {
        let schedule = Schedule::default();
        let attempts = (1..).find(|attempt| schedule.pause(*attempt, 0).is_none()).unwrap();
        assert_eq!(attempts, 76);
        let total: Duration =
            (1..attempts).map(|attempt| schedule.pause(attempt, 7).unwrap()).sum();
        assert!((total.as_secs_f64() / 86400.0 - 3.0).abs() < 0.1, "{total:?}");
        assert_eq!(schedule.pause(u32::MAX, 0), None);
    }

    #[test]
    fn attempt_zero_is_the_first() {
        let schedule = Schedule {
            first: vec![],
            then: Duration::from_secs(10),
            give_up: Duration::from_secs(10),
        };
        assert!(schedule.pause(0, 0).is_some() && schedule.pause(1, 0).is_some());
        assert_eq!(schedule.pause(2, 0), None);
    }
}
