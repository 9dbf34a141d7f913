//! One row of a comparison table, read from its words.

use super::number::{self, Printed, printed};
use super::token::{is_mark, marked_percent};
use crate::report::RowUnit;

/// A wider row without a head is none.
const WIDEST: usize = 8;
/// A longer name is no metric.
const LONGEST_NAME: usize = 400;

/// How the columns of the table are laid out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Layout {
    /// Compared kernels, when a head told.
    pub(super) columns: Option<usize>,
    /// The layout of `sbin/compare`: no sign on plus, a small change left blank.
    pub(super) legacy: bool,
}

/// Mean and spread of one column.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Cell {
    pub(super) value: Option<Printed>,
    pub(super) stddev: Option<f64>,
}

/// The change of one column against the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Change {
    /// `None` for an infinite one.
    pub(super) value: Option<Printed>,
    pub(super) percent: bool,
}

/// The parts of a row; `changes[i]` belongs to `cells[i + 1]`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parts<'t> {
    pub(super) cells: Vec<Cell>,
    pub(super) changes: Vec<Option<Change>>,
    pub(super) metric: &'t str,
    /// Words that the row took.
    pub(super) used: usize,
}

/// What the words are.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outcome<'t> {
    /// A whole row.
    Row(Parts<'t>),
    /// The beginning of one: the rest must stand on the next line.
    Begun,
    /// No row.
    No,
}

/// Reads a row that begins with the first word.
pub(super) fn read<'t>(words: &[&'t str], layout: Layout) -> Outcome<'t> {
    if layout.legacy { super::legacy::read(words, layout.columns) } else { modern(words, layout) }
}

fn modern<'t>(words: &[&'t str], layout: Layout) -> Outcome<'t> {
    let mut at = 0;
    let headed = layout.columns.is_some();
    let Some(first) = cell(words, &mut at, true).or_else(|| empty(words, &mut at, headed)) else {
        return Outcome::No;
    };
    let mut cells = vec![first];
    let mut changes = Vec::new();
    while let Some(change) = words.get(at).and_then(|w| change(w, headed)) {
        if cells.len() == layout.columns.unwrap_or(WIDEST) {
            return Outcome::No;
        }
        at += 1;
        if at == words.len() {
            return Outcome::Begun;
        }
        let Some(cell) = cell(words, &mut at, true).or_else(|| empty(words, &mut at, headed))
        else {
            return Outcome::No;
        };
        cells.push(cell);
        changes.push(Some(change));
    }
    if at == words.len() {
        return if layout.columns.is_some_and(|c| cells.len() > c) {
            Outcome::No
        } else {
            Outcome::Begun
        };
    }
    if changes.is_empty() || layout.columns.is_some_and(|c| c != cells.len()) {
        return Outcome::No;
    }
    finish(words, at, cells, changes)
}

/// Takes the name behind the cells. `TOTAL` and `GEO-MEAN` say how a name's value came about.
pub(super) fn finish<'t>(
    words: &[&'t str],
    mut at: usize,
    cells: Vec<Cell>,
    changes: Vec<Option<Change>>,
) -> Outcome<'t> {
    if matches!(words[at], "TOTAL" | "GEO-MEAN") {
        at += 1;
    }
    match words.get(at) {
        None => Outcome::Begun,
        Some(metric) if is_name(metric) => {
            Outcome::Row(Parts { cells, changes, metric, used: at + 1 })
        }
        Some(_) => Outcome::No,
    }
}

/// A mean with its spread: `100`, `100 ± 4%`, `100 ±110%`, `100 4%` where the sign was lost, or (2014) the spread alone.
pub(super) fn cell(words: &[&str], at: &mut usize, bare_percent: bool) -> Option<Cell> {
    let value = words.get(*at).filter(|w| !w.starts_with('+')).and_then(|w| printed(w));
    let mut next = *at + usize::from(value.is_some());
    let stddev = match words.get(next) {
        Some(word) if is_mark(word) && words.get(next + 1).is_some_and(|w| w.ends_with('%')) => {
            next += 2;
            Some(number::percent(words[next - 1])?)
        }
        Some(word) => {
            // A spread is printed in whole percents.
            let bare = value.is_some() && bare_percent && !word.contains(['-', '.']);
            let spread =
                marked_percent(word).or_else(|| bare.then(|| number::percent(word)).flatten());
            next += usize::from(spread.is_some());
            spread
        }
        None => None,
    };
    if value.is_none() && stddev.is_none() {
        return None;
    }
    *at = next;
    // Old tables print -1 % for a spread that a single run cannot have.
    Some(Cell { value, stddev: stddev.filter(|s| *s >= 0.0) })
}

/// `-` or `?` under a head: no run of this side has the metric, or its mean is no number.
fn empty(words: &[&str], at: &mut usize, headed: bool) -> Option<Cell> {
    let empty = headed && matches!(*words.get(*at)?, "-" | "?");
    *at += usize::from(empty);
    empty.then(Cell::default)
}

/// A signed change: `-4.3%`, `+2e+05%`, `-0.8`, `+Inf%`. Under a head also what our tables print: `0.0%`, and a word
/// where no number makes sense.
fn change(word: &str, headed: bool) -> Option<Change> {
    if headed && matches!(word, "n/a" | "new" | "gone" | "-") {
        return Some(Change { value: None, percent: false });
    }
    let (text, percent) = match word.strip_suffix('%') {
        Some(text) => (text, true),
        None => (word, false),
    };
    let zero = headed && text == "0.0";
    if !word.starts_with(['+', '-']) && !zero {
        return None;
    }
    match printed(text) {
        Some(value) => Some(Change { value: Some(value), percent }),
        None => matches!(text.get(1..)?, "Inf" | "inf" | "nan" | "NaN")
            .then_some(Change { value: None, percent }),
    }
}

/// Something that can be called a metric.
pub(super) fn is_name(word: &str) -> bool {
    word.len() <= LONGEST_NAME
        && word.chars().any(char::is_alphabetic)
        && printed(word.trim_end_matches('%')).is_none()
        && !word.starts_with(['|', '>', '<', '[', '(', '"', '\\'])
}

/// Whether a change of this metric is a difference: profile shares and percentages are compared so since 2017.
pub(super) fn unit(change: &Change, metric: &str) -> Option<RowUnit> {
    if change.percent {
        return Some(RowUnit::Percent);
    }
    (metric.starts_with("perf-profile") || metric.ends_with('%')).then_some(RowUnit::Absolute)
}
