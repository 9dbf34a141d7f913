//! `regard submit --format auto base/ head/` makes a mail that the desk decides.

use std::path::Path;
use std::process::{Command, Output};

use regard::engine::Confirm;
use regard::stats::OverallKind;

use crate::lab::{Lab, verdict};

fn submit(folder: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_regard"))
        .current_dir(folder)
        .args(["submit", "--print", "--format", "auto", "--to", "bot@example.org"])
        .args(["--from", "lab@example.org"])
        .args(more)
        .output()
        .expect("started")
}

/// Three files of a side, as hyperfine writes them.
fn results(folder: &Path, side: &str, seconds: f64) {
    std::fs::create_dir(folder.join(side)).expect("made");
    for (run, wobble) in [1.0, 1.002, 0.999].into_iter().enumerate() {
        let seconds = seconds * wobble;
        let times = [seconds, seconds * 1.01, seconds * 0.99];
        let text = format!(r#"{{"results": [{{"command": "sort", "times": {times:?}}}]}}"#);
        std::fs::write(folder.join(format!("{side}/{run}.json")), text).expect("written");
    }
}

const WHOSE: [&str; 10] = [
    "--commits",
    "v6.1..v6.2",
    "--tree",
    "kernel/master",
    "--test",
    "sorting",
    "--machine",
    "lab-a",
    "--parameter",
    "lines=1000000",
];

#[test]
fn two_folders_become_a_decision() {
    let folder = tempfile::tempdir().expect("temp dir");
    results(folder.path(), "base", 1.0);
    results(folder.path(), "head", 1.4);
    let printed = submit(folder.path(), &[&["base", "head"][..], &WHOSE].concat());
    assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
    let mut lab = Lab::new(Confirm::Never);
    let (kind, reason) = verdict(&lab.take(printed.stdout));
    assert_eq!(kind, OverallKind::Regression, "{reason}");
    let known = lab.regressions().remove(0).about;
    assert_eq!((known.base.as_deref(), known.commit.as_deref()), (Some("v6.1"), Some("v6.2")));
    assert_eq!((known.tree.as_deref(), known.branch.as_deref()), (Some("kernel"), Some("master")));
    assert_eq!(
        (known.test.as_deref(), known.parameters.as_str()),
        (Some("sorting"), "lines=1000000")
    );
}

#[test]
fn a_head_alone_is_stored() {
    let folder = tempfile::tempdir().expect("temp dir");
    results(folder.path(), "head", 1.4);
    let mut whose = WHOSE;
    whose[1] = "v6.2";
    let printed = submit(folder.path(), &[&["head"][..], &whose].concat());
    let mut lab = Lab::new(Confirm::Never);
    let (kind, reason) = verdict(&lab.take(printed.stdout));
    assert_eq!(kind, OverallKind::Insufficient, "{reason}");
    assert_eq!(lab.desk.store.look(|tx| tx.all_series()).expect("read").len(), 1);
}

#[test]
fn results_of_nobody_are_not_sent_and_the_cure_is_named() {
    let folder = tempfile::tempdir().expect("temp dir");
    results(folder.path(), "base", 1.0);
    results(folder.path(), "head", 1.4);
    let refused = submit(folder.path(), &["base", "head"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.stdout.is_empty());
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("[no-identity]") && said.contains("--commits BASE..HEAD"), "{said}");
}
