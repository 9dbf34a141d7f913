//! Stored histories: what is kept of notifications, what it teaches, and what is told of it.

mod head;
mod hostile;
mod lab;
mod noise;
mod pair;
mod stored;
mod submit;

use jiff::Timestamp;
use regard::bench::{Commit, Direction, Environment, Metric, Notification, Test, Tree};

/// A moment, in hours after the first.
fn at(hour: i64) -> Timestamp {
    Timestamp::from_second(1_780_000_000 + 3600 * hour).expect("in range")
}

/// Deterministic noise, nearly normal, standard deviation 1.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    }

    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() / 2.0
    }

    /// Three runs around a level.
    fn runs(&mut self, level: f64, spread: f64) -> Vec<Option<f64>> {
        (0..3)
            .map(|_| Some((level * (1.0 + spread * self.normal()) * 10.0).round() / 10.0))
            .collect()
    }
}

/// The id of the n-th commit.
fn id(n: usize) -> String {
    format!("{n:04}{}", "c0ffee".repeat(6))
}

fn commit(n: usize) -> Commit {
    let subject = Some(format!("sched: change number {n}"));
    Commit { commit: id(n), subject, ..Commit::default() }
}

fn metric(name: &str, base: Vec<Option<f64>>, head: Vec<Option<f64>>) -> Metric {
    Metric {
        name: name.to_owned(),
        unit: Some("ops/s".to_owned()),
        direction: Some(Direction::Higher),
        kpi: Some(true),
        base,
        head,
        ..Metric::default()
    }
}

/// Results of one commit, or of two where any metric has a base.
fn notification(base: usize, head: usize, metrics: Vec<Metric>) -> Notification {
    let both = metrics.iter().any(|m| !m.base.is_empty());
    let mut notification = Notification::new(
        Tree { name: "kernel".to_owned(), branch: "master".to_owned(), url: None },
        [if both { commit(base) } else { Commit::default() }, commit(head)],
        Test {
            name: "pipes".to_owned(),
            parameters: [("threads".to_owned(), "8".to_owned())].into(),
            ..Test::default()
        },
        Environment { machine: "lab-a".to_owned(), ..Environment::default() },
    );
    notification.metrics = metrics;
    notification.reproduce.push("pipes --threads 8".to_owned());
    notification
}
