//! What the kernel robot's comparison gets wrong, as decisions of ours (docs/statistics.md names the steps).

use regard::bench::{self, Direction, Knowledge, Metric};
use regard::stats::{Change, Class, Kind, Prior, Settings, decide};

use super::{metric, notification, one};

fn matrix(rows: &str, runs: usize) -> Vec<u8> {
    let sources: Vec<String> = (0..runs).map(|i| format!("\"{i}\"")).collect();
    format!("{{{rows}, \"stats_source\": [{}]}}", sources.join(", ")).into_bytes()
}

fn compared(base: Vec<u8>, head: Vec<u8>) -> Vec<Change> {
    let side =
        |bytes: Vec<u8>| bench::side(&[("matrix.json".to_owned(), bytes)], None).expect("readable");
    let pair = bench::pair(&side(base), &side(head)).expect("readable");
    decide(&pair, &Knowledge::embedded(), &Prior::default(), &Settings::default())
}

#[test]
fn an_empty_sample_is_no_number() {
    // The robot prints 66.67 +- 71 % here.
    let found = compared(
        matrix("\"unixbench.score\": [100.5, 101.5, -1]", 3),
        matrix("\"unixbench.score\": [200.5, 201.5, 202.5]", 3),
    );
    assert_eq!((found[0].base.n, found[0].base.mean), (2, Some(101.0)));
}

#[test]
fn padding_is_no_zero() {
    let found = compared(
        matrix("\"unixbench.score\": [100.5, 101.5, 100.25, 0]", 4),
        matrix("\"unixbench.score\": [100.5, 101.5, 100.75, 100.5]", 4),
    );
    assert_eq!((found[0].base.n, found[0].kind), (3, Kind::Same));
}

#[test]
fn a_metric_that_is_gone_did_not_fall_by_a_hundred_percent() {
    let found = compared(
        matrix("\"unixbench.score\": [5.5, 5.6, 5.5], \"reaim.jti\": [1.5, 1.5, 1.5]", 3),
        matrix(
            "\"unixbench.score\": [5.5, 5.6, 5.5], \"hackbench.throughput\": [1.5, 1.5, 1.5]",
            3,
        ),
    );
    let kind =
        |name: &str| found.iter().find(|c| c.metric == name).map(|c| (c.kind, c.change_percent));
    assert_eq!(kind("reaim.jti"), Some((Kind::Gone, None)));
    assert_eq!(kind("hackbench.throughput"), Some((Kind::New, None)));
}

#[test]
fn a_tiny_share_of_a_profile_is_no_row() {
    let name = "perf-profile.calltrace.cycles-pp.do_syscall_64";
    let share = |base: f64, head: f64| {
        one(Metric {
            name: name.to_owned(),
            kpi: None,
            direction: None,
            ..metric("", &[base, base + 0.01, base - 0.01], &[head, head + 0.01, head - 0.01])
        })
    };
    assert_eq!(share(0.4, 0.9).kind, Kind::Same, "half a point is no news");
    let large = share(0.4, 9.0);
    assert_eq!((large.kind, large.class), (Kind::Change, Class::Monitor));
    assert_eq!(large.change_absolute, Some(8.6));
}

#[test]
fn a_latency_is_judged_as_one() {
    let slower = one(Metric {
        name: "stress-ng.flock.nanosecs_per_flock_unlock_call".to_owned(),
        direction: None,
        ..metric("", &[1800.0, 1810.0, 1790.0], &[2400.0, 2410.0, 2390.0])
    });
    assert_eq!((slower.direction, slower.kind), (Some(Direction::Lower), Kind::Regression));
    // 3 % of a mean latency is below its floor of 5 %.
    let little = one(Metric {
        unit: Some("us".to_owned()),
        direction: None,
        ..metric("m", &[100.0, 100.1, 99.9], &[103.0, 103.1, 102.9])
    });
    assert_eq!(little.kind, Kind::Same, "{}", little.reason);
}

#[test]
fn overlapping_ranges_are_not_called_changed() {
    // base [10,20,30], new [21,40,50] is a change to the robot.
    let found = one(metric("m", &[10.0, 20.0, 30.0], &[21.0, 40.0, 50.0]));
    assert!(matches!(found.kind, Kind::Suspicious | Kind::Inconclusive), "{}", found.reason);
}

#[test]
fn five_percent_less_idle_is_points_not_percent() {
    let mut n = notification(vec![Metric {
        name: "vmstat.cpu.id".to_owned(),
        kpi: None,
        direction: None,
        ..metric("", &[50.0, 55.0, 45.0], &[10.0, 11.0, 9.0])
    }]);
    n.metrics.push(Metric { name: "mpstat.cpu.all.idle%".to_owned(), ..n.metrics[0].clone() });
    for change in decide(&n, &Knowledge::embedded(), &Prior::default(), &Settings::default()) {
        assert!(change.bounded);
        assert_eq!(change.change_absolute, Some(-40.0));
    }
}
