//! Rows of a fail:runs block: `3:4 -75% :4 kmsg.something`.

use super::number;
use super::row::{Outcome, is_name};
use crate::report::Failure;

/// Columns beyond this are no table.
const WIDEST: usize = 64;

/// Failed runs and runs.
type Count = (u32, u32);

/// A row: the counts of each column, and the name.
#[derive(Debug, PartialEq)]
pub(super) struct Counts<'t> {
    pub(super) counts: Vec<Count>,
    pub(super) metric: &'t str,
    pub(super) used: usize,
}

/// True when the word is `3:4` or `:4`.
pub(super) fn is_count(word: &str) -> bool {
    count(word).is_some()
}

/// Reads a row that begins with the first word. `Row` never comes back in the outcome of a partial one.
pub(super) fn read<'t>(
    words: &[&'t str],
    columns: Option<usize>,
) -> Result<Counts<'t>, Outcome<'t>> {
    let mut counts = Vec::new();
    let (mut at, mut changed) = (0, false);
    while let Some(count) = words.get(at).and_then(|w| count(w)) {
        counts.push(count);
        at += 1;
        if counts.len() >= columns.unwrap_or(WIDEST).min(WIDEST) {
            break;
        }
        if words.get(at).is_some_and(|w| number::percent(w.trim_start_matches('+')).is_some()) {
            at += 1;
            changed = true;
        }
    }
    // Without a head above, two times of day look the same.
    if columns.is_none() && !changed {
        return Err(Outcome::No);
    }
    match words.get(at) {
        None if !counts.is_empty() => Err(Outcome::Begun),
        Some(metric) if counts.len() >= 2 && columns.is_none_or(|c| c == counts.len()) => {
            if is_name(metric) {
                Ok(Counts { counts, metric, used: at + 1 })
            } else {
                Err(Outcome::No)
            }
        }
        _ => Err(Outcome::No),
    }
}

/// One failure a column, each against the first.
pub(super) fn failures(row: &Counts, labels: &[String]) -> Vec<Failure> {
    let (base_fails, base_runs) = row.counts[0];
    let label = |i: usize| (row.counts.len() > 2).then(|| labels[i].clone());
    (1..row.counts.len())
        .map(|i| Failure {
            metric: row.metric.to_owned(),
            base_fails,
            base_runs,
            head_fails: row.counts[i].0,
            head_runs: row.counts[i].1,
            base_label: label(0),
            head_label: label(i),
        })
        .collect()
}

/// No failed run is printed as a blank.
fn count(word: &str) -> Option<Count> {
    let (fails, runs) = word.split_once(':')?;
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if !digits(fails) || !digits(runs) || runs.is_empty() || word.len() > 16 {
        return None;
    }
    Some((if fails.is_empty() { 0 } else { fails.parse().ok()? }, runs.parse().ok()?))
}
