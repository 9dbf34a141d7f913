//! How long a decision takes: a commit with 5,000 metrics, and the change points of a history of 500 points.

use criterion::{Criterion, criterion_group, criterion_main};
use regard::bench::{Knowledge, decode};
use regard::stats::{Hunter, Prior, Search, Settings, Stepper, Steps, decide, failures, overall};

#[path = "figures/commit.rs"]
mod commit;

use commit::{noisy, notification};

/// The same as in the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
