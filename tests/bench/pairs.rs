//! From files to notifications: sides by name, both in one file, only the head; and what makes a pair invalid.

use regard::bench::{self, Direction, File, Input, Knowledge, Notification};
use regard::stats::{Kind, Prior, Settings, decide};

fn file(name: &str, text: &str) -> File {
    (name.to_owned(), text.as_bytes().to_vec())
}

fn hyperfine(name: &str, seconds: f64) -> File {
    file(
        name,
        &format!(
            r#"{{"results": [{{"command": "sort", "times": [{seconds}, {}, {}]}}]}}"#,
            seconds + 0.01,
            seconds + 0.02
        ),
    )
}

fn frame() -> File {
    file(
        "regard.json",
        r#"{"regard": 1, "tree": {"name": "linus", "branch": "master"}, "base": {"commit": "v6.1"}, "head": {"commit": "v6.2"},
        "test": {"name": "sorting"}, "environment": {"machine": "lab-a"}, "metrics": []}"#,
    )
}

fn pair(files: &[File]) -> Notification {
    let mut inputs = bench::load(files).unwrap_or_else(|problems| panic!("{problems:?}"));
    assert_eq!(inputs.len(), 1);
    match inputs.remove(0) {
        Input::Pair(notification) => notification,
        Input::Head(_) => panic!("no base was found"),
    }
}

fn slugs(files: &[File]) -> Vec<&'static str> {
    bench::load(files).expect_err("problems").iter().map(|problem| problem.reason).collect()
}

#[test]
fn sides_are_found_by_name_and_repeats_count_once() {
    let files = [
        frame(),
        hyperfine("base-1.json", 1.0),
        hyperfine("head-1.json", 1.2),
        hyperfine("base-2.json", 1.1),
        hyperfine("head-10.json", 1.4),
        hyperfine("head-9.json", 1.3),
    ];
    let n = pair(&files);
    assert_eq!(
        (n.base.commit.as_str(), n.head.commit.as_str(), n.test.name.as_str()),
        ("v6.1", "v6.2", "sorting")
    );
    let metric = &n.metrics[0];
    assert_eq!((metric.name.as_str(), metric.unit.as_deref()), ("hyperfine.sort", Some("s")));
    assert_eq!(metric.base, [Some(1.01), Some(1.11)]);
    assert_eq!(metric.head, [Some(1.21), Some(1.31), Some(1.41)], "run 10 comes behind run 9");
    assert_eq!(metric.direction, Some(Direction::Lower));
    let text = serde_json::to_string(&n).unwrap();
    assert_eq!(bench::decode("again", text.as_bytes()).unwrap(), n, "what we make we also take");
}

#[test]
fn folders_are_sides_too() {
    let files =
        [frame(), hyperfine("results/base/1.json", 1.0), hyperfine("results/head/1.json", 1.2)];
    assert_eq!(pair(&files).metrics[0].head, [Some(1.21)]);
}

