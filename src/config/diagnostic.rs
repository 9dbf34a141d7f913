//! A problem in a file that a person wrote: where, what, and what to do about it.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// One problem. Prints as `file:line:column: what; cure`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file.
    pub file: PathBuf,
    /// Line and column, from 1; `None` when the whole file is meant.
    pub place: Option<(usize, usize)>,
    /// What is wrong, with what was expected.
    pub what: String,
    /// What to do about it; may be empty.
    pub cure: String,
}

impl Diagnostic {
    /// A problem with a whole file.
    pub fn file(file: &Path, what: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { file: file.to_owned(), place: None, what: what.into(), cure: cure.into() }
    }

    /// A problem at a byte range of `text`.
    pub fn at(
        file: &Path,
        text: &str,
        span: Range<usize>,
        what: impl Into<String>,
        cure: impl Into<String>,
    ) -> Self {
        Self { place: Some(place(text, span.start)), ..Self::file(file, what, cure) }
    }

    /// What the TOML reader says, in one line.
    pub fn toml(file: &Path, text: &str, error: &toml::de::Error) -> Self {
        let what = error.message().lines().collect::<Vec<_>>().join(" ");
        match error.span() {
            Some(span) => Self::at(file, text, span, what, ""),
            None => Self::file(file, what, ""),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.what)?;
        if self.cure.is_empty() { Ok(()) } else { write!(f, "; {}", self.cure) }
    }
}

/// Line and column (characters, from 1) of a byte offset.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (line, column)
}
