//! Stories: mail in, time passes, mail out. The whole telling is compared, so the mail that must not go out is seen too.
//!
//! Each folder holds a story: `NN-*.eml` in order, with their Date headers as the clock, and `expected.txt`, which is what
//! `regard demo --mails FOLDER` prints. `REGARD_BLESS=1` rewrites it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn play(mails: &Path, expected: &Path) {
    let out = tempfile::tempdir().expect("temp dir");
    let folder = out.path().join("out");
    let output = Command::new(env!("CARGO_BIN_EXE_regard"))
        .args(["--quiet", "demo", "--mails"])
        .arg(mails)
        .arg("--out")
        .arg(&folder)
        .output()
        .expect("regard runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {stderr}", mails.display());
    let story = String::from_utf8(output.stdout)
        .expect("UTF-8")
        .replace(&folder.display().to_string(), "OUT");
    if std::env::var_os("REGARD_BLESS").is_some() {
        fs::write(expected, &story).expect("written");
        return;
    }
    let wanted = fs::read_to_string(expected).unwrap_or_default();
    if story != wanted {
        let diff = similar::TextDiff::from_lines(&wanted, &story);
        panic!("{}:\n{}", mails.display(), diff.unified_diff().header("expected", "told"));
    }
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenario")
}

fn story(name: &str) {
    let folder = here().join(name);
    play(&folder, &folder.join("expected.txt"));
}

#[test]
fn the_demo() {
    play(&here().join("../../examples/demo"), &here().join("demo.txt"));
}

#[test]
fn commands_are_carried_out_refused_or_asked_back() {
    story("commands");
}

#[test]
fn another_robots_report_is_tracked_and_nobody_is_written_to() {
    story("tracker");
}

#[test]
fn a_robot_that_answers_a_patch_with_its_report_is_tracked_and_the_review_is_not() {
    story("patch-thread");
}

#[test]
fn machines_are_never_answered() {
    story("manners");
}

#[test]
fn a_dismissal_closes_only_when_nobody_objects() {
    story("time");
}
