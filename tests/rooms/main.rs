//! The house rules that a compiler does not know: who may import whom, and how large a file may grow.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Pure rooms: no clock, no network, no files, no dice.
const INNER: &[&str] =
    &["mail", "bench", "stats", "report", "triage", "regression", "intake", "engine", "embedded"];

fn sources() -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).expect("src") {
            let path = entry.expect("entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).expect("UTF-8");
                found.push((path, text));
            }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.len() > 20, "the sources were not found");
    found
}

fn room(path: &Path) -> String {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let first = path.strip_prefix(&src).expect("under src").components().next().expect("a name");
    first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned()
}

#[test]
fn inner_rooms_import_no_outer_ones() {
    let inner: BTreeSet<&str> = INNER.iter().copied().collect();
    let mut broken = Vec::new();
    for (path, text) in sources() {
        if !inner.contains(room(&path).as_str()) {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            for import in code.split("crate::").skip(1) {
                let name: String =
                    import.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if !name.is_empty()
                    && name.starts_with(char::is_lowercase)
                    && !inner.contains(name.as_str())
                {
                    broken.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
                }
            }
        }
    }
    assert!(broken.is_empty(), "inner rooms import outer ones:\n{}", broken.join("\n"));
}

#[test]
fn inner_rooms_touch_no_world() {
    let inner: BTreeSet<&str> = INNER.iter().copied().collect();
    let world = [
        "std::fs",
        "std::net",
        "std::process",
        "std::thread",
        "fastrand",
        "rusqlite",
        "tokio",
        "lettre",
    ];
    let mut broken = Vec::new();
    for (path, text) in sources() {
        if !inner.contains(room(&path).as_str()) {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            if world.iter().any(|w| code.contains(w)) {
                broken.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(broken.is_empty(), "inner rooms touch the world:\n{}", broken.join("\n"));
}

#[test]
fn files_stay_small() {
    let mut sizes: Vec<(usize, PathBuf)> =
        sources().into_iter().map(|(path, text)| (text.lines().count(), path)).collect();
    sizes.sort();
    let median = sizes[sizes.len() / 2].0;
    assert!(median <= 200, "the median file has {median} lines");
    let large: Vec<String> =
        sizes.iter().filter(|s| s.0 > 700).map(|s| format!("{} {}", s.0, s.1.display())).collect();
    assert!(large.is_empty(), "files over 700 lines:\n{}", large.join("\n"));
}
