//! What is wrong with a file, said so that its sender can repair it.

use std::fmt;

use serde::Serialize;

/// One defect of a results file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Name of the file or attachment.
    pub file: String,
    /// Where in it: `metrics[2].head[1]`, `line 3 column 2` of a table; empty for the file as a whole.
    pub path: String,
    /// Line, from 1, where it could be told.
    pub line: Option<usize>,
    /// Kebab-case slug.
    pub reason: &'static str,
    /// What stands there.
    pub found: String,
    /// What should.
    pub expected: String,
}

/// No more than these are listed of one file.
pub(crate) const MAX_PROBLEMS: usize = 50;

impl Problem {
    /// A problem of the file as a whole.
    pub fn whole(
        file: &str,
        reason: &'static str,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Self::at(file, "", reason, found, expected)
    }

    /// A problem at a path.
    pub fn at(
        file: &str,
        path: impl Into<String>,
        reason: &'static str,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Self {
            file: file.to_owned(),
            path: path.into(),
            line: None,
            reason,
            found: found.into(),
            expected: expected.into(),
        }
    }

    /// The same, with the line it stands on (from 1).
    #[must_use]
    pub fn on_line(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }
}

impl fmt::Display for Problem {
    /// `results.json:12: metrics[2].head[1]: found the text "fast", expected a number or null [wrong-type]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if !self.path.is_empty() {
            write!(f, ": {}", self.path)?;
        }
        write!(f, ": found {}, expected {} [{}]", self.found, self.expected, self.reason)
    }
}

/// A person's or a file's words, cut to be quoted in one line.
pub(crate) fn clip(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut out = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == LONGEST {
            out.push('…');
            break;
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}
