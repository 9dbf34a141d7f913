//! One mail for one commit: which word, which lead, which title, which box.

use regard::bench::{FailureCount, Side};
use regard::report::{Brief, Finding, ReportKind, impact, subject, title};

use crate::samples::{finding, kpi, metric};

const STEADY: [f64; 3] = [100.0, 101.0, 99.0];

fn moved(name: &str, level: f64) -> Finding {
    finding(vec![kpi(name, &STEADY, &STEADY.map(|v| v * level / 100.0))])
}

fn brief(findings: Vec<Finding>) -> Brief {
    Brief::of(findings).unwrap()
}

#[test]
fn the_worst_leads_and_the_word_covers_all() {
    let cases = [
        (vec![moved("a", 90.0)], ReportKind::Regression, "a -10.0% regression"),
        (vec![moved("a", 110.0)], ReportKind::Improvement, "a +10.0% improvement"),
        (
            vec![moved("a", 200.0), moved("b", 95.0), moved("c", 80.0)],
            ReportKind::Mixed,
            "c -20.0% regression (mixed)",
        ),
        (vec![moved("a", 100.1), moved("b", 90.0)], ReportKind::Regression, "b -10.0% regression"),
        (
            vec![finding(vec![metric("vmstat.cs", &STEADY, &[50.0, 51.0, 52.0])])],
            ReportKind::NoChange,
            "vmstat.cs -49.0%, no primary change",
        ),
        (vec![moved("a", 100.1)], ReportKind::NoChange, "no primary change"),
    ];
    for (findings, kind, name) in cases {
        let brief = brief(findings);
        assert_eq!((brief.kind, title(&brief).as_str()), (kind, name));
    }
    assert!(Brief::of(Vec::new()).is_none());
}

#[test]
fn a_failure_names_the_mail() {
    let mut failing = moved("a", 100.1);
    let side = |fails, runs| Side { fails, runs };
    failing.notification.failures = vec![
        FailureCount { name: "less".to_owned(), base: side(1, 4), head: side(4, 12) },
        FailureCount { name: "more".to_owned(), base: side(0, 4), head: side(4, 4) },
    ];
    let only = brief(vec![failing.clone()]);
    assert_eq!((only.kind, title(&only).as_str()), (ReportKind::Failure, "more new failure"));
    assert!(impact(&only, 100).lines.is_empty(), "the box does not repeat the first sentence");
    // It outweighs a kpi, which then stands in the box.
    let both = brief(vec![moved("b", 90.0), failing.clone()]);
    assert_eq!((both.kind, title(&both).as_str()), (ReportKind::Failure, "more new failure"));
    assert!(impact(&both, 100).lines.iter().any(|l| l.contains("b -10.0% regression")));
    // One flake is no failure, and a failure that only comes more often is not new.
    failing.notification.failures[1].head = side(1, 4);
    assert_eq!(brief(vec![failing.clone()]).kind, ReportKind::NoChange);
    failing.notification.failures[1].base = side(2, 20);
    failing.notification.failures[1].head = side(18, 20);
    assert_eq!(title(&brief(vec![failing])), "more more frequent failure");
}

#[test]
fn unknown_direction_is_never_a_regression() {
    let mut unknown = kpi("time", &STEADY, &[120.0, 121.0, 119.0]);
    unknown.direction = None;
    let brief = brief(vec![finding(vec![unknown])]);
    assert_eq!((brief.kind, title(&brief).as_str()), (ReportKind::Change, "time +20.0% change"));
}

#[test]
fn a_zero_base_is_told_in_its_unit() {
    let mut errors = kpi("fs.errors", &[0.0, 0.0, 0.0], &[12.0, 12.0, 12.0]);
    errors.direction = Some(regard::bench::Direction::Lower);
    assert_eq!(title(&brief(vec![finding(vec![errors])])), "fs.errors +12 regression");
}

#[test]
fn subjects_have_the_shape_of_the_field_and_fit() {
    let mut lead = moved("hackbench.throughput", 90.0);
    assert_eq!(
        subject(&brief(vec![lead.clone()])),
        "[linus:master] [sched/fair] 7c1e0f5b0d: hackbench.throughput -10.0% regression"
    );
    lead.notification.bisected = false;
    assert_eq!(
        subject(&brief(vec![lead.clone()])),
        "[linus:master] 0123456789..7c1e0f5b0d: hackbench.throughput -10.0% regression"
    );
    for (name, branch) in [
        ("m".repeat(300), "b".repeat(300)),
        ("m".repeat(300), "b".to_owned()),
        ("m".to_owned(), "b".repeat(300)),
    ] {
        let mut lead = moved(&name, 90.0);
        lead.notification.tree.branch = branch;
        lead.notification.head.subject = Some(format!("{}: x", "a".repeat(40)));
        let subject = subject(&brief(vec![lead]));
        assert!(subject.chars().count() <= 100, "{subject}");
        assert!(
            subject.ends_with(" -10.0% regression") && subject.contains("] 7c1e0f5b0d: m"),
            "{subject}"
        );
    }
}

#[test]
fn the_box_is_laid_out_as_readers_know_it() {
    let mut other = moved("aim9.disk_src.ops_per_sec", 85.4);
    other.notification.test.name = "aim9".to_owned();
    other.notification.test.parameters = [("nr_task", "100%"), ("cpufreq_governor", "performance")]
        .map(|(k, v)| (k.to_owned(), v.to_owned()))
        .into();
    other.notification.environment.machine = "lab-b".to_owned();
    other.notification.environment.cpu = Some("192 threads 4 sockets Cascade Lake".to_owned());
    other.notification.environment.memory = Some("192G".to_owned());
    let expected = "\
+------------------+----------------------------------------------------------------+
| testcase: change | aim9: aim9.disk_src.ops_per_sec -14.6% regression              |
| test machine     | lab-b: 192 threads 4 sockets Cascade Lake with 192G memory     |
| test parameters  | cpufreq_governor=performance                                   |
|                  | nr_task=100%                                                   |
+------------------+----------------------------------------------------------------+";
    let lines = impact(&brief(vec![moved("a", 50.0), other]), 100).lines;
    let widest = |lines: &[String]| {
        lines.iter().map(|l| l.trim_end_matches(['|', ' ', '-', '+']).len()).max()
    };
    assert_eq!(lines.len(), expected.lines().count());
    // Column 2 is as wide as its longest cell, and two.
    assert_eq!(lines[0].len(), widest(&lines).unwrap() + 2);
    for (line, expected) in lines.iter().zip(expected.lines()) {
        assert_eq!(
            line.trim_end_matches(['|', ' ', '-', '+']),
            expected.trim_end_matches(['|', ' ', '-', '+'])
        );
        assert_eq!(line.len(), lines[0].len());
    }
}

#[test]
fn a_box_is_no_database() {
    let many: Vec<Finding> = (0..40)
        .map(|i| {
            let mut f = moved(&format!("m{i}"), 50.0 + f64::from(i));
            f.notification.environment.machine =
                format!("lab-{i} {}", "with a very long description ".repeat(6));
            f
        })
        .collect();
    let shown = impact(&brief(many), 100);
    assert_eq!(shown.hidden, 27);
    assert!(shown.lines.iter().all(|l| l.chars().count() <= 100));
}
