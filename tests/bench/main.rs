//! The results room: the native format, its schema, units, metric knowledge, and every foreign format.

mod formats;
mod knowledge;
mod native;
mod pairs;
mod schema;

use std::path::{Path, PathBuf};

/// A folder of this test.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench").join(name)
}

/// The cases of a folder, by name.
fn cases(name: &str) -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> = std::fs::read_dir(folder(name))
        .expect("readable")
        .map(|entry| entry.expect("readable").path())
        .collect();
    cases.sort();
    assert!(!cases.is_empty());
    cases
}

/// Compares with a golden file; `REGARD_BLESS=1` rewrites it.
#[track_caller]
fn golden(path: &Path, found: &str) {
    if std::env::var_os("REGARD_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(path, found).expect("readable");
        return;
    }
    let wanted = std::fs::read_to_string(path).unwrap_or_default();
    if wanted != found {
        let diff = similar::TextDiff::from_lines(wanted.as_str(), found);
        panic!("{} differs:\n{}", path.display(), diff.unified_diff());
    }
}
