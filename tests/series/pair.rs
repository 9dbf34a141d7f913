//! Pairs of commits through the desk: what is stored of their series, of other tests and of the first round has a say.

use regard::bench::Notification;
use regard::engine::Confirm;
use regard::stats::OverallKind;

use crate::lab::{LAB, Lab, requested, text, verdict};
use crate::{id, metric, notification};

fn runs(values: &[f64]) -> Vec<Option<f64>> {
    values.iter().copied().map(Some).collect()
}

/// One kpi of commits 100 and 101.
fn pair(base: &[f64], head: &[f64]) -> Notification {
    let mut n = notification(100, 101, vec![metric("pipes.rate", runs(base), runs(head))]);
    n.bisected = true;
    n
}

/// The same for another test of the same commits.
fn other(test: &str, base: &[f64], head: &[f64]) -> Notification {
    let mut n = pair(base, head);
    n.test.name = test.to_owned();
    n.metrics[0].name = format!("{test}.rate");
    n
}

/// Earlier commits of the same series, three runs each.
fn earlier(lab: &mut Lab, commits: std::ops::Range<usize>, level: f64, spread: f64, build: f64) {
    for n in commits {
        let level = level * (1.0 + build * lab.dice.normal());
        let rate = metric("pipes.rate", Vec::new(), lab.dice.runs(level, spread));
        lab.send(LAB, &notification(0, n, vec![rate]));
    }
}

const SMALL: ([f64; 3], [f64; 3]) = ([1000.0, 1003.0, 998.0], [978.0, 974.0, 977.0]);

#[test]
fn stored_calm_makes_a_small_change_a_report_that_says_so() {
    let mut lab = Lab::new(Confirm::Never);
    assert_eq!(verdict(&lab.send(LAB, &pair(&SMALL.0, &SMALL.1))).0, OverallKind::Suspicious);
    let mut lab = Lab::new(Confirm::Never);
    earlier(&mut lab, 0..20, 1000.0, 0.003, 0.0);
    let (kind, reason) = verdict(&lab.send(LAB, &pair(&SMALL.0, &SMALL.1)));
    assert_eq!(kind, OverallKind::Regression, "{reason}");
    assert!(
        reason.contains("df 11"),
        "history is worth seven runs beside four of its own: {reason}"
    );
    assert_eq!(lab.outbox("report/").len(), 1);
}

#[test]
fn stored_build_noise_takes_a_change_back() {
    let large = ([1000.0, 1001.0, 999.0], [950.0, 949.0, 951.0]);
    let mut lab = Lab::new(Confirm::Never);
    assert_eq!(verdict(&lab.send(LAB, &pair(&large.0, &large.1))).0, OverallKind::Regression);
    let mut lab = Lab::new(Confirm::Never);
    earlier(&mut lab, 0..20, 1000.0, 0.002, 0.03);
    let (kind, reason) = verdict(&lab.send(LAB, &pair(&large.0, &large.1)));
    assert_eq!(kind, OverallKind::Same, "{reason}");
    assert!(lab.outbox("").is_empty());
}

#[test]
fn noise_is_that_of_the_commits_since_the_last_step() {
    // Noisy first; then somebody made it faster and calm.
    let mut lab = Lab::new(Confirm::Never);
    earlier(&mut lab, 0..25, 600.0, 0.04, 0.0);
    earlier(&mut lab, 25..50, 1000.0, 0.003, 0.0);
    let reports = lab.outbox("report/").len();
    let (kind, reason) = verdict(&lab.send(LAB, &pair(&SMALL.0, &SMALL.1)));
    assert_eq!(kind, OverallKind::Regression, "{reason}");
    assert_eq!(lab.outbox("report/").len(), reports + 1);

    // The other way round the calm of old times proves nothing.
    let mut lab = Lab::new(Confirm::Never);
    earlier(&mut lab, 0..25, 600.0, 0.003, 0.0);
    earlier(&mut lab, 25..50, 1000.0, 0.04, 0.0);
    let (kind, reason) = verdict(&lab.send(LAB, &pair(&SMALL.0, &SMALL.1)));
    assert_eq!(kind, OverallKind::Same, "{reason}");
}

/// p 0.008: enough for one kpi, not for one among many.
const THIN: ([f64; 3], [f64; 3]) = ([1000.0, 1010.0, 990.0], [955.0, 947.0, 960.0]);
const STILL: ([f64; 3], [f64; 3]) = ([1000.0, 1010.0, 990.0], [1001.0, 1008.0, 992.0]);

#[test]
fn kpis_of_all_tests_of_a_commit_are_one_family() {
    let mut lab = Lab::new(Confirm::Never);
    let (kind, reason) = verdict(&lab.send(LAB, &pair(&THIN.0, &THIN.1)));
    assert_eq!(kind, OverallKind::Regression, "{reason}");

    let mut lab = Lab::new(Confirm::Never);
    for test in ["mmap", "futex", "fork", "exec", "signal", "socket", "poll", "splice", "stat"] {
        lab.send(LAB, &other(test, &STILL.0, &STILL.1));
    }
    let (kind, reason) = verdict(&lab.send(LAB, &pair(&THIN.0, &THIN.1)));
    assert_eq!(kind, OverallKind::Suspicious, "{reason}");
    assert!(reason.starts_with("many-metrics: q ") && reason.contains("among 10"), "{reason}");
    // The same again counts once, and another commit is another family.
    lab.send(LAB, &other("mmap", &STILL.0, &STILL.1));
    let mut elsewhere = pair(&THIN.0, &THIN.1);
    elsewhere.head.commit = id(102);
    assert_eq!(verdict(&lab.send(LAB, &elsewhere)).0, OverallKind::Regression);
}

