//! What it costs, in CPU time of one core: a commit with 5,000 metrics, 10,000 histories of 500 points.

use jiff::Timestamp;
use regard::bench::{Commit, Knowledge, Notification};
use regard::stats::{Prior, Settings, Stepper, Steps, decide, failures, overall};
use regard::store::{Reach, Store};

use crate::series::generated;
use crate::{commit, cpu};

const COMMITS: i64 = 30;

pub(crate) fn run() {
    println!("\ncost, CPU time of one core");
    let row = |what: &str, seconds: f64, goal: &str| {
        println!("{what:<64} {:>9.1} ms  {goal}", 1000.0 * seconds);
    };
    let n = commit::notification();
    let knowledge = Knowledge::embedded();
    let settings = Settings::default();
    let conclude = |prior: &Prior| {
        let changes = decide(&n, &knowledge, prior, &settings);
        std::hint::black_box(overall(&changes, &failures(&n, &settings)));
    };
    let seconds = cpu::of(|| conclude(&Prior::default()));
    row("decide 5,000 metrics of 6+6 runs", seconds, "goal < 100 ms");

    let mut store = stored(&n, &knowledge);
    let mut past = None;
    let seconds = cpu::of(|| {
        past = store
            .look(|tx| match tx.suite_of(&n)? {
                Some(suite) => Ok(Some(tx.past(&suite, None, Reach::default())?)),
                None => Ok(None),
            })
            .expect("read");
    });
    let past = past.expect("stored");
    row(&format!("read the last {COMMITS} commits of 5,000 series"), seconds, "");
    let mut prior = Prior::default();
    let seconds = cpu::of(|| prior = past.prior(&n, &knowledge));
    row("learn the noise of 5,000 series from them", seconds, "");
    let seconds = cpu::of(|| conclude(&prior));
    row("decide 5,000 metrics with that noise", seconds, "goal < 100 ms");

    let all = generated(10_000, 500, 11);
    let begin = cpu::seconds();
    let mut stepper = Stepper::new(Steps::default());
    let found: usize = all.iter().map(|series| stepper.steps(&series.values).len()).sum();
    let seconds = cpu::seconds() - begin;
    row(
        &format!("{found} steps in 10,000 series of 500 points"),
        seconds,
        "goal < 120,000 ms (60 s on 2 cores)",
    );
}

/// The heads of earlier commits, in memory.
fn stored(n: &Notification, knowledge: &Knowledge) -> Store {
    let mut rng = fastrand::Rng::with_seed(3);
    let mut store = Store::in_memory().expect("memory");
    for at in 0..COMMITS {
        let mut earlier = n.clone();
        earlier.base = Commit::default();
        earlier.head.commit = format!("v5.{at}");
        for metric in &mut earlier.metrics {
            metric.base.clear();
            metric.head = (0..3).map(|_| Some(commit::noisy(&mut rng, 1e5).round())).collect();
        }
        let now = Timestamp::from_second(1_780_000_000 + 3600 * at).expect("in range");
        store
            .transaction(|tx| tx.put_points(&earlier, knowledge, &format!("m{at}"), now))
            .expect("stored");
    }
    store
}
