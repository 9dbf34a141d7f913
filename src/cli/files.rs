//! Results files as they are named on the command line: files, and folders of files.

use std::path::{Path, PathBuf};

use super::context::Failure;
use crate::bench::File;

/// Larger than any result that a tool prints; the decoder has bounds of its own.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// Reads files and the files of folders (not deeper than eight levels). Names keep the folder that was given, so that
/// `base/` and `head/` tell the sides apart.
pub(super) fn read(paths: &[PathBuf]) -> Result<Vec<File>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        let name = path
            .file_name()
            .map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
        add(path, &name, 0, &mut files)?;
    }
    if files.is_empty() {
        return Err(Failure::Message("no files were found there".to_owned()));
    }
    Ok(files)
}

fn add(path: &Path, name: &str, depth: usize, files: &mut Vec<File>) -> Result<(), Failure> {
    let fail =
        |e: std::io::Error| Failure::Message(format!("{}: cannot be read: {e}", path.display()));
    let meta = std::fs::metadata(path).map_err(fail)?;
    if meta.is_dir() {
        if depth == 8 {
            return Ok(());
        }
        let mut inside: Vec<PathBuf> =
            std::fs::read_dir(path).map_err(fail)?.filter_map(|e| Some(e.ok()?.path())).collect();
        inside.sort();
        for path in inside {
            let child = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            add(&path, &format!("{name}/{child}"), depth + 1, files)?;
        }
        return Ok(());
    }
    if meta.len() > MOST_BYTES {
        let what = format!(
            "{}: {} bytes; results of up to {MOST_BYTES} are read",
            path.display(),
            meta.len()
        );
        return Err(Failure::Message(what));
    }
    files.push((name.to_owned(), std::fs::read(path).map_err(fail)?));
    Ok(())
}
