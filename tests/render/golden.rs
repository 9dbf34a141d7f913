//! Folders of cases: `<case>/in.json` beside `expected.txt`, compared whole. `REGARD_BLESS=1` rewrites.

use std::fs;
use std::path::{Path, PathBuf};

/// The case folders below `tests/<room>/<behaviour>`, sorted.
pub(crate) fn cases(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut found: Vec<PathBuf> = fs::read_dir(&root)
        .unwrap_or_else(|e| panic!("{}: {e}", root.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    assert!(!found.is_empty(), "no case in {}", root.display());
    found
}

/// Compares with the golden file, or rewrites it; the message is a diff.
pub(crate) fn compare(path: &Path, actual: &str) -> Result<(), String> {
    if std::env::var_os("REGARD_BLESS").is_some() {
        fs::write(path, actual).unwrap();
        return Ok(());
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    let diff = similar::TextDiff::from_lines(expected.as_str(), actual);
    Err(format!("{}\n{}", path.display(), diff.unified_diff().context_radius(2)))
}
