//! Rows that were read find their table, and contradictions are named.

use super::failrow::{self, Counts};
use super::head::{self, Head};
use super::line::Line;
use super::number::{fits_difference, fits_percent};
use super::row::{self, Parts};
use super::scan::{Fact, Scan};
use crate::report::{Column, Row, RowUnit, Table};

/// The table that a row of that many columns at line `at` belongs to: the open one at its depth, or a new one.
fn table(scan: &mut Scan, lines: &[Line], at: usize, columns: usize) -> usize {
    let depth = lines[at].depth;
    if !scan.heads.iter().any(|h| h.depth == depth && h.columns == columns) {
        head::set(scan, Head::none(depth, columns, at));
    }
    let index = scan.tables.len();
    let Some(head) = scan.heads.iter_mut().find(|h| h.depth == depth) else {
        return index;
    };
    if let Some(table) = head.table {
        return table;
    }
    head.table = Some(index);
    let titles = head.labels.clone();
    let (axes, machine, commits) = scan.context.take();
    let columns = if titles.is_empty() { commits } else { named(&titles, &commits) };
    scan.tables.push(Table { axes, machine, columns, depth, ..Table::default() });
    index
}

/// Column titles with the subjects of the commits that they abbreviate.
fn named(titles: &[String], commits: &[Column]) -> Vec<Column> {
    let same = |a: &str, b: &str| a.starts_with(b) || b.starts_with(a);
    titles
        .iter()
        .map(|label| Column {
            label: label.clone(),
            subject: commits.iter().find(|c| same(&c.label, label)).and_then(|c| c.subject.clone()),
        })
        .collect()
}

/// Column titles, `#1` and on where the table has none.
fn labels(scan: &Scan, table: usize, columns: usize) -> Vec<String> {
    let titles = &scan.tables[table].columns;
    if titles.len() == columns {
        return titles.iter().map(|c| c.label.clone()).collect();
    }
    (1..=columns).map(|i| format!("#{i}")).collect()
}

/// Records the failures of a row.
pub(super) fn failures(scan: &mut Scan, lines: &[Line], at: usize, row: &Counts) {
    let table = table(scan, lines, at, row.counts.len());
    let labels = labels(scan, table, row.counts.len());
    scan.push(&lines[at], Fact::Failures(table, failrow::failures(row, &labels)));
}

/// Turns a row into one row a column, each against the first.
pub(super) fn row(scan: &mut Scan, lines: &[Line], at: usize, parts: &Parts) {
    let columns = parts.cells.len();
    let units: Option<Vec<RowUnit>> = (1..columns).map(|i| unit(parts, i)).collect();
    let Some(units) = units else {
        scan.defect(&lines[at], "a change without a unit", parts.metric);
        return;
    };
    if (1..columns).any(|i| !fits(parts, i, units[i - 1])) {
        scan.defect(&lines[at], "a change that its own numbers contradict", parts.metric);
    }
    let table = table(scan, lines, at, columns);
    let labels = if columns > 2 { labels(scan, table, columns) } else { Vec::new() };
    let base = &parts.cells[0];
    let rows = (1..columns).map(|i| Row {
        metric: parts.metric.to_owned(),
        base: base.value.map(|v| v.value),
        base_stddev_percent: base.stddev,
        change: parts.changes[i - 1].and_then(|c| c.value).map(|v| v.value),
        change_unit: units[i - 1],
        head: parts.cells[i].value.map(|v| v.value),
        head_stddev_percent: parts.cells[i].stddev,
        base_label: labels.first().cloned(),
        head_label: labels.get(i).cloned(),
    });
    scan.push(&lines[at], Fact::Rows(table, rows.collect()));
}

/// Percent or difference; a change without percent sign that is no difference either has lost something.
fn unit(parts: &Parts, column: usize) -> Option<RowUnit> {
    let Some(change) = &parts.changes[column - 1] else {
        return Some(RowUnit::Percent);
    };
    row::unit(change, parts.metric).or_else(|| {
        if change.value.is_none() {
            return Some(RowUnit::Percent);
        }
        let (base, head) = (parts.cells[0].value?, parts.cells[column].value?);
        fits_difference(base, head, change.value?).then_some(RowUnit::Absolute)
    })
}

fn fits(parts: &Parts, column: usize, unit: RowUnit) -> bool {
    let change = parts.changes[column - 1].and_then(|c| c.value);
    match (parts.cells[0].value, parts.cells[column].value, change) {
        (Some(base), Some(head), Some(change)) => match unit {
            RowUnit::Percent => fits_percent(base, head, change),
            RowUnit::Absolute => fits_difference(base, head, change),
        },
        _ => true,
    }
}

/// Names the lines that nobody could read between the last row and this one.
pub(super) fn between(scan: &mut Scan, lines: &[Line], at: usize) {
    let depth = lines[at].depth;
    let Some(last) = scan.heads.iter().find(|h| h.depth == depth).map(|h| h.last) else {
        return;
    };
    if at <= last + 1 || at - last > 4 {
        return;
    }
    let gap = &lines[last + 1..at];
    let elided = |l: &Line| {
        let text = l.trim();
        text.starts_with("..") || text.contains("snip") || text.starts_with("[..") || text == "…"
    };
    if gap.iter().all(|l| l.depth == depth && !l.is_blank()) && !gap.iter().any(elided) {
        for line in gap {
            scan.defect(line, "not a table row", line.trim());
        }
    }
}
