//! What the gate holds, each with its slug; and that it lets good reports pass.

use regard::bench::{Direction, Environment, FailureCount, Side};
use regard::report::{Brief, GateFacts, Known, ReportKind, gate};
use regard::stats::Kind;

use crate::samples::{BASE, HEAD, finding, kpi};

fn facts() -> GateFacts {
    GateFacts { recipients: 2, daily_limit: 20, body_limit: 40_000, ..GateFacts::default() }
}

fn regression() -> Brief {
    let score = kpi("hackbench.throughput", &[100.0, 101.0, 99.0], &[90.0, 91.0, 89.0]);
    Brief::of(vec![finding(vec![score])]).unwrap()
}

fn mixed() -> Brief {
    let worse = kpi("hackbench.throughput", &[100.0, 101.0, 99.0], &[90.0, 91.0, 89.0]);
    let better = kpi("hackbench.other", &[100.0, 101.0, 99.0], &[120.0, 121.0, 119.0]);
    Brief::of(vec![finding(vec![better, worse])]).unwrap()
}

fn held(brief: &Brief, facts: &GateFacts) -> String {
    gate(brief, facts).expect_err("the gate holds it").to_string()
}

fn changed(edit: impl Fn(&mut Brief)) -> String {
    let mut brief = regression();
    edit(&mut brief);
    held(&brief, &facts())
}

#[test]
fn good_reports_pass() {
    assert_eq!(gate(&regression(), &facts()), Ok(()));
    assert_eq!(gate(&mixed(), &facts()), Ok(()));
    assert_eq!(mixed().kind, ReportKind::Mixed);
    let mut lower = kpi("schbench.p99", &[100.0, 101.0, 99.0], &[110.0, 111.0, 109.0]);
    lower.direction = Some(Direction::Lower);
    let mut unknown = lower.clone();
    unknown.direction = None;
    for (metric, kind) in [(lower, ReportKind::Regression), (unknown, ReportKind::Change)] {
        let brief = Brief::of(vec![finding(vec![metric])]).unwrap();
        assert_eq!((brief.kind, gate(&brief, &facts())), (kind, Ok(())));
    }
}

#[test]
fn nothing_half_empty_leaves_the_house() {
    let held = changed(|b| b.lead.changes[0].head.median = None);
    assert_eq!(held, "no-numbers: hackbench.throughput has no runs on one side");
    let held = changed(|b| {
        b.lead.changes[0].change_percent = None;
        b.lead.changes[0].change_absolute = Some(f64::NAN);
    });
    assert_eq!(held, "no-numbers: hackbench.throughput has no size of its change");
    assert!(
        changed(|b| b.lead.changes.clear()).starts_with("no-numbers: the mail says regression")
    );
    assert!(changed(|b| b.lead.notification.head.commit.clear()).starts_with("no-commit"));
    assert!(
        changed(|b| b.lead.notification.base.commit = HEAD.to_owned()).starts_with("no-commit")
    );
}

#[test]
fn the_word_follows_from_direction_and_numbers() {
    let held = changed(|b| b.lead.changes[0].direction = Some(Direction::Lower));
    assert_eq!(
        held,
        "sign-against-word: hackbench.throughput went from 100 to 90 (less is better), and is called regression"
    );
    assert!(changed(|b| b.lead.changes[0].direction = None).starts_with("sign-against-word"));
    let held = changed(|b| b.lead.changes[0].change_percent = Some(10.0));
    assert_eq!(
        held,
        "sign-against-word: hackbench.throughput changed by -10.0% and is told as +10.0%"
    );
    let held = changed(|b| b.kind = ReportKind::Improvement);
    assert_eq!(held, "word-against-kind: the mail says improvement, its first metric regression");
    let mut brief = mixed();
    brief.kind = ReportKind::Regression;
    assert!(self::held(&brief, &facts()).starts_with("word-against-kind"));
}

#[test]
fn failures_need_more_than_chance() {
    let mut brief = Brief::of(vec![finding(Vec::new())]).unwrap();
    brief.kind = ReportKind::Failure;
    assert_eq!(held(&brief, &facts()), "no-numbers: no failure became more frequent beyond chance");
    brief.lead.notification.failures = vec![FailureCount {
        name: "dmesg.x".to_owned(),
        base: Side { fails: 0, runs: 4 },
        head: Side { fails: 4, runs: 4 },
    }];
    assert_eq!(gate(&brief, &facts()), Ok(()));
}

#[test]
fn unequal_environments_are_named() {
    let held = changed(|b| {
        let base = &b.lead.notification.environment;
        let head = Environment { compiler: Some("gcc-15".to_owned()), ..base.clone() };
        b.lead.notification.head_environment = Some(head);
    });
    assert_eq!(held, "unequal-environments: compiler is \"gcc-14\" on base and \"gcc-15\" on head");
    let held = changed(|b| {
        b.lead.changes[0].kind = Kind::Invalid;
        b.lead.changes[0].reason = "environment-differs: rootfs".to_owned();
    });
    assert_eq!(held, "unequal-environments: hackbench.throughput: environment-differs: rootfs");
}

#[test]
fn one_regression_is_reported_once() {
    let known = |commit: &str, base: &str, parameters: &str| Known {
        id: "q3x7k2m9".to_owned(),
        commit: Some(commit.to_owned()),
        base: Some(base.to_owned()),
        overlaps: false,
        tree: Some("linus".to_owned()),
        test: Some("hackbench".to_owned()),
        machine: Some("lab-a".to_owned()),
        parameters: parameters.to_owned(),
        metric: Some("hackbench.throughput".to_owned()),
    };
    let with = |known: Known| gate(&regression(), &GateFacts { known: vec![known], ..facts() });
    let slug = |known: Known| with(known).expect_err("a duplicate").to_string();
    assert_eq!(
        slug(known(&HEAD[..12], "", "")),
        "duplicate-commit: q3x7k2m9 is open about 7c1e0f5b0d6a"
    );
    let series = slug(known("v6.19", BASE, "nr_threads=100%"));
    assert_eq!(series, "duplicate-series: q3x7k2m9 is open about the same series and range");
    let overlapping = Known { overlaps: true, ..known("v6.19", "v6.17", "nr_threads=100%") };
    assert!(with(overlapping).is_err());
    // Another range, other parameters, or an id too short to be sure.
    assert_eq!(with(known("v6.19", "v6.17", "nr_threads=100%")), Ok(()));
    assert_eq!(with(known("v6.19", BASE, "nr_threads=50%")), Ok(()));
    assert_eq!(with(known("7c1e0f", "v6.17", "")), Ok(()));
}

#[test]
fn limits_hold() {
    let brief = regression();
    assert!(held(&brief, &GateFacts { recipients: 0, ..facts() }).starts_with("no-recipient"));
    let full = GateFacts { written_today: 20, ..facts() };
    assert_eq!(held(&brief, &full), "daily-limit: 20 of 20 reports a day are written");
    let large = GateFacts { body_bytes: Some(40_001), ..facts() };
    assert_eq!(held(&brief, &large), "body-too-big: the text has 40001 bytes, lists take 40000");
    assert_eq!(gate(&brief, &GateFacts { body_bytes: Some(40_000), ..facts() }), Ok(()));
}
