//! Columns: values 10 wide, changes 10, spreads 6; the name stands at column 46 (28 further for each commit more).

use crate::report::number::{self, shorten};
use crate::report::title::short;

use super::{Column, Delta, FailureRow, MetricRow, Slot, Table};

const RULE: usize = 89;
const NAME: usize = 2;

pub(super) fn lines(table: &Table, width: usize) -> Vec<String> {
    let mut out = vec!["=".repeat(RULE)];
    let names: Vec<&str> = table.axes.keys().map(String::as_str).collect();
    let values: Vec<&str> = table.axes.values().map(String::as_str).collect();
    out.extend(path(&names, "", ":", width));
    out.extend(path(&values, "  ", "", width));
    out.push(String::new());
    out.push("commit:".to_owned());
    out.extend(table.columns.iter().map(|c| named(c, width)));
    out.push(String::new());
    out.push(heads(&table.columns));
    out.push(format!("{}{}", "-".repeat(16), format!(" {}", "-".repeat(27)).repeat(more(table))));
    if !table.failures.is_empty() {
        out.push(format!("       fail:runs{}", "  %reproduction    fail:runs".repeat(more(table))));
        out.push(format!("           |    {}", "         |             |    ".repeat(more(table))));
        out.extend(table.failures.iter().flat_map(|row| placed(failure(row), &row.name, width)));
    }
    if !table.rows.is_empty() {
        out.push(format!("         %stddev{}", "     %change         %stddev".repeat(more(table))));
        out.push(format!(
            "             \\  {}",
            "        |                \\  ".repeat(more(table))
        ));
        out.extend(table.rows.iter().flat_map(|row| placed(metric(row), &row.metric, width)));
    }
    out.iter().map(|line| line.trim_end().to_owned()).collect()
}

fn more(table: &Table) -> usize {
    table.columns.len().saturating_sub(1)
}

/// `a/b/c`, broken after a slash where it is too long.
fn path(parts: &[&str], indent: &str, end: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = indent.to_owned();
    for (i, part) in parts.iter().enumerate() {
        let last = i + 1 == parts.len();
        let piece =
            format!("{}{}", shorten(part, width - indent.len() - 1), if last { end } else { "/" });
        if line.chars().count() + piece.chars().count() > width && line.len() > indent.len() {
            lines.push(std::mem::replace(&mut line, indent.to_owned()));
        }
        line += &piece;
    }
    lines.push(line);
    lines
}

fn named(column: &Column, width: usize) -> String {
    let id = shorten(short(&column.commit, 10), 40);
    let line = match &column.subject {
        Some(subject) => format!(
            "  {id} (\"{}\")",
            shorten(subject, width.saturating_sub(id.chars().count() + 7))
        ),
        None => format!("  {id}"),
    };
    shorten(&line, width)
}

fn heads(columns: &[Column]) -> String {
    let cut = |c: &Column, width: usize| -> String { c.commit.chars().take(width).collect() };
    let mut line = columns.first().map_or_else(String::new, |c| format!("{:>16}", cut(c, 16)));
    for column in columns.iter().skip(1) {
        line += &format!(" {:>27}", cut(column, 27));
    }
    line
}

fn metric(row: &MetricRow) -> String {
    let slot = |i: usize| row.slots.get(i).copied().unwrap_or(Slot::Unknown);
    let mut line = cell(slot(0));
    for column in 1..row.slots.len() {
        line += &delta(row.delta(column), row.slots.len() > 2);
        line += &cell(slot(column));
    }
    line
}

fn cell(slot: Slot) -> String {
    let Slot::Runs(cell) = slot else { return format!("{:>10}      ", "-") };
    // As LKP: a spread up to 2 % is not worth ink, and its percent is cut, not rounded.
    let spread = match cell.spread_percent {
        Some(s) if s > 2.0 => format!("+-{:>2.0}%", s.floor().min(999.0)),
        _ => String::new(),
    };
    format!("{:>10}{spread:>6}", number::value(cell.mean))
}

/// `beside`: other columns tell why the row is there, so a change that prints as zero is one.
fn delta(delta: Delta, beside: bool) -> String {
    let number = |v: f64| {
        if v == 0.0 || (beside && number::prints_as_zero(v)) {
            "+0.0".to_owned()
        } else {
            number::signed(v)
        }
    };
    let (text, unit) = match delta {
        Delta::Percent(v) => (number(v), "% "),
        Delta::Absolute(v) => (number(v), "  "),
        Delta::NotApplicable => ("n/a".to_owned(), "  "),
        Delta::New => ("new".to_owned(), "  "),
        Delta::Gone => ("gone".to_owned(), "  "),
        Delta::Missing => ("-".to_owned(), "  "),
    };
    format!("{text:>10}{unit}")
}

fn failure(row: &FailureRow) -> String {
    let cell = |c: Option<(u32, u32)>| match c {
        Some((0, runs)) => format!("{:>11}:{runs:<4}", ""),
        Some((fails, runs)) => format!("{fails:>11}:{runs:<4}"),
        None => format!("{:>11}     ", "-"),
    };
    let mut line = cell(row.cells.first().copied().flatten());
    for column in 1..row.cells.len() {
        line += &match row.delta(column) {
            Some(points) => format!("{points:>10.0}% "),
            None => format!("{:>10}  ", "n/a"),
        };
        line += &cell(row.cells.get(column).copied().flatten());
    }
    line
}

/// Numbers and name on one line, or the name alone on the next one, flush right, where it does not fit.
fn placed(numbers: String, name: &str, width: usize) -> Vec<String> {
    // A row is read from the right, and there the name is one word.
    let name: String = name.split_whitespace().collect::<Vec<_>>().join("_");
    let name = shorten(&name, width - 4);
    if numbers.chars().count() + NAME + name.chars().count() <= width {
        return vec![format!("{numbers}{:NAME$}{name}", "")];
    }
    vec![numbers, format!("{name:>width$}")]
}
