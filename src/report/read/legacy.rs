//! Rows of `sbin/compare`: the change has no plus sign, is rounded to whole percents, and is blank below 3 %.

use super::number::printed;
use super::row::{Cell, Change, Outcome, cell, finish};

/// One number of a row, before it is known whether it is a mean or a change.
enum Item {
    Mean(Cell),
    Change(Change),
    /// A number without percent sign and spread: either of the two.
    Bare(Cell),
}

/// Reads a row of `columns` compared kernels that begins with the first word.
pub(super) fn read<'t>(words: &[&'t str], columns: Option<usize>) -> Outcome<'t> {
    let Some(columns) = columns else {
        return Outcome::No;
    };
    let mut at = 0;
    let mut items = Vec::new();
    while at < words.len() && items.len() < 2 * columns {
        if let Some(change) = percent_change(words[at]) {
            items.push(Item::Change(change));
            at += 1;
            continue;
        }
        match cell(words, &mut at, false) {
            Some(mean) if mean.stddev.is_some() => items.push(Item::Mean(mean)),
            Some(bare) => items.push(Item::Bare(bare)),
            None => break,
        }
    }
    if items.is_empty() || matches!(items[0], Item::Change(_)) {
        return Outcome::No;
    }
    if at == words.len() {
        return if items.len() < 2 * columns { Outcome::Begun } else { Outcome::No };
    }
    match resolve(items, columns) {
        Some((cells, changes)) => finish(words, at, cells, changes),
        None => Outcome::No,
    }
}

fn percent_change(word: &str) -> Option<Change> {
    let value = printed(word.strip_suffix('%')?)?;
    Some(Change { value: Some(value), percent: true })
}

/// Tells means from changes where that is certain: a change stands between two means, never at an end.
fn resolve(items: Vec<Item>, columns: usize) -> Option<(Vec<Cell>, Vec<Option<Change>>)> {
    let numbers = items.iter().filter(|i| !matches!(i, Item::Change(_))).count();
    let mut surplus = numbers.checked_sub(columns)?;
    let count = items.len();
    let mut cells: Vec<Cell> = Vec::new();
    let mut changes: Vec<Option<Change>> = Vec::new();
    let mut open: Option<Change> = None;
    for (at, item) in items.into_iter().enumerate() {
        let inner = at > 0 && at + 1 < count;
        match item {
            Item::Change(change) if open.is_none() && inner => open = Some(change),
            Item::Change(_) => return None,
            Item::Bare(bare)
                if surplus > 0 && inner && open.is_none() && (columns == 2 || signed(&bare)) =>
            {
                surplus -= 1;
                open = Some(Change { value: bare.value, percent: false });
            }
            Item::Bare(mean) | Item::Mean(mean) => {
                if !cells.is_empty() {
                    changes.push(open.take());
                }
                cells.push(mean);
            }
        }
    }
    (surplus == 0 && cells.len() == columns).then_some((cells, changes))
}

fn signed(cell: &Cell) -> bool {
    cell.value.is_some_and(|v| v.value < 0.0)
}