#[test]
fn trees_of_criterion_are_sides_and_its_own_base_is_none() {
    let sample = |path: &str, time: f64| {
        let text =
            format!(r#"{{"sampling_mode":"Flat","iters":[1.0,1.0],"times":[{time},{time}]}}"#);
        file(&format!("{path}/sample.json"), &text)
    };
    let mut files = vec![frame()];
    for (side, time) in [("base", 100.0), ("head", 120.0)] {
        files.push(sample(&format!("{side}/criterion/walk/new"), time));
        files.push(sample(&format!("{side}/criterion/walk/base"), 7.0));
        files.push(file(&format!("{side}/criterion/walk/new/estimates.json"), "{\"mean\": 1}"));
        files.push(file(&format!("{side}/criterion/walk/change/estimates.json"), "{\"mean\": 1}"));
        files.push(file(&format!("{side}/criterion/report/index.html"), "<html>"));
    }
    let n = pair(&files);
    assert_eq!(n.metrics.len(), 1, "{:?}", n.metrics);
    assert_eq!((&n.metrics[0].base, &n.metrics[0].head), (&vec![Some(100.0)], &vec![Some(120.0)]));
}

#[test]
fn one_file_may_hold_both() {
    let mut files = vec![frame()];
    files.push(file("r.csv", "metric,side,value\nwalk,base,1\nwalk,base,2\nwalk,head,3\n"));
    let n = pair(&files);
    assert_eq!((n.metrics[0].base.len(), n.metrics[0].head.len()), (2, 1));
}

#[test]
fn only_the_head_waits_for_what_is_stored() {
    let files = [frame(), hyperfine("results.json", 1.2)];
    let inputs = bench::load(&files).unwrap();
    let Input::Head(n) = &inputs[0] else { panic!("{inputs:?}") };
    assert!(n.metrics[0].base.is_empty());
}

#[test]
fn a_job_names_commits_machine_and_parameters() {
    let job = |commit: &str, compiler: &str| {
        format!(
            "suite: hackbench\ntestcase: hackbench\ntbox_group: lab-a\nnr_task: 100%\ncompiler: {compiler}\ncommit: {commit}\nbranch: linus/master\n"
        )
    };
    let stats = r#"{"hackbench.throughput": 1000.5, "hackbench.time.elapsed_time": 60.5}"#;
    let files = |compiler: &str| {
        [
            file("base/job.yaml", &job("v6.1", "gcc-12")),
            file("base/0/stats.json", stats),
            file("head/job.yaml", &job("v6.2", compiler)),
            file("head/0/stats.json", stats),
        ]
    };
    let n = pair(&files("gcc-12"));
    assert_eq!((n.base.commit.as_str(), n.head.commit.as_str()), ("v6.1", "v6.2"));
    assert_eq!((n.tree.name.as_str(), n.environment.machine.as_str()), ("linus", "lab-a"));
    assert_eq!(n.test.parameters["nr_task"], "100%");
    let n = pair(&files("gcc-13"));
    let changes = decide(&n, &Knowledge::embedded(), &Prior::default(), &Settings::default());
    assert_eq!(
        (changes[0].kind, changes[0].reason.as_str()),
        (Kind::Invalid, "environment-differs: compiler gcc-12 / gcc-13")
    );
}

#[test]
fn without_any_name_there_is_no_pair() {
    assert_eq!(
        slugs(&[hyperfine("base-1.json", 1.0), hyperfine("head-1.json", 1.0)]),
        ["no-identity"]
    );
    assert_eq!(slugs(&[frame(), hyperfine("base-1.json", 1.0)]), ["no-head"]);
}

#[test]
fn another_benchmark_version_is_invalid() {
    let fio = |name: &str, version: &str| {
        file(
            name,
            &format!(
                r#"{{"fio version": "{version}", "jobs": [{{"jobname": "a", "read": {{"total_ios": 9, "iops": 10.5}}}}]}}"#
            ),
        )
    };
    let n = pair(&[frame(), fio("base-1.json", "fio-3.30"), fio("head-1.json", "fio-3.31")]);
    let changes = decide(&n, &Knowledge::embedded(), &Prior::default(), &Settings::default());
    assert_eq!(changes[0].reason, "environment-differs: benchmark version fio-3.30 / fio-3.31");
    assert_eq!(
        slugs(&[frame(), fio("head-1.json", "fio-3.30"), fio("head-2.json", "fio-3.31")]),
        ["mixed-side"]
    );
}

#[test]
fn units_convert_or_are_refused() {
    let csv = |name: &str, unit: &str, value: f64| {
        file(name, &format!("metric,unit,value\nwalk,{unit},{value}\n"))
    };
    let n = pair(&[
        frame(),
        csv("base-1.csv", "ms", 1500.0),
        csv("base-2.csv", "s", 1.6),
        csv("head-1.csv", "s", 1.7),
    ]);
    assert_eq!(n.metrics[0].base, [Some(1500.0), Some(1600.0)]);
    assert_eq!(n.metrics[0].head, [Some(1700.0)]);
    assert_eq!(
        slugs(&[frame(), csv("base-1.csv", "ms", 1.0), csv("head-1.csv", "MB", 1.0)]),
        ["mixed-units"]
    );
    assert_eq!(
        slugs(&[frame(), csv("head-1.csv", "ms", 1.0), csv("head-2.csv", "MB", 1.0)]),
        ["mixed-units"]
    );
}

#[test]
fn hostile_numbers_are_refused() {
    let csv = |value: &str| file("head-1.csv", &format!("metric,value\nwalk,1\nwalk,{value}\n"));
    assert_eq!(slugs(&[frame(), csv("1e308")]), ["not-a-number"]);
    assert_eq!(slugs(&[frame(), csv("fast")]), ["not-a-number"]);
    let json = |value: &str| file("head.json", &format!(r#"{{"suite/walk": [1, {value}]}}"#));
    assert_eq!(slugs(&[frame(), json("NaN")]), ["not-finite"]);
    assert_eq!(slugs(&[frame(), json("1e999")]), ["not-finite"]);
}

#[test]
fn names_of_strangers_cannot_break_out_of_a_mail() {
    let command = format!("sort\\nBcc: all@example.org {}", "x".repeat(2000));
    let nasty = |name: &str| {
        file(name, &format!(r#"{{"results": [{{"command": "{command}", "times": [1.5]}}]}}"#))
    };
    let n = pair(&[frame(), nasty("base-1.json"), nasty("head-1.json")]);
    assert!(n.metrics.iter().all(|metric| metric.name.len() <= 300 && !metric.name.contains('\n')));
    let value = file("head-1.json", r#"{"suite/walk": [1e150, 1e150]}"#);
    assert_eq!(slugs(&[frame(), value]), ["not-finite"]);
}
