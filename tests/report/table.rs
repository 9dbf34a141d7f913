//! The table against rows that LKP's own code printed for the same numbers; where we differ, a test says why.

use regard::bench::{Commit, FailureCount, Metric, Side};
use regard::report::Finding;
use regard::report::table::{Rows, Table};

use crate::samples::{changed, finding, kpi, metric};

const ALL: Rows = Rows { kpis: 40, monitors: 30 };

/// The metric and failure rows of a table.
fn rows(findings: &[&Finding]) -> Vec<String> {
    let lines = Table::of(findings, ALL).lines(100);
    let start = lines.iter().position(|l| l.starts_with("-------------")).unwrap();
    let body = lines[start + 1..].iter();
    body.filter(|l| !l.contains("%stddev") && !l.contains("fail:runs") && !l.contains('|'))
        .cloned()
        .collect()
}

fn row(name: &str, base: &[f64], head: &[f64]) -> String {
    rows(&[&changed(vec![metric(name, base, head)])]).join("\n")
}

fn failed(name: &str, base: (u32, u32), head: (u32, u32)) -> Vec<String> {
    let mut finding = finding(Vec::new());
    let side = |(fails, runs): (u32, u32)| Side { fails, runs };
    finding.notification.failures =
        vec![FailureCount { name: name.to_owned(), base: side(base), head: side(head) }];
    rows(&[&finding])
}

#[test]
fn rows_stand_where_lkp_prints_them() {
    let cases: [(&str, &[f64], &[f64], &str); 8] = [
        (
            "name",
            &[1000.0, 1010.0, 990.0, 1000.0],
            &[900.0, 905.0, 895.0, 900.0],
            "      1000           -10.0%     900.00        name",
        ),
        // Pure ASCII: `+-` where LKP has the plus-minus sign, in the same columns.
        (
            "name",
            &[10.0, 20.0, 30.0],
            &[21.0, 40.0, 50.0],
            "     20.00 +-40%     +85.0%      37.00 +-32%  name",
        ),
        (
            "cache-miss-rate%",
            &[20.0, 21.0, 19.0],
            &[30.0, 31.0, 29.0],
            "     20.00 +- 4%     +10.0       30.00 +- 2%  cache-miss-rate%",
        ),
        (
            "cpu.idle%",
            &[50.0, 55.0, 45.0],
            &[10.0, 11.0, 9.0],
            "     50.00 +- 8%     -40.0       10.00 +- 8%  cpu.idle%",
        ),
        (
            "perf-profile.children.x",
            &[0.0, 0.0, 0.0],
            &[6.0, 6.5, 7.0],
            "      0.00            +6.5        6.50 +- 6%  perf-profile.children.x",
        ),
        (
            "name",
            &[1.0, 1.0, 1.0],
            &[2000.0, 2001.0, 2002.0],
            "      1.00          +2e+05%       2001        name",
        ),
        (
            "name",
            &[100.0, 101.0, 99.0],
            &[90.0, 91.0],
            "    100.00            -9.5%      90.50        name",
        ),
        (
            "name",
            &[1000.0, 1001.0, 1002.0],
            &[500.0],
            "      1001           -50.0%     500.00        name",
        ),
    ];
    for (name, base, head, expected) in cases {
        assert_eq!(row(name, base, head), expected);
    }
}

#[test]
fn a_wide_spread_keeps_its_columns() {
    let text = row("name", &[0.0, 0.0, 30.0, 0.0], &[21.0, 21.0, 21.0, 21.0]);
    assert_eq!(text, "      7.50+-173%    +180.0%      21.00        name");
}

#[test]
fn a_spread_of_two_percent_is_hidden() {
    assert_eq!(
        row("n", &[98.0, 102.0], &[200.0, 200.0]),
        "    100.00          +100.0%     200.00        n"
    );
    assert_eq!(
        row("n", &[97.9, 102.1], &[200.0, 200.0]),
        "    100.00 +- 2%    +100.0%     200.00        n"
    );
}

#[test]
fn values_are_rounded_where_lkp_truncates() {
    assert_eq!(row("n", &[1999.9], &[999.994]), "      2000           -50.0%     999.99        n");
}

#[test]
fn small_values_are_told_where_lkp_prints_zero() {
    assert_eq!(row("n", &[0.0014], &[0.0028]), "    0.0014          +100.0%     0.0028        n");
}

#[test]
fn a_negative_mean_has_a_spread_and_rises_upwards() {
    let text = row("n", &[-600.0, -700.0, -800.0], &[-300.0, -350.0, -400.0]);
    // A rise is positive below zero too, as `stats` tells it; LKP prints -50.0%.
    assert_eq!(text, "   -700.00 +-11%     +50.0%    -350.00 +-11%  n");
}

#[test]
fn a_zero_base_has_no_percentage() {
    let text = row("name", &[0.0, 0.0, 0.0], &[10.0, 12.0, 11.0]);
    assert_eq!(text, "      0.00             n/a       11.00 +- 7%  name");
    assert_eq!(row("name", &[0.0, 0.0], &[0.0, 0.0]), "");
}

#[test]
fn changes_that_print_as_zero_are_no_rows() {
    assert_eq!(row("turbostat.C1%", &[5.0, 5.0, 5.0], &[4.97, 4.97, 4.97]), "");
    assert_eq!(row("name", &[10000.0, 10000.0], &[10004.0, 10004.0]), "");
}

