//! Findings for tests, from as few words as a test needs.

use regard::bench::{Commit, Environment, Metric, Notification, Test, Tree};
use regard::report::Finding;
use regard::stats::{Class, Kind};

use crate::decide;

pub(crate) const BASE: &str = "0123456789abcdef0123456789abcdef01234567";
pub(crate) const HEAD: &str = "7c1e0f5b0d6a4e3f9b8c7d6e5f4a3b2c1d0e9f8a";

pub(crate) fn metric(name: &str, base: &[f64], head: &[f64]) -> Metric {
    let runs = |values: &[f64]| values.iter().map(|v| Some(*v)).collect();
    Metric { name: name.to_owned(), base: runs(base), head: runs(head), ..Metric::default() }
}

pub(crate) fn kpi(name: &str, base: &[f64], head: &[f64]) -> Metric {
    let direction = Some(regard::bench::Direction::Higher);
    Metric { kpi: Some(true), direction, ..metric(name, base, head) }
}

pub(crate) fn notification(metrics: Vec<Metric>) -> Notification {
    let commit = |id: &str, subject: &str| Commit {
        commit: id.to_owned(),
        subject: Some(subject.to_owned()),
        ..Commit::default()
    };
    let mut notification = Notification::new(
        Tree { name: "linus".to_owned(), branch: "master".to_owned(), url: None },
        [
            commit(BASE, "sched: Prepare the idle mask"),
            commit(HEAD, "sched/fair: Keep the idle mask in one place"),
        ],
        Test {
            name: "hackbench".to_owned(),
            parameters: [("nr_threads".to_owned(), "100%".to_owned())].into(),
            ..Test::default()
        },
        Environment {
            machine: "lab-a".to_owned(),
            compiler: Some("gcc-14".to_owned()),
            ..Environment::default()
        },
    );
    notification.metrics = metrics;
    notification.bisected = true;
    notification
}

/// Decided by the statistics of the tests.
pub(crate) fn finding(metrics: Vec<Metric>) -> Finding {
    let notification = notification(metrics);
    let changes = decide::all(&notification, 0.005);
    Finding::new(notification, changes)
}

/// Every metric taken for a changed monitor, whatever its numbers: for tests of the layout.
pub(crate) fn changed(metrics: Vec<Metric>) -> Finding {
    let mut finding = finding(metrics);
    for change in &mut finding.changes {
        if !matches!(change.kind, Kind::New | Kind::Gone) {
            change.kind = Kind::Change;
        }
        change.class = Class::Monitor;
    }
    finding
}
