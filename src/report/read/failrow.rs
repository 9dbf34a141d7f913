//! Rows of a fail:runs block: `3:4 -75% :4 kmsg.something`.

use super::number;
use super::row::{Outcome, is_name};
use crate::report::Failure;

/// Columns beyond this are no table.
const WIDEST: usize = 64;

/// Failed runs and runs; `None` where nobody counted (`-` in our tables).
type Count = Option<(u32, u32)>;

/// A row: the counts of each column, and the name.
#[derive(Debug, PartialEq)]
pub(super) struct Counts<'t> {
    pub(super) counts: Vec<Count>,
    pub(super) metric: &'t str,
    pub(super) used: usize,
}

/// True when the words begin a row: with `3:4`, `:4`, or a column that nobody counted.
pub(super) fn begins(words: &[&str]) -> bool {
    let is_count = |at: usize| words.get(at).is_some_and(|w| counted(w).is_some());
    is_count(0) || words.first() == Some(&"-") && is_count(2)
}

/// Reads a row that begins with the first word. `Row` never comes back in the outcome of a partial one.
pub(super) fn read<'t>(
    words: &[&'t str],
    columns: Option<usize>,
) -> Result<Counts<'t>, Outcome<'t>> {
    let mut counts = Vec::new();
    let mut at = 0;
    while let Some(count) = words.get(at).and_then(|w| count(w, columns.is_some())) {
        counts.push(count);
        at += 1;
        if counts.len() >= columns.unwrap_or(WIDEST).min(WIDEST) {
            break;
        }
        if words.get(at).is_some_and(|w| is_change(w)) {
            at += 1;
        } else if columns.is_none() && counts.len() < 2 {
            // Without a head above, two times of day look the same.
            return Err(Outcome::No);
        }
    }
    match words.get(at) {
        None if !counts.is_empty() => Err(Outcome::Begun),
        Some(metric) if counts.len() >= 2 && columns.is_none_or(|c| c == counts.len()) => {
            let row = Counts { counts, metric, used: at + 1 };
            if is_name(metric) { Ok(row) } else { Err(Outcome::No) }
        }
        _ => Err(Outcome::No),
    }
}

/// One failure a column, each against the first.
pub(super) fn failures(row: &Counts, labels: &[String]) -> Vec<Failure> {
    let Some((base_fails, base_runs)) = row.counts[0] else { return Vec::new() };
    let label = |i: usize| (row.counts.len() > 2).then(|| labels[i].clone());
    let head = |i: usize| {
        let (head_fails, head_runs) = row.counts[i]?;
        Some(Failure {
            metric: row.metric.to_owned(),
            base_fails,
            base_runs,
            head_fails,
            head_runs,
            base_label: label(0),
            head_label: label(i),
        })
    };
    (1..row.counts.len()).filter_map(head).collect()
}

fn is_change(word: &str) -> bool {
    word == "n/a" || number::percent(word.trim_start_matches('+')).is_some()
}

fn count(word: &str, headed: bool) -> Option<Count> {
    if headed && word == "-" { Some(None) } else { counted(word).map(Some) }
}

/// No failed run is printed as a blank.
fn counted(word: &str) -> Count {
    let (fails, runs) = word.split_once(':')?;
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if !digits(fails) || !digits(runs) || runs.is_empty() || word.len() > 16 {
        return None;
    }
    Some((if fails.is_empty() { 0 } else { fails.parse().ok()? }, runs.parse().ok()?))
}
