//! Lists `rules/`, `rules/metrics/` and `templates/` so that a new file needs no registration anywhere.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let mut code = String::new();
    for (constant, folder, suffix, what) in [
        ("RULES", "rules", "toml", "Triage rules"),
        ("WEIGHTS", "rules/sayings", "tsv", "What was learned from sayings"),
        ("METRICS", "rules/metrics", "toml", "What is known of metrics"),
        ("TEMPLATES", "templates", "txt", "Mail templates"),
        ("DEMO", "examples/demo", "eml", "Sample mail of the demo"),
    ] {
        println!("cargo::rerun-if-changed={folder}");
        code += &format!("/// {what}: `{folder}/*.{suffix}` as (file name, text), sorted.\n");
        code += &format!("pub const {constant}: &[(&str, &str)] = &[\n");
        for path in files(&Path::new(&root).join(folder), suffix)? {
            println!("cargo::rerun-if-changed={}", path.display());
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            code += &format!("    ({name:?}, include_str!({path:?})),\n");
        }
        code += "];\n\n";
    }
    fs::write(Path::new(&out).join("embedded.rs"), code)
}

/// The files of `folder` with that suffix, sorted. A missing folder is an empty one.
fn files(folder: &Path, suffix: &str) -> io::Result<Vec<std::path::PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() && path.extension().is_some_and(|e| e == suffix) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
