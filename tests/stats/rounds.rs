//! Step 8: two rounds of one comparison.

use regard::bench::{FailureCount, Knowledge, Metric, Notification, Side};
use regard::report::Finding;
use regard::stats::{Kind, Prior, Settings, confirm, decide};

use super::{metric, noise, notification};

const X: [f64; 3] = [100.0, 101.0, 99.0];

fn finding(notification: Notification) -> Finding {
    let prior = Prior::uniform(noise(0.01, 6.0, 0.005));
    let changes = decide(&notification, &Knowledge::embedded(), &prior, &Settings::default());
    Finding::new(notification, changes)
}

fn round(head: [f64; 3]) -> Finding {
    finding(notification(vec![metric("m", &X, &head)]))
}

fn slug(first: &Finding, second: &Finding) -> String {
    let why = confirm(first, second).expect_err("not confirmed");
    why.split(':').next().unwrap_or_default().to_owned()
}

#[test]
fn two_rounds_that_agree_are_joined() {
    let joined = confirm(&round([90.0, 91.0, 89.0]), &round([91.0, 92.0, 90.0])).unwrap();
    let change = &joined.changes[0];
    assert_eq!(
        (change.kind, change.base.n, change.head.n, change.base.builds),
        (Kind::Regression, 6, 6, 2)
    );
    assert!(change.reason.starts_with("confirmed: two rounds, p "), "{}", change.reason);
    assert_eq!(joined.notification.metrics[0].base_builds, Some(vec![0, 0, 0, 1, 1, 1]));
    assert_eq!(joined.rounds.len(), 2);
    assert_eq!((joined.rounds[0].base_runs, joined.rounds[1].head_runs), (3, 3));
    let [low, high] = change.ci95.unwrap();
    assert!(low < -9.5 && high > -9.5 && high - low < 5.0, "{low}..{high}");
}

#[test]
fn a_drift_between_the_rounds_does_no_harm() {
    let mut second =
        notification(vec![metric("m", &[120.0, 121.2, 118.8], &[108.0, 109.2, 106.8])]);
    second.regression = Some("r".to_owned());
    assert!(confirm(&round([90.0, 91.0, 89.0]), &finding(second)).is_ok());
}

#[test]
fn rounds_that_disagree_are_not() {
    let first = round([90.0, 91.0, 89.0]);
    assert_eq!(slug(&first, &round([110.0, 111.0, 109.0])), "sign-differs");
    assert_eq!(slug(&first, &round([99.0, 100.5, 98.5])), "not-seen-again");
    assert_eq!(slug(&first, &round([96.0, 96.5, 95.5])), "effect-differs");
    assert_eq!(slug(&round([100.0, 101.0, 99.0]), &first), "nothing-to-confirm");
}

#[test]
fn a_suspicion_needs_more_than_two_suspicions() {
    let weak = [96.9, 98.0, 96.0];
    let (first, second) = (round(weak), round(weak));
    assert_eq!(first.changes[0].kind, Kind::Suspicious);
    assert!(["overlap", "weak-together"].contains(&slug(&first, &second).as_str()));
}

#[test]
fn another_machine_test_or_commit_is_no_second_round() {
    let first = round([90.0, 91.0, 89.0]);
    let other = |change: fn(&mut Notification)| {
        let mut n = notification(vec![metric("m", &X, &[90.0, 91.0, 89.0])]);
        change(&mut n);
        slug(&first, &finding(n))
    };
    assert_eq!(other(|n| n.environment.machine = "lab-b".to_owned()), "environment-differs");
    assert_eq!(other(|n| n.head.commit = "v6.3".to_owned()), "other-commits");
    assert_eq!(other(|n| n.test.name = "other".to_owned()), "other-test");
}

#[test]
fn failures_of_both_rounds_are_counted_together() {
    let with = |fails: u32| {
        let mut n = notification(vec![metric("m", &X, &X)]);
        n.failures = vec![FailureCount {
            name: "oops".to_owned(),
            base: Side { fails: 0, runs: 4 },
            head: Side { fails, runs: 4 },
        }];
        finding(n)
    };
    let joined = confirm(&with(3), &with(3)).unwrap();
    assert_eq!(joined.notification.failures[0].head, Side { fails: 6, runs: 8 });
    assert!(confirm(&with(1), &with(0)).is_err());
}

#[test]
fn builds_of_the_second_round_are_counted_on() {
    let built = |builds: Vec<u32>| {
        let m = Metric {
            base_builds: Some(builds.clone()),
            head_builds: Some(builds),
            ..metric("m", &X, &[90.0, 91.0, 89.0])
        };
        finding(notification(vec![m]))
    };
    let joined = confirm(&built(vec![0, 0, 1]), &built(vec![0, 1, 1])).unwrap();
    assert_eq!(joined.notification.metrics[0].head_builds, Some(vec![0, 0, 1, 2, 3, 3]));
    assert_eq!(joined.changes[0].head.builds, 4);
}
