//! Comparison tables: heads, rows and what lies between them. A row is believed when it is whole; a line that is not is
//! named in the defects.

use super::failrow;
use super::line::Line;
use super::number::{fits_difference, fits_percent};
use super::row::{self, Layout, Outcome, Parts};
use super::scan::{Fact, Scan};
use super::token::{is_mark, tokens};
use crate::report::{Column, Row, RowUnit, Table};

/// A table wider than this is no table.
const WIDEST: usize = 64;
/// Lines that a wrapped row may take.
const TALLEST: usize = 4;

/// The head that the next rows at one depth of quoting stand under.
#[derive(Debug)]
pub(super) struct Head {
    depth: usize,
    columns: usize,
    legacy: bool,
    /// The last column of rules and titles is the test's path, not a kernel.
    path: bool,
    labels: Vec<String>,
    /// Where its rows go, once it has one.
    table: Option<usize>,
    /// The last line that belonged to it.
    last: usize,
}

/// Reads heads and rows; gives the lines taken.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let text = lines[at].trim();
    let first = text.chars().next()?;
    if text.starts_with("------------") {
        return dashes(scan, lines, at);
    }
    if text.contains("%stddev") || text.contains("fail:runs") {
        return section(scan, lines, at);
    }
    match first {
        '\\' | '|' if text.split_whitespace().all(|w| matches!(w, "\\" | "|")) => {
            head_at(scan, lines, at)?.last = at;
            Some(1)
        }
        '0'..='9' | '-' | ':' | '|' | '~' | '.' => rows(scan, lines, at),
        _ if !first.is_ascii() => rows(scan, lines, at),
        _ => None,
    }
}

/// The rule under the column titles: sixteen dashes, then as many again for each further column.
fn dashes(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let count = |text: &str, mut first: bool| {
        let mut groups = 0;
        for word in text.split_whitespace() {
            let wide = if first { 12..=18 } else { 20..=30 };
            if !wide.contains(&word.len()) || !word.bytes().all(|b| b == b'-') {
                return None;
            }
            (first, groups) = (false, groups + 1);
        }
        Some(groups)
    };
    let mut groups = count(lines[at].trim(), true)?;
    let mut taken = 1;
    while let Some(more) = lines
        .get(at + taken)
        .filter(|l| l.depth == lines[at].depth && l.trim().starts_with("----"))
        .and_then(|l| count(l.trim(), false))
    {
        (groups, taken) = (groups + more, taken + 1);
    }
    if !(2..=WIDEST).contains(&groups) {
        return None;
    }
    let mut labels = titles(lines, at, groups);
    let path = labels.last().is_some_and(|l| l.contains("testparams"));
    if path {
        labels.pop();
    }
    let columns = groups - usize::from(path);
    let depth = lines[at].depth;
    let last = at + taken - 1;
    set(scan, Head { depth, columns, legacy: path, path, labels, table: None, last });
    Some(taken)
}

/// The words above the rule, one a column; none when they cannot be told apart.
fn titles(lines: &[Line], rule: usize, groups: usize) -> Vec<String> {
    let mut words: Vec<&str> = Vec::new();
    for line in lines[..rule].iter().rev().take(3) {
        if line.is_blank() || line.depth != lines[rule].depth || words.len() >= groups {
            break;
        }
        let mut more: Vec<&str> = line.trim().split_whitespace().rev().take(groups).collect();
        more.reverse();
        more.extend(words);
        words = more;
    }
    if words.len() < groups || words.iter().any(|w| w.len() > 64) {
        return Vec::new();
    }
    words[words.len() - groups..].iter().map(|w| (*w).to_owned()).collect()
}

/// `%stddev %change %stddev` or `fail:runs %reproduction fail:runs`.
fn section(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let known = |w: &str| {
        matches!(w, "%stddev" | "%change" | "change" | "fail:runs" | "%reproduction" | "|" | "\\")
    };
    let mut taken = 0;
    let (mut columns, mut legacy) = (0, false);
    while let Some(line) = lines.get(at + taken).filter(|l| {
        l.depth == lines[at].depth && !l.is_blank() && l.trim().split_whitespace().all(known)
    }) {
        for word in line.trim().split_whitespace() {
            columns += usize::from(matches!(word, "%stddev" | "fail:runs"));
            legacy |= word == "change";
        }
        taken += 1;
    }
    if !(2..=WIDEST).contains(&columns) {
        return None;
    }
    let last = at + taken - 1;
    match head_at(scan, lines, at) {
        Some(head) if head.columns >= columns || head.table.is_none() => {
            if !head.path && head.columns < columns {
                head.columns = columns;
                head.labels.clear();
            }
            head.legacy |= legacy;
            head.last = last;
        }
        _ => {
            let depth = lines[at].depth;
            let labels = Vec::new();
            set(scan, Head { depth, columns, legacy, path: false, labels, table: None, last });
        }
    }
    Some(taken)
}

fn set(scan: &mut Scan, head: Head) {
    scan.heads.retain(|h| h.depth != head.depth);
    if scan.heads.len() == 32 {
        scan.heads.remove(0);
    }
    scan.heads.push(head);
}

/// The head that line `at` stands directly under: only blank lines lie between.
fn head_at<'s>(scan: &'s mut Scan, lines: &[Line], at: usize) -> Option<&'s mut Head> {
    let depth = lines[at].depth;
    scan.heads.iter_mut().find(|h| {
        h.depth == depth && at - h.last <= 4 && lines[h.last + 1..at].iter().all(Line::is_blank)
    })
}

