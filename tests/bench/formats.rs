//! Every format: what our own fixtures and what the real tools printed is read as it should be, and nothing else claims it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use regard::bench::{self, FORMATS, Runs};

use super::{cases, golden};

/// All files of a case but the expected one, by their path inside it.
fn files(case: &Path) -> Vec<bench::File> {
    fn walk(root: &Path, folder: &Path, found: &mut Vec<bench::File>) {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
            .expect("folder")
            .map(|entry| entry.expect("entry").path())
            .collect();
        entries.sort();
        for path in entries {
            let name = path.strip_prefix(root).expect("inside").to_string_lossy().into_owned();
            if path.is_dir() {
                walk(root, &path, found);
            } else if !matches!(name.as_str(), "expected.txt" | "README") {
                found.push((name, std::fs::read(&path).expect("file")));
            }
        }
    }
    let mut found = Vec::new();
    walk(case, case, &mut found);
    found
}

fn show(side: &Runs) -> String {
    let Runs { reading, job } = side;
    let mut text = String::new();
    writeln!(text, "format {}, test {}", reading.format, reading.test).expect("a string");
    if let Some(version) = &reading.version {
        writeln!(text, "version {version}").expect("a string");
    }
    for (what, map) in [
        ("parameter", &reading.parameters),
        ("fact", &reading.facts),
        ("parameter", &job.parameters),
        ("fact", &job.facts),
    ] {
        for (key, value) in map {
            writeln!(text, "{what} {key} = {value}").expect("a string");
        }
    }
    if let Some(commit) = &job.commit {
        writeln!(text, "commit {commit} on {}", job.branch.as_deref().unwrap_or("?"))
            .expect("a string");
    }
    for note in &reading.notes {
        writeln!(text, "note {note}").expect("a string");
    }
    for column in &reading.columns {
        writeln!(text, "\ncolumn {}", column.label.as_deref().unwrap_or("-")).expect("a string");
        for row in &column.rows {
            let runs: Vec<String> = row
                .runs
                .iter()
                .map(|run| run.map_or("missing".to_owned(), |value| value.to_string()))
                .collect();
            let direction = row
                .direction
                .map_or("?".to_owned(), |direction| format!("{direction:?}").to_lowercase());
            let class = row.kpi.map_or("", |kpi| if kpi { ", kpi" } else { ", monitor" });
            writeln!(
                text,
                "  {} [{}] {direction}{class}: {}",
                row.name,
                row.unit.as_deref().unwrap_or(""),
                runs.join(" ")
            )
            .expect("a string");
        }
    }
    text
}

#[test]
fn every_fixture_is_read_as_it_should_be() {
    for case in cases("formats") {
        let side = bench::side(&files(&case), None)
            .unwrap_or_else(|problems| panic!("{}: {problems:?}", case.display()));
        golden(&case.join("expected.txt"), &show(&side));
    }
}

#[test]
fn line_endings_do_not_matter() {
    for case in cases("formats") {
        let plain = files(&case);
        let windows: Vec<bench::File> = plain
            .iter()
            .map(|(name, bytes)| {
                let text =
                    String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\n', "\r\n");
                (name.clone(), text.into_bytes())
            })
            .collect();
        let (plain, windows) =
            (bench::side(&plain, None).unwrap(), bench::side(&windows, None).unwrap());
        assert_eq!(show(&plain), show(&windows), "{}", case.display());
    }
}

#[test]
fn every_format_has_a_fixture() {
    let seen: BTreeSet<&str> = cases("formats")
        .iter()
        .map(|case| bench::side(&files(case), None).unwrap().reading.format)
        .collect();
    let missing: Vec<&str> =
        FORMATS.iter().map(|format| format.id).filter(|id| !seen.contains(id)).collect();
    assert!(missing.is_empty(), "no fixture for {missing:?}");
}

/// The first half of a file, a file of nothing, and a file with its digits broken: a reading or problems, never a panic.
#[test]
fn torn_files_give_problems_or_less() {
    for case in cases("formats") {
        for (name, bytes) in files(&case) {
            for cut in [0, 1, bytes.len() / 3, bytes.len() / 2, bytes.len().saturating_sub(3)] {
                let _ = bench::read(&name, &bytes[..cut], None);
            }
            for (from, to) in
                [(b'1', b'-'), (b'.', b'e'), (b':', b','), (b'"', b'\''), (b'0', 0xff)]
            {
                let broken: Vec<u8> =
                    bytes.iter().map(|&b| if b == from { to } else { b }).collect();
                let _ = bench::read(&name, &broken, None);
            }
            for format in FORMATS {
                let _ = bench::read(&name, &bytes, Some(format.id));
            }
        }
    }
}

#[test]
fn packed_files_are_unpacked_and_bombs_are_not() {
    use std::io::Write as _;
    let plain = std::fs::read(super::folder("formats/hyperfine/in.json")).unwrap();
    let gzip = |content: &[u8]| {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(content).unwrap();
        packer.finish().unwrap()
    };
    let zst = |content: &[u8]| {
        ruzstd::encoding::compress_to_vec(content, ruzstd::encoding::CompressionLevel::Fastest)
    };
    let wanted = bench::read("a", &plain, None).unwrap();
    assert_eq!(bench::read("a", &gzip(&plain), None).unwrap(), wanted);
    assert_eq!(bench::read("a", &zst(&plain), None).unwrap(), wanted);
    let bomb = vec![b' '; bench::MAX_INFLATED + 1000];
    for packed in [gzip(&bomb), zst(&bomb)] {
        assert!(packed.len() < 1 << 20);
        assert_eq!(bench::read("a", &packed, None).unwrap_err()[0].reason, "too-large");
    }
    let torn = gzip(&plain);
    assert_eq!(
        bench::read("a", &torn[..torn.len() / 2], None).unwrap_err()[0].reason,
        "broken-archive"
    );
    assert_eq!(
        bench::read("a", &[0x28, 0xb5, 0x2f, 0xfd, 0, 0], None).unwrap_err()[0].reason,
        "broken-archive"
    );
}

#[test]
fn what_nobody_knows_is_said_so() {
    let problems = bench::read("notes.txt", b"The benchmark became slower.\n", None).unwrap_err();
    assert!(
        problems[0].to_string().starts_with(
            "notes.txt: found `The benchmark became slower.`, expected output of fio,"
        )
    );
    let problems =
        bench::read("r.json", b"{\"fio version\": \"fio-3\", \"jobs\": [", None).unwrap_err();
    assert_eq!(problems[0].reason, "truncated");
    let problems = bench::read("r.json", b"{\"a.b\": 1, \"a.b\": 2}", None).unwrap_err();
    assert_eq!(problems[0].reason, "duplicate-key");
    let alias = b"---\nsystem-info:\n      stress-ng-version: &a 1\nmetrics: *a\n";
    assert_eq!(bench::read("r.yaml", alias, None).unwrap_err()[0].reason, "yaml-alias");
    assert_eq!(bench::read("r", b"x", Some("nonsense")).unwrap_err()[0].reason, "unknown-format");
}
