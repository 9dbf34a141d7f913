//! How long a decision takes: a commit with 5,000 metrics, and the change points of a history of 500 points.

use criterion::{Criterion, criterion_group, criterion_main};
use regard::bench::{Knowledge, Metric, Notification, decode};
use regard::stats::{Hunter, Prior, Search, Settings, Stepper, Steps, decide, failures, overall};

fn noisy(seed: &mut fastrand::Rng, level: f64) -> f64 {
    level * (1.0 + 0.02 * (seed.f64() + seed.f64() + seed.f64() - 1.5))
}

/// 5,000 metrics with the names of the kernel robot's monitors, 6+6 runs, some of them changed.
fn notification() -> Notification {
    let mut rng = fastrand::Rng::with_seed(1);
    let groups = [
        "perf-stat.i",
        "proc-vmstat",
        "sched_debug.cfs_rq:/",
        "interrupts.CPU7",
        "slabinfo",
        "numa-meminfo.node0",
    ];
    let metrics = (0..5000)
        .map(|i| {
            let name = if i < 20 {
                format!("unixbench.score@{i}")
            } else {
                format!("{}.counter_{i}", groups[i % groups.len()])
            };
            let effect = if i % 50 == 0 { 0.9 } else { 1.0 };
            Metric {
                name,
                base: (0..6).map(|_| Some(noisy(&mut rng, 1e5))).collect(),
                head: (0..6).map(|_| Some(noisy(&mut rng, effect * 1e5))).collect(),
                ..Metric::default()
            }
        })
        .collect();
    let text = r#"{"regard": 1, "tree": {"name": "linus", "branch": "master"}, "base": {"commit": "v6.1"},
        "head": {"commit": "v6.2"}, "test": {"name": "unixbench"}, "environment": {"machine": "lab-a"}, "metrics": []}"#;
    let mut notification: Notification = serde_json::from_str(text).expect("a notification");
    notification.metrics = metrics;
    notification
}

fn decision(c: &mut Criterion) {
    let notification = notification();
    let knowledge = Knowledge::embedded();
    let (prior, settings) = (Prior::default(), Settings::default());
    c.bench_function("decide/5000 metrics", |b| {
        b.iter(|| {
            let changes = decide(&notification, &knowledge, &prior, &settings);
            overall(&changes, &failures(&notification, &settings))
        });
    });
    let text = serde_json::to_vec(&notification).expect("JSON");
    c.bench_function("decode/5000 metrics", |b| b.iter(|| decode("n.json", &text).expect("good")));
    c.bench_function("knowledge/read", |b| b.iter(Knowledge::embedded));
}

fn change_points(c: &mut Criterion) {
    let mut rng = fastrand::Rng::with_seed(2);
    let series: Vec<f64> =
        (0..500).map(|i| noisy(&mut rng, if i < 300 { 100.0 } else { 95.0 })).collect();
    let mut hunter = Hunter::new(Search::default());
    c.bench_function("hunter/500 points", |b| b.iter(|| hunter.change_points(&series)));
    let mut stepper = Stepper::new(Steps::default());
    c.bench_function("steps/500 points", |b| b.iter(|| stepper.steps(&series)));
}

criterion_group! {
    name = speed;
    config = Criterion::default().sample_size(20).without_plots();
    targets = decision, change_points
}
criterion_main!(speed);
