//! A commit with 5,000 metrics.

use regard::bench::{Metric, Notification};

pub(crate) fn noisy(seed: &mut fastrand::Rng, level: f64) -> f64 {
    level * (1.0 + 0.02 * (seed.f64() + seed.f64() + seed.f64() - 1.5))
}

/// 5,000 metrics with the names of the kernel robot's monitors, 6+6 runs, some of them changed.
pub(crate) fn notification() -> Notification {
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
