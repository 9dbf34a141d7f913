//! Native notifications: what is wrong with each broken one is said whole, and a good one survives a round trip.

use std::fmt::Write as _;

use regard::bench::{MAX_BYTES, decode};

use super::{cases, golden};

#[test]
fn every_broken_notification_gets_its_diagnostic() {
    for case in cases("broken") {
        let bytes = std::fs::read(case.join("in.json")).unwrap();
        let problems = decode("results.json", &bytes).expect_err(&case.display().to_string());
        let mut found = String::new();
        for problem in problems {
            writeln!(found, "{problem}").unwrap();
        }
        golden(&case.join("expected.txt"), &found);
    }
}

#[test]
fn a_good_notification_survives_a_round_trip() {
    for case in cases("good") {
        let text = std::fs::read_to_string(case.join("in.json")).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let read = decode("results.json", text.as_bytes()).unwrap();
        let written = serde_json::to_string_pretty(&read).unwrap();
        assert_eq!(decode("again.json", written.as_bytes()).unwrap(), read);
        let again: serde_json::Value = serde_json::from_str(&written).unwrap();
        for key in value.as_object().unwrap().keys() {
            assert!(again.get(key).is_some(), "{key} was lost");
        }
    }
}

#[test]
fn line_endings_and_a_byte_order_mark_do_not_matter() {
    let text = std::fs::read_to_string(super::folder("good/full/in.json")).unwrap();
    let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(decode("a", windows.as_bytes()).unwrap(), decode("b", text.as_bytes()).unwrap());
}

#[test]
fn bytes_that_are_not_utf_8_are_named_with_their_line() {
    let problems = decode("r.json", b"{\n\"regard\": \xff1}").unwrap_err();
    assert_eq!(
        problems[0].to_string(),
        "r.json:2: found bytes that are not UTF-8, expected UTF-8 [not-utf-8]"
    );
}

#[test]
fn too_many_samples_and_bytes_cost_little() {
    let text = std::fs::read_to_string(super::folder("good/full/in.json")).unwrap();
    let long = text.replace("13300,", &"1,".repeat(3_000_000));
    let problems = decode("r.json", long.as_bytes()).unwrap_err();
    assert_eq!(problems.len(), 1);
    assert_eq!(
        (problems[0].reason, problems[0].path.as_str()),
        ("too-many-samples", "metrics[0].base[20000]")
    );
    let long = text.replace("13300,", &"1,".repeat(15_000));
    let problems = decode("r.json", long.as_bytes()).unwrap_err();
    assert_eq!(problems[0].to_string().lines().count(), 1);
    assert_eq!(problems[0].reason, "too-many-samples");
    let huge = vec![b' '; MAX_BYTES + 1];
    assert_eq!(decode("r.json", &huge).unwrap_err()[0].reason, "too-large");
}

#[test]
fn no_cut_of_a_good_file_panics_or_passes() {
    let text = std::fs::read_to_string(super::folder("good/full/in.json")).unwrap();
    let end = text.trim_end().len();
    for cut in 0..end {
        let problems = decode("r.json", &text.as_bytes()[..cut]).unwrap_err();
        assert!(!problems.is_empty());
    }
}
