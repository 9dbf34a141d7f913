//! Attachments that are broken, torn, huge or malicious: a diagnostic that names what is wrong, never a report, and the next
//! mail is read as if nothing had been.

use std::io::Write as _;

use regard::daemon::{Story, Understood};
use regard::engine::Confirm;
use regard::stats::OverallKind;

use crate::lab::{Lab, text, verdict};

const FRAME: &str = r#"{"regard": 1, "tree": {"name": "kernel", "branch": "master"}, "base": {"commit": "v6.1"},
    "head": {"commit": "v6.2"}, "test": {"name": "sorting"}, "environment": {"machine": "lab-a"}, "metrics": []}"#;

fn with_frame<'a>(files: &[(&'a str, &str)]) -> Vec<(&'a str, Vec<u8>)> {
    let frame = ("regard.json", FRAME.as_bytes().to_vec());
    let files = files.iter().map(|(name, text)| (*name, text.as_bytes().to_vec()));
    std::iter::once(frame).chain(files).collect()
}

fn sorted(seconds: f64) -> String {
    let times = [seconds, seconds * 1.002, seconds * 0.999];
    format!(r#"{{"results": [{{"command": "sort", "times": {times:?}}}]}}"#)
}

fn problems(story: &Story) -> String {
    match story.understood.as_slice() {
        [Understood::Malformed { problems, .. }] => problems.join("\n"),
        other => panic!("{other:?}"),
    }
}

/// Sends files, wants a diagnostic that says all of `words`, and that a sound mail is decided right after.
fn refused(files: &[(&str, Vec<u8>)], words: &[&str]) {
    let mut lab = Lab::new(Confirm::Never);
    let story = lab.attach(files);
    let said = problems(&story);
    for word in words {
        assert!(said.contains(word), "{word:?} is not in: {said}");
    }
    assert!(lab.outbox("report/").is_empty());
    assert!(lab.regressions().is_empty());
    let answers = lab.outbox("answer/");
    assert_eq!(answers.len(), 1, "the lab is told what was wrong");
    let told = text(&answers[0]);
    assert!(words.iter().all(|word| told.contains(word)), "{told}");
    let quarantined = lab.desk.store.look(|tx| tx.quarantine()).expect("read");
    assert_eq!(quarantined.len(), 1);
    let files = with_frame(&[
        ("base-1.json", &sorted(1.0)),
        ("base-2.json", &sorted(1.001)),
        ("base-3.json", &sorted(0.999)),
        ("head-1.json", &sorted(1.5)),
        ("head-2.json", &sorted(1.501)),
        ("head-3.json", &sorted(1.499)),
    ]);
    assert_eq!(verdict(&lab.attach(&files)).0, OverallKind::Regression, "the loop goes on");
}

#[test]
fn a_torn_file() {
    let whole = sorted(1.0);
    refused(
        &with_frame(&[("base-1.json", &whole), ("head-1.json", &whole[..whole.len() - 9])]),
        &["head-1.json"],
    );
}

#[test]
fn numbers_that_are_none() {
    for number in ["NaN", "1e308", "Infinity"] {
        let table = format!("metric,value\nwalk,1\nwalk,{number}\n");
        let found = match number {
            // A missing run, as tables write it.
            "NaN" => "head",
            _ => number,
        };
        let other = "metric,value\nwalk,1\nwalk,1\n";
        if number == "NaN" {
            let mut lab = Lab::new(Confirm::Never);
            let story = lab.attach(&with_frame(&[("base-1.csv", other), ("head-1.csv", &table)]));
            assert_eq!(verdict(&story).0, OverallKind::Insufficient, "one of two runs came back");
            continue;
        }
        refused(
            &with_frame(&[("base-1.csv", other), ("head-1.csv", &table)]),
            &["head-1.csv", found],
        );
    }
}

#[test]
fn a_key_twice() {
    let twice = r#"{"results": [{"command": "sort", "times": [1.0], "times": [9.0]}]}"#;
    refused(
        &with_frame(&[("base-1.json", &sorted(1.0)), ("head-1.json", twice)]),
        &["head-1.json", "times"],
    );
}

#[test]
fn a_gigabyte_in_a_megabyte() {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&vec![b' '; 1 << 20]).expect("packed");
    let bomb = packer.finish().expect("packed").repeat(1024);
    let size = bomb.len();
    assert!((1 << 20..8 << 20).contains(&size), "{size}");
    let mut files = with_frame(&[("base-1.json", &sorted(1.0))]);
    files.push(("head-1.json.gz", bomb));
    refused(&files, &["head-1.json.gz"]);
}

#[test]
fn units_of_different_things() {
    let table = |unit: &str| format!("metric,unit,value\nwalk,{unit},1\nwalk,{unit},2\n");
    refused(
        &with_frame(&[("base-1.csv", &table("ms")), ("head-1.csv", &table("MB"))]),
        &["walk", "ms", "MB"],
    );
}

#[test]
fn a_yaml_that_grows() {
    let mut bomb = "---\na0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for i in 1..12 {
        let of = format!("*a{}", i - 1);
        bomb += &format!("a{i}: &a{i} [{}]\n", vec![of; 9].join(", "));
    }
    bomb += "system-info:\n  stress-ng-version: 1\nmetrics: *a11\n";
    refused(
        &with_frame(&[("base-1.json", &sorted(1.0)), ("head-1.yaml", &bomb)]),
        &["head-1.yaml"],
    );
}

#[test]
fn an_xml_that_grows() {
    let mut bomb =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE x [\n<!ENTITY a0 \"xxxxxxxxx\">\n".to_owned();
    for i in 1..12 {
        bomb += &format!("<!ENTITY a{i} \"{}\">\n", format!("&a{};", i - 1).repeat(9));
    }
    bomb += "]>\n<PhoronixTestSuite><Result><Identifier>&a11;</Identifier></Result></PhoronixTestSuite>\n";
    refused(&with_frame(&[("base-1.json", &sorted(1.0)), ("head-1.xml", &bomb)]), &["head-1.xml"]);
}

#[test]
fn another_machine_is_invalid_and_named() {
    let job = |machine: &str, commit: &str| {
        format!(
            "suite: sorting\ntestcase: sorting\ntbox_group: {machine}\ncommit: {commit}\nbranch: kernel/master\n"
        )
    };
    let stats = |value: f64| format!(r#"{{"sorting.rate": {value}}}"#);
    let mut files: Vec<(String, String)> = vec![
        ("base/job.yaml".to_owned(), job("lab-a", "v6.1")),
        ("head/job.yaml".to_owned(), job("lab-b", "v6.2")),
    ];
    for (run, wobble) in [0.5, 1.5, 2.5].into_iter().enumerate() {
        files.push((format!("base/{run}/stats.json"), stats(1000.0 + wobble)));
        files.push((format!("head/{run}/stats.json"), stats(500.0 + wobble)));
    }
    let files: Vec<(&str, Vec<u8>)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_bytes().to_vec())).collect();
    let mut lab = Lab::new(Confirm::Never);
    let (kind, reason) = verdict(&lab.attach(&files));
    assert_eq!(
        (kind, reason.as_str()),
        (OverallKind::Invalid, "environment-differs: machine lab-a / lab-b")
    );
    // The operator may know better: the letter waits, with the reason.
    let rows = lab.outbox("report/");
    assert!(rows.iter().all(|row| row.hold.is_some()), "{rows:?}");
}