#[test]
fn new_and_gone_metrics_are_no_zeroes() {
    assert_eq!(
        row("name", &[5.0, 5.0, 5.0], &[]),
        "      5.00            gone           -        name"
    );
    assert_eq!(
        row("name", &[], &[5.0, 5.0, 5.0]),
        "         -             new        5.00        name"
    );
}

#[test]
fn a_missing_run_is_not_a_zero() {
    let runs = |values: [Option<f64>; 3]| values.to_vec();
    let gap = Metric {
        base: runs([Some(100.0), None, Some(101.0)]),
        head: runs([Some(200.0), Some(201.0), Some(202.0)]),
        ..metric("name", &[], &[])
    };
    assert_eq!(
        rows(&[&changed(vec![gap])]),
        ["    100.50          +100.0%     201.00        name"]
    );
}

#[test]
fn further_commits_compare_with_the_first_column() {
    let first = changed(vec![metric("name", &[100.0, 101.0, 99.0], &[90.0, 91.0, 89.0])]);
    let mut second = changed(vec![metric("name", &[100.0, 101.0, 99.0], &[95.0, 96.0, 94.0])]);
    second.notification.head = Commit { commit: "v6.18-rc3".to_owned(), ..Commit::default() };
    assert_eq!(
        rows(&[&first, &second]),
        ["    100.00           -10.0%      90.00            -5.0%      95.00        name"]
    );
    let lines = Table::of(&[&first, &second], ALL).lines(100);
    assert!(lines.contains(
        &"0123456789abcdef 7c1e0f5b0d6a4e3f9b8c7d6e5f4                   v6.18-rc3".to_owned()
    ));
}

#[test]
fn the_reproduction_rate_is_a_difference_of_rates() {
    // LKP's own rows where they are right.
    assert_eq!(
        failed("kmsg.foo", (3, 4), (0, 4)),
        ["          3:4          -75%            :4     kmsg.foo"]
    );
    assert_eq!(
        failed("dmesg.x", (0, 4), (3, 4)),
        ["           :4           75%           3:4     dmesg.x"]
    );
    // LKP divides by the wrong count and prints 125% and -17%.
    assert_eq!(failed("a", (1, 4), (6, 12)), ["          1:4           25%           6:12    a"]);
    assert_eq!(failed("a", (6, 12), (4, 4)), ["          6:12          50%           4:4     a"]);
    // One rate, two counts: nothing to tell. No runs: no rate.
    assert!(failed("a", (1, 4), (2, 8)).is_empty());
    assert!(failed("a", (0, 4), (0, 4)).is_empty());
}

#[test]
fn kpis_come_first_and_monitors_are_few() {
    let mut metrics: Vec<Metric> = (0..50_u32)
        .map(|i| {
            metric(
                &format!("perf-stat.m{i:02}"),
                &[100.0, 101.0, 99.0],
                &[150.0 + f64::from(i), 151.0, 152.0],
            )
        })
        .collect();
    metrics.push(metric("vmstat.cs", &[100.0, 101.0, 99.0], &[50.0, 51.0, 52.0]));
    metrics.push(kpi("hackbench.throughput", &[100.0, 101.0, 99.0], &[80.0, 81.0, 82.0]));
    metrics.push(kpi("hackbench.unchanged", &[100.0, 101.0, 99.0], &[100.0, 103.0, 98.0]));
    let finding = finding(metrics);
    let table = Table::of(&[&finding], ALL);
    let names: Vec<&str> = table.rows.iter().map(|r| r.metric.as_str()).collect();
    // Small groups before large ones.
    assert_eq!(names[..3], ["hackbench.throughput", "hackbench.unchanged", "vmstat.cs"]);
    assert_eq!(names.len(), 32);
    assert_eq!((table.hidden_kpis, table.hidden_monitors), (0, 21));
}

#[test]
fn every_line_fits_whatever_the_names() {
    let long = "perf-profile.calltrace.cycles-pp.".to_owned()
        + &"entry_SYSCALL_64_after_hwframe.".repeat(5)
        + "end";
    let middle = "perf-profile.children.cycles-pp.native_queued_spin_lock_slowpath.x";
    let mut finding = changed(vec![
        metric(&long, &[10.0, 10.0], &[20.0, 20.0]),
        metric(middle, &[10.0, 10.0], &[20.0, 20.0]),
        metric("name with blanks", &[10.0, 10.0], &[20.0, 20.0]),
    ]);
    finding.notification.test.parameters =
        (0..12).map(|i| (format!("parameter_number_{i}"), format!("value_{i}"))).collect();
    finding.notification.head.subject = Some("mm: ".to_owned() + &"a very long subject ".repeat(9));
    let lines = Table::of(&[&finding], ALL).lines(100);
    for line in &lines {
        assert!(line.chars().count() <= 100, "{line}");
        assert_eq!(line.trim_end(), line);
    }
    // A name that does not fit stands alone on the next line, whole up to 96 columns, flush right.
    let at = lines.iter().position(|l| l.trim() == middle).unwrap();
    assert_eq!(lines[at - 1], "     10.00           +10.0       20.00");
    assert_eq!(lines[at].chars().count(), 100);
    assert!(lines.iter().any(|l| l.ends_with("  name_with_blanks")));
}

#[test]
fn hostile_numbers_stay_numbers() {
    assert_eq!(
        row("n", &[1e308, 1e308], &[f64::MAX, f64::MAX]),
        "    1e+308           +79.8% 1.798e+308        n"
    );
    assert_eq!(row("n", &[f64::NAN], &[1.0]), "         -             new        1.00        n");
}
