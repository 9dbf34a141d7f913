//! The word of a whole notification.

use regard::bench::{Direction, FailureCount, Metric, Side};
use regard::stats::{Change, Lead, OverallKind, Settings, failure, overall};

use super::{decide_with, metric, noise};

const X: [f64; 3] = [100.0, 101.0, 99.0];
const DOWN: [f64; 3] = [90.0, 91.0, 89.0];
const UP: [f64; 3] = [120.0, 121.0, 119.0];

fn changes(metrics: Vec<Metric>) -> Vec<Change> {
    decide_with(metrics, noise(0.01, 6.0, 0.005))
}

#[test]
fn a_lone_kpi_asks_for_confirmation_and_two_do_not() {
    let lone = overall(&changes(vec![metric("a", &X, &DOWN), metric("b", &X, &X)]), &[]);
    assert_eq!(
        (lone.kind, lone.needs_confirmation, lone.lead),
        (OverallKind::Regression, true, Some(Lead::Change(0)))
    );
    assert!(lone.reason.starts_with("lone-kpi: moderated-t"), "{}", lone.reason);
    let two = overall(&changes(vec![metric("a", &X, &DOWN), metric("b", &X, &DOWN)]), &[]);
    assert_eq!((two.kind, two.needs_confirmation), (OverallKind::Regression, false));
}

#[test]
fn runs_of_two_builds_a_side_stand_alone() {
    let twice = |values: [f64; 3]| [values, values].concat();
    let m = Metric {
        base_builds: Some(vec![0, 0, 0, 1, 1, 1]),
        head_builds: Some(vec![0, 0, 0, 1, 1, 1]),
        ..metric("a", &twice(X), &twice(DOWN))
    };
    let found = overall(&changes(vec![m]), &[]);
    assert_eq!((found.kind, found.needs_confirmation), (OverallKind::Regression, false));
}

#[test]
fn worse_and_better_is_mixed_and_led_by_the_worst() {
    let found = overall(&changes(vec![metric("up", &X, &UP), metric("down", &X, &DOWN)]), &[]);
    assert_eq!((found.kind, found.lead), (OverallKind::Mixed, Some(Lead::Change(1))));
    assert!(found.reason.starts_with("mixed: 1 worse, 1 better"), "{}", found.reason);
}

#[test]
fn the_largest_of_several_leads() {
    let worse = [50.0, 51.0, 49.0];
    let found = overall(&changes(vec![metric("a", &X, &DOWN), metric("b", &X, &worse)]), &[]);
    assert_eq!(found.lead, Some(Lead::Change(1)));
}

#[test]
fn monitors_do_not_count() {
    let found = overall(
        &changes(vec![Metric { kpi: Some(false), ..metric("a", &X, &DOWN) }, metric("b", &X, &X)]),
        &[],
    );
    assert_eq!(found.kind, OverallKind::Same);
    assert!(!found.kind.raises());
}

#[test]
fn unknown_direction_is_change_never_regression() {
    let found = overall(&changes(vec![Metric { direction: None, ..metric("a", &X, &DOWN) }]), &[]);
    assert_eq!(found.kind, OverallKind::Change);
}

#[test]
fn failures_lead_and_flakes_ask() {
    let count = |fails| FailureCount {
        name: "oops".to_owned(),
        base: Side { fails: 0, runs: 4 },
        head: Side { fails, runs: 4 },
    };
    let failures = |fails| [failure(&count(fails), &Settings::default())];
    let quiet = changes(vec![metric("a", &X, &X)]);
    let found = overall(&quiet, &failures(4));
    assert_eq!((found.kind, found.lead), (OverallKind::Failure, Some(Lead::Failure(0))));
    let found = overall(&quiet, &failures(1));
    assert_eq!((found.kind, found.needs_confirmation), (OverallKind::Suspicious, true));
    assert_eq!(overall(&quiet, &failures(0)).kind, OverallKind::Same);
}

#[test]
fn quiet_words() {
    let weak = [96.9, 98.0, 96.0];
    assert_eq!(overall(&changes(vec![metric("a", &X, &weak)]), &[]).kind, OverallKind::Suspicious);
    assert_eq!(
        overall(&changes(vec![metric("a", &[1.0], &[2.0])]), &[]).kind,
        OverallKind::Insufficient
    );
    assert_eq!(overall(&changes(vec![metric("a", &X, &[])]), &[]).kind, OverallKind::Inconclusive);
    assert_eq!(overall(&[], &[]).kind, OverallKind::Same);
    let lower = Metric { direction: Some(Direction::Lower), ..metric("a", &X, &DOWN) };
    assert_eq!(overall(&changes(vec![lower]), &[]).kind, OverallKind::Improvement);
}