/// All rows that begin on this line; a row may be wrapped, and a filled line holds many.
fn rows(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let depth = lines[at].depth;
    let under = head_at(scan, lines, at).is_some();
    let layout = scan
        .heads
        .iter()
        .find(|h| h.depth == depth)
        .map(|h| Layout { columns: Some(h.columns), legacy: h.legacy });
    let mut words = tokens(lines[at].trim());
    let mut from = words.iter().take_while(|w| **w == "|").count();
    let mut line_start = 0;
    let mut end = at + 1;
    let (mut found, mut skipped) = (0, None);
    // A line that cannot begin a row costs no more than this look.
    if !words.get(from).is_some_and(|w| begins_row(w)) {
        return None;
    }
    let rolled = words.len() > 40;
    while from < words.len() {
        let read = one(&words[from..], layout, under);
        match read {
            Read::Row(parts, columns) => {
                let name_at = from + parts.used - 1;
                let wrapped = name_at >= line_start && end > at + 1;
                let rest = words.get(from + parts.used);
                let clean_end = rest.is_none_or(|w| begins_row(w));
                if (wrapped && (!is_metric(parts.metric) || !clean_end))
                    || (!under && !rolled && !is_metric(parts.metric))
                {
                    break;
                }
                if let Some(skipped) = skipped.take().filter(|_| found > 0) {
                    let text = words[skipped..from].join(" ");
                    scan.defect(&lines[at], "not a table row", &text);
                }
                from += parts.used;
                accept(scan, lines, at, &parts, columns);
                found += 1;
            }
            Read::Failed(row) => {
                if !under && !is_metric(row.metric) {
                    break;
                }
                from += row.used;
                let table = table(scan, lines, at, row.counts.len());
                let labels = labels(scan, table, row.counts.len());
                scan.push(&lines[at], Fact::Failures(table, failrow::failures(&row, &labels)));
                found += 1;
            }
            Read::Begun if end - at < TALLEST && goes_on(lines, at, end) => {
                line_start = words.len();
                words.extend(tokens(lines[end].trim()));
                end += 1;
                continue;
            }
            Read::Begun => {
                if under && words.len() - from > 2 && !rolled {
                    scan.defect(&lines[at], "a table row is cut", &words[from..].join(" "));
                }
                break;
            }
            Read::No if rolled => {
                skipped.get_or_insert(from);
                from += 1;
            }
            Read::No => break,
        }
        if found > 0 && !rolled && words.get(from).is_some_and(|w| !begins_row(w)) {
            break;
        }
    }
    if found == 0 {
        return None;
    }
    let taken = if from > line_start { end - at } else { (end - at - 1).max(1) };
    between(scan, lines, at);
    if let Some(head) = scan.heads.iter_mut().find(|h| h.depth == depth) {
        head.last = at + taken - 1;
    }
    Some(taken)
}

enum Read<'t> {
    Row(Parts<'t>, usize),
    Failed(failrow::Counts<'t>),
    Begun,
    No,
}

/// One row under the head, or else one that stands alone.
fn one<'t>(words: &[&'t str], layout: Option<Layout>, under: bool) -> Read<'t> {
    if failrow::begins(words) {
        let columns = layout.filter(|_| under).and_then(|l| l.columns);
        return match failrow::read(words, columns) {
            Ok(row) => Read::Failed(row),
            Err(Outcome::Begun) => Read::Begun,
            Err(_) => Read::No,
        };
    }
    let alone = Layout { columns: None, legacy: false };
    let mut outcome = row::read(words, layout.unwrap_or(alone));
    if !under && layout.is_some() && outcome == Outcome::No {
        outcome = row::read(words, alone);
    }
    match outcome {
        Outcome::Row(parts) => {
            let columns = parts.cells.len();
            Read::Row(parts, columns)
        }
        Outcome::Begun => Read::Begun,
        Outcome::No => Read::No,
    }
}

fn begins_row(word: &str) -> bool {
    failrow::begins(&[word])
        || super::number::printed(word).is_some()
        || is_mark(word)
        || word == "-"
}

/// A wrapped row goes on in the next line, which may have lost its quote mark.
fn goes_on(lines: &[Line], at: usize, end: usize) -> bool {
    lines.get(end).is_some_and(|l| !l.is_blank() && l.depth <= lines[at].depth)
}

/// A name that only a metric has: some part is joined by a dot, a slash or an underscore.
fn is_metric(name: &str) -> bool {
    let inner = name.trim_matches(|c: char| !c.is_alphanumeric());
    row::is_name(name)
        && name.len() > 3
        && !name.ends_with(['.', ',', ';', '?', '!'])
        && (inner.contains(['.', '/', '_']) || name.contains(':'))
        && !name.contains("://")
        && !name.contains('@')
}

/// The table that a row of that many columns at line `at` belongs to: the open one at its depth, or a new one.
fn table(scan: &mut Scan, lines: &[Line], at: usize, columns: usize) -> usize {
    let depth = lines[at].depth;
    if !scan.heads.iter().any(|h| h.depth == depth && h.columns == columns) {
        let (legacy, path, labels, table) = (false, false, Vec::new(), None);
        set(scan, Head { depth, columns, legacy, path, labels, table, last: at });
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

/// Turns a row into one row a column, each against the first.
fn accept(scan: &mut Scan, lines: &[Line], at: usize, parts: &Parts, columns: usize) {
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
fn between(scan: &mut Scan, lines: &[Line], at: usize) {
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
