//! The kernel robot's own worked cases (what its comparison prints for made-up samples) beside what we print and conclude.
//!
//! Its known defects and where ours are tested:
//! 1. `%reproduction` divided by the base's runs: here, `failures 4 of 12`; `failures.rs`.
//! 2. A zero base becomes `+1.1e+103%`, a metric that is gone `-100.0%`, a new one nothing: here.
//! 3. An empty sample (-1) counts in the mean: `peer.rs`, and here as a missing run.
//! 4. Latencies are judged as throughput: `peer.rs`.
//! 5. The floor of profile shares never applies: `peer.rs`.
//! 6. Values are cut and not rounded; rows of `+0.0` and `-0.0`: here.
//! 7. Failures by their maxima and not by their rates, directions that are wrong: `failures.rs`, here, and the last test.
//! 8. Missing runs drawn as zero: the last test but one.

use std::fmt::Write as _;
use std::path::Path;

use regard::bench::{Direction, FailureCount, Knowledge, Metric, Side};
use regard::report::Finding;
use regard::report::plot::{Group, plot};
use regard::report::table::{Rows, Table};
use regard::stats::{Class, Kind, Prior, Settings, decide, failures};

use super::notification;

type Runs = &'static [f64];
const MISSING: f64 = f64::NAN;

/// Name of the case, metric, base, head, the robot's row.
const CASES: &[(&str, &str, Runs, Runs, &str)] = &[
    (
        "plain",
        "pipes.rate",
        &[1000.0, 1010.0, 990.0, 1000.0],
        &[900.0, 905.0, 895.0, 900.0],
        "1000 -10.0% 900.00",
    ),
    (
        "spread shown, ranges overlap",
        "pipes.rate",
        &[10.0, 20.0, 30.0],
        &[21.0, 40.0, 50.0],
        "20.00 +-40% +85.0% 37.00 +-32%",
    ),
    ("ranges overlap more", "pipes.rate", &[10.0, 20.0, 30.0], &[19.0, 40.0, 50.0], "no row"),
    (
        "share that rises",
        "pipes.miss-rate%",
        &[20.0, 21.0, 19.0],
        &[30.0, 31.0, 29.0],
        "20.00 +-4% +10.0 30.00 +-2%",
    ),
    (
        "share that falls",
        "pipes.idle%",
        &[50.0, 55.0, 45.0],
        &[10.0, 11.0, 9.0],
        "50.00 +-8% -40.0 10.00 +-8%",
    ),
    ("zero base", "pipes.errors", &[0.0; 3], &[10.0, 12.0, 11.0], "0.00 +1.1e+103% 11.00 +-7%"),
    ("zero base of a share", "pipes.lock%", &[0.0; 3], &[6.0, 6.5, 7.0], "0.00 +6.5 6.50 +-6%"),
    ("zero on both sides", "pipes.errors", &[0.0; 3], &[0.0; 3], "0.00 -100.0% 0.00"),
    ("tiny change of a share", "pipes.C1%", &[5.0; 3], &[4.97; 3], "5.00 -0.0 4.97"),
    ("huge", "pipes.rate", &[1.0; 3], &[2000.0, 2001.0, 2002.0], "1.00 +2e+05% 2001"),
    (
        "one run is missing",
        "pipes.rate",
        &[100.0, 101.0, 99.0],
        &[90.0, 91.0, MISSING],
        "100.00 -9.5% 90.50",
    ),
    ("gone", "pipes.rate", &[5.0; 3], &[], "5.00 -100.0% 0.00"),
    ("new", "pipes.rate", &[], &[5.0; 3], "no row"),
    (
        "an empty sample, -1 to the robot",
        "pipes.rate",
        &[100.0, 101.0, MISSING],
        &[200.0, 201.0, 202.0],
        "66.67 +-71% +201.5% 201.00",
    ),
    ("one against three", "pipes.rate", &[1000.0, 1001.0, 1002.0], &[500.0], "1000 -50.0% 500.00"),
    ("two against two", "pipes.rate", &[1000.0, 1001.0], &[500.0, 501.0], "no row"),
    (
        "+1.5 %",
        "pipes.rate",
        &[1000.0, 1001.0, 1002.0],
        &[1015.0, 1016.0, 1017.0],
        "1001 +1.5% 1016",
    ),
    ("+0.9 %", "pipes.rate", &[1000.0, 1001.0, 1002.0], &[1009.0, 1010.0, 1011.0], "no row"),
    (
        "a gap of nine tenths",
        "pipes.rate",
        &[100.0, 101.0, 99.0],
        &[90.0, 91.0, 89.0],
        "100.00 -10.0% 90.00",
    ),
    ("whole numbers that differ by one", "pipes.depth", &[5.0; 3], &[4.0; 3], "refused"),
    (
        "two modes on both sides",
        "pipes.rate",
        &[100.0, 100.0, 100.0, 90.0, 100.0, 100.0],
        &[90.0, 90.0, 100.0, 100.0, 90.0, 90.0],
        "no row",
    ),
    (
        "just below two thousand",
        "pipes.rate",
        &[1999.9, 1999.9, 1999.9],
        &[2999.9, 2999.9, 2999.9],
        "1999 +50.0% 2999",
    ),
    (
        "below zero, with a spread",
        "pipes.slack",
        &[-681_107.0, -500_000.0, -860_000.0],
        &[-327_811.0, -300_000.0, -350_000.0],
        "-681107 -51.9% -327811",
    ),
];

