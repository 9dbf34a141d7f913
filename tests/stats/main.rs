//! The statistics room: vectors, decisions, families, failures.

mod decisions;
mod failures;
mod history;
mod overall;
mod peer;
mod peer_table;
mod rounds;
mod vectors;

use regard::bench::{Direction, Knowledge, Metric, Notification};
use regard::stats::{Change, Noise, Prior, Settings, decide};

/// A notification with one machine and these metrics.
fn notification(metrics: Vec<Metric>) -> Notification {
    let text = r#"{"regard": 1, "tree": {"name": "linus", "branch": "master"},
        "base": {"commit": "v6.1"}, "head": {"commit": "v6.2"}, "test": {"name": "bench", "parameters": {}},
        "environment": {"machine": "lab-a"}, "metrics": []}"#;
    let mut notification: Notification = serde_json::from_str(text).expect("readable");
    notification.metrics = metrics;
    notification
}

/// A kpi where more is better.
fn metric(name: &str, base: &[f64], head: &[f64]) -> Metric {
    Metric {
        name: name.to_owned(),
        direction: Some(Direction::Higher),
        kpi: Some(true),
        base: base.iter().copied().map(Some).collect(),
        head: head.iter().copied().map(Some).collect(),
        ..Metric::default()
    }
}

fn noise(spread: f64, weight: f64, build: f64) -> Noise {
    Noise { spread, weight, build: Some(build), commits: 20 }
}

fn decide_with(metrics: Vec<Metric>, noise: Noise) -> Vec<Change> {
    decide(
        &notification(metrics),
        &Knowledge::embedded(),
        &Prior::uniform(noise),
        &Settings::default(),
    )
}

/// Decides one metric without any history.
fn one(metric: Metric) -> Change {
    decide(
        &notification(vec![metric]),
        &Knowledge::embedded(),
        &Prior::default(),
        &Settings::default(),
    )
    .remove(0)
}
