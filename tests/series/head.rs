//! Results of heads alone, through the desk, with a simulated clock: what goes out, and what must not.

use regard::bench::Metric;
use regard::engine::Confirm;
use regard::stats::OverallKind;

use crate::lab::{LAB, Lab, requested, text, verdict};
use crate::{id, metric, notification};

#[test]
fn a_step_is_reported_once_a_spike_never() {
    let mut lab = Lab::new(Confirm::Never);
    lab.quiet(0..25, 1000.0);
    assert!(lab.outbox("").is_empty(), "25 quiet commits");

    // The step: nothing goes out before it holds.
    let first = verdict(&lab.measure(25, 900.0));
    assert_eq!(first.0, OverallKind::Suspicious);
    assert!(first.1.starts_with("lone-commit: moderated-t"), "{}", first.1);
    for n in 26..30 {
        let (kind, reason) = verdict(&lab.measure(n, 900.0));
        assert_eq!(kind, OverallKind::Inconclusive);
        assert!(reason.starts_with("unsettled: "), "{reason}");
    }
    assert!(lab.outbox("").is_empty(), "five commits are no step yet");
    let (kind, _) = verdict(&lab.measure(30, 900.0));
    assert_eq!(kind, OverallKind::Regression);
    let reports = lab.outbox("report/");
    assert_eq!(reports.len(), 1);
    let report = text(&reports[0]);
    let opening =
        format!("regression of pipes.rate seen between {} and {}:", &id(24)[..10], &id(25)[..10]);
    assert!(report.contains(&opening), "{report}");
    assert!(
        report.contains(&format!("base commit: {} (\"sched: change number 24\")", id(24))),
        "{report}"
    );
    assert!(report.contains("30+18 runs of 10+6 commits in 6 rounds on 10+6 builds"), "{report}");
    assert!(report.contains("base is the level before: the last 10 commits"), "{report}");
    assert!(
        report.contains(&format!("on head: kernel/master at {} still shows it", &id(30)[..10])),
        "{report}"
    );
    assert!(report.contains("5 of them after head)"), "{report}");
    assert!(report.contains("pipes.bandwidth"), "both metrics in one report: {report}");
    assert!(report.contains(" pipes --threads 8 "), "{report}");
    let tracked = lab.regressions();
    assert_eq!(tracked.len(), 1);
    assert_eq!(tracked[0].about.commit.as_deref(), Some(id(25).as_str()));
    assert_eq!(tracked[0].about.base.as_deref(), Some(id(24).as_str()));

    // The new level is the level now.
    lab.quiet(31..45, 900.0);
    // A spike, and back.
    assert_eq!(verdict(&lab.measure(45, 700.0)).0, OverallKind::Suspicious);
    lab.quiet(46..70, 900.0);
    assert_eq!(lab.outbox("report/").len(), 1, "no second report");
    assert_eq!(lab.outbox("").len(), 1, "and nothing else");
    assert_eq!(lab.regressions().len(), 1);
}

#[test]
fn the_lab_is_asked_once_and_its_answer_reports_at_once() {
    let mut lab = Lab::new(Confirm::Lone);
    lab.quiet(0..12, 1000.0);
    let request = requested(&lab.measure(12, 900.0));
    lab.quiet(13..15, 900.0);
    let asked = lab.outbox("run-request/");
    assert_eq!(asked.len(), 1, "one request a stretch");
    let letter = text(&asked[0]);
    assert!(letter.contains(&format!("\"base\": \"{}\"", id(11))), "{letter}");
    assert!(letter.contains(&format!("\"head\": \"{}\"", id(12))), "{letter}");

    let mut answer = notification(
        11,
        12,
        vec![metric("pipes.rate", lab.dice.runs(1000.0, 0.01), lab.dice.runs(900.0, 0.01))],
    );
    answer.regression = Some(request);
    lab.send(LAB, &answer);
    let reports = lab.outbox("report/");
    assert_eq!(reports.len(), 1, "confirmed by fresh builds");
    assert!(
        text(&reports[0]).contains("runs of 10+1 commits in 2 rounds"),
        "{}",
        text(&reports[0])
    );

    // The history sees the same step when it holds, and says nothing.
    lab.quiet(15..40, 900.0);
    assert_eq!(lab.outbox("report/").len(), 1);
    assert_eq!(lab.outbox("follow-up/").len(), 0);
}

#[test]
fn too_little_history_says_how_much_is_missing() {
    let mut lab = Lab::new(Confirm::Lone);
    lab.quiet(0..3, 1000.0);
    let (kind, reason) = verdict(&lab.measure(3, 500.0));
    assert_eq!(kind, OverallKind::Insufficient);
    assert_eq!(
        reason,
        "no-history: 3 of the 6 earlier commits that make a level are measured, 3 more are needed"
    );
    assert!(lab.outbox("").is_empty());
}

#[test]
fn facts_that_changed_are_named_when_history_is_missing() {
    let mut lab = Lab::new(Confirm::Lone);
    lab.quiet(0..10, 1000.0);
    let mut n = lab.results(10, 1000.0);
    n.environment.compiler = Some("gcc-13".to_owned());
    let (_, reason) = verdict(&lab.send(LAB, &n));
    assert!(reason.ends_with("; 10 commits were measured with no word about compiler"), "{reason}");
}

