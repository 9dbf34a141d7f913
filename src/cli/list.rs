//! `regard list`: every tracked regression with its standing and the words that decided.

use serde::Serialize;

use super::args::{Args, ListArgs};
use super::context::Failure;
use super::{Outcome, output};
use crate::regression::{Regression, State};

/// One line of `regard list --json`.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    state: State,
    closed: bool,
    kind: crate::report::ReportKind,
    title: &'a str,
    commit: Option<&'a str>,
    tree: Option<&'a str>,
    report: Option<String>,
    opened: String,
    since: String,
    fix: Option<String>,
    duplicate_of: Option<&'a str>,
    /// Who moved it last, and the words.
    by: Option<&'a str>,
    words: Option<&'a str>,
}

impl<'a> Line<'a> {
    fn new(r: &'a Regression) -> Self {
        Self {
            id: r.id().as_str(),
            state: r.state,
            closed: r.is_closed(),
            kind: r.about.kind,
            title: &r.about.title,
            commit: r.about.commit.as_deref(),
            tree: r.about.tree.as_deref(),
            report: r.about.report.as_ref().map(|id| format!("<{id}>")),
            opened: r.opened.to_string(),
            since: r.since.to_string(),
            fix: r.fix.as_ref().map(|(fix, _)| fix.name()),
            duplicate_of: r.duplicate_of.as_ref().map(crate::regression::RegressionId::as_str),
            by: r.mover.as_ref().map(|m| m.name.as_str()),
            words: r.mover.as_ref().map(|m| m.words.as_str()),
        }
    }

    fn cells(&self) -> Vec<String> {
        let commit = self.commit.map_or_else(String::new, |c| c.chars().take(10).collect());
        let state = if self.closed && self.state.standing() != crate::regression::Standing::Closed {
            format!("{} (closed)", self.state)
        } else {
            self.state.to_string()
        };
        let words = match (self.by, self.words) {
            (Some(by), Some(words)) => format!("{by}: \"{}\"", clip(words, 60)),
            _ => String::new(),
        };
        let since = self.since.chars().take(10).collect();
        vec![self.id.to_owned(), state, since, commit, self.title.to_owned(), words]
    }
}

pub(super) fn run(args: &Args, list: &ListArgs) -> Result<Outcome, Failure> {
    let mut store = args.store()?;
    let wants_closed = list.all || !list.state.is_empty();
    let mut regressions = store.look(|tx| tx.regressions(wants_closed))?;
    if !list.state.is_empty() {
        regressions.retain(|r| list.state.contains(&r.state));
    }
    if args.json {
        for r in &regressions {
            output::json(&Line::new(r))?;
        }
    } else if regressions.is_empty() {
        output::print("nothing is tracked\n")?;
    } else {
        output::print(&table(&regressions))?;
    }
    Ok(Outcome::Fine)
}

/// The table that people read; the demo prints it too.
pub(super) fn table(regressions: &[Regression]) -> String {
    let mut rows = vec![
        ["id", "state", "since", "commit", "title", "words that decided"]
            .map(str::to_owned)
            .to_vec(),
    ];
    rows.extend(regressions.iter().map(|r| Line::new(r).cells()));
    output::columns(&rows)
}

/// The first `n` characters on one line.
pub(super) fn clip(text: &str, n: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if flat.chars().count() <= n {
        flat
    } else {
        flat.chars().take(n - 3).collect::<String>() + "..."
    }
}