#[test]
fn several_tests_of_one_commit_are_one_report_and_news_in_its_thread() {
    let mut lab = Lab::new(Confirm::Never);
    let clear = ([1000.0, 1001.0, 999.0], [800.0, 801.0, 799.0]);
    lab.send(LAB, &pair(&clear.0, &clear.1));
    lab.send(LAB, &other("futex", &clear.0, &clear.1));
    lab.send(LAB, &other("mmap", &STILL.0, &STILL.1));
    assert_eq!(lab.outbox("report/").len(), 1);
    let news = lab.outbox("");
    let more: Vec<_> = news.iter().filter(|row| !row.key.starts_with("report/")).collect();
    assert_eq!(more.len(), 1, "{:?}", news.iter().map(|row| &row.key).collect::<Vec<_>>());
    assert!(text(more[0]).contains("futex.rate"), "{}", text(more[0]));
    assert_eq!(lab.regressions().len(), 1);
}

#[test]
fn a_second_round_is_joined_with_the_first() {
    let drop = ([1000.0, 1004.0, 998.0], [900.0, 897.0, 905.0]);
    let mut lab = Lab::new(Confirm::Lone);
    let request = requested(&lab.send(LAB, &pair(&drop.0, &drop.1)));
    assert!(lab.outbox("report/").is_empty(), "a lone kpi waits");
    assert_eq!(lab.outbox("run-request/").len(), 1);
    let mut again = pair(&[1002.0, 999.0, 1001.0], &[903.0, 899.0, 901.0]);
    again.regression = Some(request);
    lab.send(LAB, &again);
    let reports = lab.outbox("report/");
    assert_eq!(reports.len(), 1);
    let report = text(&reports[0]);
    assert!(report.contains("6+6 runs in 2 rounds on 2+2 builds"), "{report}");
}

#[test]
fn a_second_round_that_disagrees_is_never_mailed() {
    let drop = ([1000.0, 1004.0, 998.0], [900.0, 897.0, 905.0]);
    for head in [[1003.0, 998.0, 1002.0], [1100.0, 1097.0, 1105.0]] {
        let mut lab = Lab::new(Confirm::Lone);
        let request = requested(&lab.send(LAB, &pair(&drop.0, &drop.1)));
        let mut again = pair(&[1002.0, 999.0, 1001.0], &head);
        again.regression = Some(request);
        lab.send(LAB, &again);
        assert!(lab.outbox("report/").is_empty());
        assert!(lab.regressions().is_empty());
    }
}

#[test]
fn strangers_do_not_widen_a_family() {
    let mut lab = Lab::new(Confirm::Never);
    for test in ["mmap", "futex", "fork", "exec", "signal", "socket", "poll", "splice", "stat"] {
        lab.send("mal@example.org", &other(test, &STILL.0, &STILL.1));
    }
    assert_eq!(verdict(&lab.send(LAB, &pair(&THIN.0, &THIN.1))).0, OverallKind::Regression);
}

#[test]
fn what_one_mail_says_of_a_commit_is_weighed_together() {
    let mut lab = Lab::new(Confirm::Never);
    let tests = ["mmap", "futex", "fork", "exec", "signal", "socket", "poll", "splice", "stat"];
    let mut files = vec![("a.json".to_owned(), pair(&THIN.0, &THIN.1))];
    files.extend(tests.map(|test| (format!("{test}.json"), other(test, &STILL.0, &STILL.1))));
    let bytes = |n: &Notification| serde_json::to_vec(n).expect("plain");
    let files: Vec<(&str, Vec<u8>)> =
        files.iter().map(|(name, n)| (name.as_str(), bytes(n))).collect();
    let story = lab.attach(&files);
    let Some(regard::daemon::Understood::Results { overall, .. }) = story.understood.first() else {
        panic!("{:?}", story.understood)
    };
    assert_eq!(story.understood.len(), 10);
    // The first of them is decided as strictly as the last.
    assert_eq!(overall.kind, OverallKind::Suspicious, "{}", overall.reason);
    assert!(overall.reason.contains("among 10"), "{}", overall.reason);
}

#[test]
fn a_young_branch_borrows_the_noise_of_an_old_one() {
    let mut lab = Lab::new(Confirm::Never);
    for n in 0..20 {
        let rate = metric("pipes.rate", Vec::new(), lab.dice.runs(1000.0, 0.003));
        let mut next = notification(0, n, vec![rate]);
        next.tree.branch = "next".to_owned();
        lab.send(LAB, &next);
    }
    let (kind, reason) = verdict(&lab.send(LAB, &pair(&SMALL.0, &SMALL.1)));
    assert_eq!(kind, OverallKind::Regression, "{reason}");
}