#[test]
fn results_of_strangers_are_neither_stored_nor_believed() {
    let mut lab = Lab::new(Confirm::Never);
    lab.quiet(0..10, 1000.0);
    for n in 10..20 {
        let results = lab.results(n, 500.0);
        lab.send("mal@example.org", &results);
    }
    let series = lab.desk.store.look(|tx| tx.all_series()).expect("read");
    assert!(series.iter().all(|s| s.commits == 10), "{series:#?}");
    assert!(lab.outbox("").is_empty());
    assert_eq!(verdict(&lab.measure(20, 1000.0)).0, OverallKind::Same);
}

#[test]
fn a_change_that_drifts_in_below_the_pairwise_gates_is_found_by_its_history() {
    let mut lab = Lab::new(Confirm::Never);
    let pair = |lab: &mut Lab, n: usize, base: f64, head: f64| {
        // One run a side proves nothing in a pair.
        let mut runs = |level: f64| vec![lab.dice.runs(level, 0.01)[0]];
        let m: Metric = metric("pipes.rate", runs(base), runs(head));
        let n = notification(n, n + 1, vec![m]);
        lab.send(LAB, &n)
    };
    for n in 0..20 {
        pair(&mut lab, n, 1000.0, 1000.0);
    }
    pair(&mut lab, 20, 1000.0, 950.0);
    for n in 21..35 {
        pair(&mut lab, n, 950.0, 950.0);
    }
    let reports = lab.outbox("report/");
    assert_eq!(reports.len(), 1);
    assert!(text(&reports[0]).contains(&format!(
        "seen between {} and {}:",
        &id(20)[..10],
        &id(21)[..10]
    )));
}

#[test]
fn a_reported_pair_is_not_found_again_in_the_history() {
    let mut lab = Lab::new(Confirm::Never);
    lab.quiet(0..20, 1000.0);
    let m = metric("pipes.rate", lab.dice.runs(1000.0, 0.01), lab.dice.runs(900.0, 0.01));
    let mut n = notification(19, 20, vec![m]);
    n.bisected = true;
    lab.send(LAB, &n);
    assert_eq!(lab.outbox("report/").len(), 1);
    lab.quiet(21..40, 900.0);
    assert_eq!(lab.outbox("report/").len(), 1, "the same step");
    // Even when it was closed in between.
    lab.quiet(40..60, 900.0);
    assert_eq!(lab.regressions().len(), 1);
}

#[test]
fn a_second_step_is_a_second_report() {
    let mut lab = Lab::new(Confirm::Never);
    lab.quiet(0..20, 1000.0);
    lab.quiet(20..40, 900.0);
    lab.quiet(40..60, 800.0);
    lab.quiet(60..80, 1000.0);
    let mut titles: Vec<(i64, String)> =
        lab.regressions().into_iter().map(|r| (r.opened.as_second(), r.about.title)).collect();
    titles.sort();
    let words: Vec<&str> =
        titles.iter().map(|(_, t)| t.rsplit(' ').next().expect("a word")).collect();
    assert_eq!(words, ["regression", "regression", "improvement"], "{titles:?}");
    assert_eq!(lab.outbox("report/").len(), 3);
}

#[test]
fn a_line_of_the_last_commits_stands_in_a_report_of_a_pair() {
    let mut lab = Lab::new(Confirm::Never);
    lab.quiet(0..20, 1000.0);
    let metrics = ["pipes.rate", "pipes.bandwidth"]
        .map(|name| metric(name, lab.dice.runs(1000.0, 0.01), lab.dice.runs(900.0, 0.01)));
    lab.send(LAB, &notification(19, 20, metrics.to_vec()));
    let reports = lab.outbox("report/");
    assert_eq!(reports.len(), 1);
    assert!(text(&reports[0]).contains("last 21 commits: "), "{}", text(&reports[0]));
    assert!(text(&reports[0]).contains("head is last)"), "{}", text(&reports[0]));
}

#[test]
fn a_result_root_of_the_kernel_robot_is_a_notification() {
    let mut lab = Lab::new(Confirm::Never);
    let job =
        "suite: pipes\ntestcase: pipes\ntbox_group: lab-a\ncommit: v6.2\nbranch: kernel/master\n";
    let runs = r#"{"pipes.rate": [1000.5, 1001.5, 999.5], "stats_source": ["0", "1", "2"]}"#;
    let files = [("job.yaml", job.as_bytes().to_vec()), ("matrix.json", runs.as_bytes().to_vec())];
    let (kind, reason) = verdict(&lab.attach(&files));
    assert_eq!(kind, OverallKind::Insufficient);
    assert!(reason.starts_with("no-history: 0 of the 6"), "{reason}");
    let series = lab.desk.store.look(|tx| tx.all_series()).expect("read");
    assert_eq!(series.iter().map(|s| s.commits).collect::<Vec<_>>(), [1], "it is stored");
}
