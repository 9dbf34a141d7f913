//! The `+---+` boxes: further tests that a commit touches, or the failure counts of a functional report.

use super::line::Line;
use super::scan::{Fact, Scan};
use super::{impact, tally};

/// A box longer than this is cut off.
const LONGEST: usize = 4000;

/// Reads a box from its upper border, or from its first row where the border is lost; gives the lines taken.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let text = lines[at].trim();
    let headless = text.starts_with("| testcase: change ");
    if !headless && !is_border(text) {
        return None;
    }
    let start = at + usize::from(!headless);
    let kind = kind(lines, start)?;
    let depth = lines[at].depth;
    let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
    let mut end = start;
    while let Some(line) = lines.get(end).filter(|l| l.depth == depth && end < at + LONGEST) {
        let text = line.trim();
        if text.starts_with('|') {
            let (whole, taken) = unwrapped(lines, end);
            if whole.ends_with('|') {
                rows.push((end, cells(&whole)));
            } else {
                scan.defect(line, "a box row is cut", &whole);
            }
            end += taken;
        } else if is_border(text) || text.is_empty() && more_follows(lines, end) {
            end += 1;
        } else {
            break;
        }
    }
    match kind {
        Kind::Impact => {
            for impact in impact::read(scan, lines, &rows) {
                scan.push(&lines[at], Fact::Impact(impact));
            }
        }
        Kind::Tally => {
            let failures = tally::read(scan, lines, &rows);
            scan.push(&lines[at], Fact::Tally(failures));
        }
    }
    Some(end - at)
}

/// What a box is of.
enum Kind {
    Impact,
    Tally,
}

/// Told by the first row.
fn kind(lines: &[Line], start: usize) -> Option<Kind> {
    let first = lines[start..].iter().take(3).find(|l| l.trim().starts_with('|'))?;
    let cells = cells(first.trim());
    if cells.iter().any(|c| c.starts_with("testcase: change")) {
        Some(Kind::Impact)
    } else {
        tally::is_head(&cells).then_some(Kind::Tally)
    }
}

/// `+-----+----+`.
fn is_border(text: &str) -> bool {
    text.starts_with("+--")
        && text.ends_with('+')
        && text.bytes().all(|b| matches!(b, b'+' | b'-'))
        && text.bytes().filter(|b| *b == b'+').count() >= 3
}

/// Archives that double every line end leave blank lines inside a box.
fn more_follows(lines: &[Line], at: usize) -> bool {
    lines.get(at + 1).is_some_and(|l| {
        l.depth == lines[at].depth && (l.trim().starts_with('|') || is_border(l.trim()))
    })
}

/// A row that a mail program wrapped ends where its last bar stands.
fn unwrapped(lines: &[Line], at: usize) -> (String, usize) {
    let mut whole = lines[at].trim().to_owned();
    let mut taken = 1;
    while !whole.ends_with('|') && taken < 4 {
        let next = lines.get(at + taken).map_or("", Line::trim);
        if next.is_empty() || next.starts_with(['|', '+']) {
            break;
        }
        whole = format!("{whole} {next}");
        taken += 1;
    }
    (whole, taken)
}

fn cells(row: &str) -> Vec<String> {
    let inner = row.strip_prefix('|').unwrap_or(row);
    inner
        .strip_suffix('|')
        .unwrap_or(inner)
        .split('|')
        .map(|c| c.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}
