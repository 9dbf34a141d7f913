//! What is wrong with a template, where, and how to mend it.

use std::fmt;

use tera::{Error, ErrorKind};

/// One mistake in one template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateError {
    /// File name: `report.txt`.
    pub file: String,
    /// 1-based; 0 where the whole file is meant.
    pub line: usize,
    /// 1-based; 0 where the whole line is meant.
    pub column: usize,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub cure: String,
}

impl TemplateError {
    pub(super) fn new(file: &str, what: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: 0, column: 0, what: what.into(), cure: cure.into() }
    }

    /// All that tera tells at once, at least one. `file` is named where it does not know which template it was.
    pub(super) fn from_tera(error: &Error, file: &str) -> Vec<Self> {
        match error.kind() {
            ErrorKind::SyntaxError(report) | ErrorKind::RenderingError(report) => vec![Self {
                file: if report.filename().is_empty() {
                    file.to_owned()
                } else {
                    report.filename().to_owned()
                },
                line: report.span().start_line,
                column: report.span().start_col + 1,
                what: report.message().lines().next().unwrap_or_default().to_owned(),
                cure: cure(report.message()).to_owned(),
            }],
            ErrorKind::CircularInclude { tpl, include_chain } => {
                vec![Self::new(
                    tpl,
                    format!("includes itself: {}", include_chain.join(" -> ")),
                    "break the circle",
                )]
            }
            ErrorKind::MissingParent { current, parent } => {
                vec![Self::new(
                    current,
                    format!("extends `{parent}`, which does not exist"),
                    "remove the `extends` line",
                )]
            }
            ErrorKind::Msg(message) => {
                let listed = listed(message);
                if listed.is_empty() { vec![Self::plain(error, file)] } else { listed }
            }
            _ => vec![Self::plain(error, file)],
        }
    }

    /// The message with what its sources say.
    fn plain(error: &Error, file: &str) -> Self {
        let mut what = error.to_string();
        let mut source = std::error::Error::source(error);
        while let Some(inner) = source {
            what += &format!(": {inner}");
            source = inner.source();
        }
        Self::new(file, what.lines().next().unwrap_or_default(), "see docs/templates.md")
    }
}

/// Unknown names come as one text of several reports, each `error: WHAT` above ` --> FILE:LINE:COLUMN`.
fn listed(message: &str) -> Vec<TemplateError> {
    let lines: Vec<&str> = message.lines().collect();
    let read = |pair: &[&str]| {
        let what = pair[0].strip_prefix("error: ")?;
        let place = pair[1].trim_start().strip_prefix("--> ")?;
        let (rest, column) = place.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        Some(TemplateError {
            file: file.to_owned(),
            line: line.parse().ok()?,
            column: column.parse().ok()?,
            what: what.to_owned(),
            cure: cure(what).to_owned(),
        })
    };
    lines.windows(2).filter_map(read).collect()
}

fn cure(message: &str) -> &'static str {
    let message = message.to_ascii_lowercase();
    if message.contains("unknown template") {
        "include a file that docs/templates.md names"
    } else if message.contains("filter") {
        "use a filter of tera 2, or `fixed`, `keep`, `pad` or `wrap` (docs/templates.md)"
    } else if message.contains("undefined")
        || message.contains("not found")
        || message.contains("not defined")
    {
        "use a field that docs/templates.md lists for this template; guard an optional one with {% if %}"
    } else {
        "mend the syntax at the place named (docs/templates.md shows what a template may use)"
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        write!(f, ": {}; {}", self.what, self.cure)
    }
}

impl std::error::Error for TemplateError {}
