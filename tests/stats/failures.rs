//! Step 5: failure counts.

use regard::bench::{FailureCount, Side};
use regard::stats::{FailureChange, Kind, Settings, failure};

fn decided(base: [u32; 2], head: [u32; 2]) -> FailureChange {
    let side = |[fails, runs]: [u32; 2]| Side { fails, runs };
    let count = FailureCount {
        name: "dmesg.WARNING:at_fs/x.c".to_owned(),
        base: side(base),
        head: side(head),
    };
    failure(&count, &Settings::default())
}

#[test]
fn new_failures_by_fisher() {
    assert_eq!(decided([0, 4], [4, 4]).reason, "new-failure: 0:4 -> 4:4, p 0.014");
    assert_eq!(decided([0, 4], [4, 4]).kind, Kind::Regression);
    assert_eq!(decided([0, 4], [3, 4]).kind, Kind::Suspicious);
    assert_eq!(decided([0, 6], [3, 6]).kind, Kind::Suspicious);
    assert_eq!(decided([0, 200], [10, 198]).kind, Kind::Regression);
}

#[test]
fn a_single_flake_is_never_a_report() {
    let flake = decided([0, 4], [1, 4]);
    assert_eq!(flake.kind, Kind::Suspicious);
    assert!(flake.reason.starts_with("needs-more-runs"), "{}", flake.reason);
    assert_eq!(
        decided([0, 100], [1, 4]).kind,
        Kind::Regression,
        "p 0.04 after a hundred clean runs"
    );
}

#[test]
fn twice_after_twenty_clean_runs_is_enough() {
    let change = decided([0, 20], [2, 30]);
    assert_eq!(change.kind, Kind::Regression);
    assert!(change.reason.starts_with("never-seen-before"), "{}", change.reason);
}

#[test]
fn rates_of_both_sides_are_divided_by_their_own_runs() {
    // The kernel robot prints 125 % and -17 % here.
    assert_eq!(decided([1, 4], [6, 12]).rate_points, Some(25.0));
    assert_eq!(decided([6, 12], [4, 4]).rate_points, Some(50.0));
    assert_eq!(decided([6, 12], [4, 4]).kind, Kind::Suspicious);
}

#[test]
fn rates_count_not_maxima() {
    // 1:4 -> 4:4 has the same maximum, and is no nothing.
    assert_eq!(decided([1, 4], [4, 4]).kind, Kind::Suspicious);
    assert_eq!(decided([1, 8], [8, 8]).kind, Kind::Regression);
    assert_eq!(decided([4, 4], [0, 4]).kind, Kind::Improvement);
    assert_eq!(decided([2, 4], [2, 4]).kind, Kind::Same);
    assert_eq!(decided([0, 0], [2, 4]).kind, Kind::Insufficient);
}