/// Name, base fails and runs, head fails and runs, the robot's row.
const FAILURES: &[(&str, [u32; 2], [u32; 2], &str)] = &[
    ("failures that went away", [3, 4], [0, 4], "3:4 -75% :4"),
    ("failures that came", [0, 4], [3, 4], ":4 75% 3:4"),
    ("failures of 4 and of 12 runs", [1, 4], [6, 12], "1:4 125% 6:12"),
    ("failures of 12 and of 4 runs", [6, 12], [4, 4], "6:12 -17% 4:4"),
    ("a single flake", [0, 4], [1, 4], ":4 25% 1:4"),
    ("the same maximum", [1, 4], [4, 4], "no row"),
];

fn runs(values: &[f64]) -> Vec<Option<f64>> {
    values.iter().map(|v| v.is_finite().then_some(*v)).collect()
}

fn rows(finding: &Finding, name: &str) -> String {
    let table = Table::of(&[finding], Rows { kpis: 9, monitors: 9 });
    let lines = table.lines(100);
    let mut found = lines.iter().filter(|line| line.trim_end().ends_with(name));
    let row = found.next_back().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    row.unwrap_or_else(|| "no row".to_owned())
}

#[test]
fn every_case_of_the_robot_beside_ours() {
    let (knowledge, settings) = (Knowledge::embedded(), Settings::default());
    let mut text = String::new();
    for (case, name, base, head, robot) in CASES {
        let n = notification(vec![Metric {
            name: (*name).to_owned(),
            direction: Some(Direction::Higher),
            kpi: Some(true),
            base: runs(base),
            head: runs(head),
            ..Metric::default()
        }]);
        let changes = decide(&n, &knowledge, &Prior::default(), &settings);
        let verdict = (changes[0].kind, changes[0].reason.clone());
        let row = rows(&Finding::new(n, changes), name);
        writeln!(
            text,
            "{case}: {base:?} -> {head:?}\n    robot  {robot}\n    row    {row}\n    {:?}  {}\n",
            verdict.0, verdict.1
        )
        .expect("a string");
    }
    for (case, base, head, robot) in FAILURES {
        let side = |[fails, runs]: [u32; 2]| Side { fails, runs };
        let mut n = notification(Vec::new());
        n.failures.push(FailureCount {
            name: "dmesg.oops".to_owned(),
            base: side(*base),
            head: side(*head),
        });
        let change = failures(&n, &settings).remove(0);
        let row = rows(&Finding::new(n, Vec::new()), "dmesg.oops");
        writeln!(
            text,
            "{case}: {base:?} -> {head:?}\n    robot  {robot}\n    row    {row}\n    {:?}  {}\n",
            change.kind, change.reason
        )
        .expect("a string");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stats/peer-table.txt");
    if std::env::var_os("REGARD_BLESS").is_some() {
        std::fs::write(&path, &text).expect("written");
    }
    let expected = std::fs::read_to_string(&path).expect("tests/stats/peer-table.txt");
    assert_eq!(text, expected.replace("\r\n", "\n"), "REGARD_BLESS=1 rewrites it");
}

#[test]
fn a_missing_run_is_a_gap_and_the_axis_does_not_begin_at_zero() {
    let group = |label: &str, values: &[f64]| Group { label: label.to_owned(), runs: runs(values) };
    let groups = [
        group("base", &[100.0, MISSING, 101.0, 99.5]),
        group("head", &[95.0, MISSING, 94.5, 96.0]),
    ];
    let drawn = plot("pipes.rate", &groups, 72, 16).expect("drawn");
    assert_eq!(drawn.missing, 2);
    let lowest: f64 = drawn.from.parse().expect("a number");
    assert!(lowest > 90.0, "{}", drawn.lines.join("\n"));
    let marks =
        |mark: char| drawn.lines.iter().flat_map(|l| l.chars()).filter(|c| *c == mark).count();
    assert_eq!((marks('*'), marks('O')), (3, 3), "{}", drawn.lines.join("\n"));
}

/// Names whose direction the robot's list has the wrong way round.
#[test]
fn less_time_is_better_whatever_the_list_of_the_robot_says() {
    let knowledge = Knowledge::embedded();
    for name in [
        "phoronix-test-suite.build-linux-kernel.0.total_time_-_seconds",
        "phoronix-test-suite.stockfish.0.milliseconds",
        "phoronix-test-suite.memcached.0.average_usec",
        "phoronix-test-suite.osbench.0.ns_per_event",
        "stress-ng.flock.nanosecs_per_item",
    ] {
        let known = knowledge.resolve(name, None);
        assert_eq!(known.direction, Some(Direction::Lower), "{name}: {}", knowledge.why(&known));
    }
    // And what nobody knows is a change, never a regression.
    let n = notification(vec![Metric {
        name: "zork.frobs".to_owned(),
        base: runs(&[1000.0, 1001.0, 999.0]),
        head: runs(&[800.0, 801.0, 799.0]),
        ..Metric::default()
    }]);
    let change = decide(&n, &knowledge, &Prior::default(), &Settings::default()).remove(0);
    assert_eq!((change.kind, change.class), (Kind::Change, Class::Kpi));
}
