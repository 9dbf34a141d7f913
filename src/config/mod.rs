//! `regard.toml`: read, checked, resolved. Every problem names file, line, column and a cure.

mod diagnostic;
mod people;
mod raw;
mod reach;
mod resolve;
mod settings;
mod tree;

use std::path::{Path, PathBuf};

pub use diagnostic::Diagnostic;
pub use settings::{Config, Mailbox, Mode, Outbox, RelayConfig};
pub use tree::Tree;

/// The commented configuration that `regard init` writes.
pub const SAMPLE: &str = include_str!("regard.toml");

/// Reads and resolves a configuration file.
///
/// # Errors
/// All problems that were found, each with its place in the file.
pub fn load(path: &Path) -> Result<Config, Vec<Diagnostic>> {
    let text = std::fs::read_to_string(path).map_err(|e| {
        let cure = "write one with `regard init`, or name it with --config";
        vec![Diagnostic::file(path, format!("cannot be read: {e}"), cure)]
    })?;
    parse(&text, path)
}

/// The same from text; relative paths in it are taken from the folder of `path`.
///
/// # Errors
/// As [`load`].
pub fn parse(text: &str, path: &Path) -> Result<Config, Vec<Diagnostic>> {
    let raw: raw::Raw = toml::from_str(text).map_err(|e| vec![Diagnostic::toml(path, text, &e)])?;
    let folder = path.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf);
    resolve::resolve(raw, text, path, &folder)
}
