//! Heads of comparison tables: the rule under the column titles, and the lines that name the cells.

use super::line::Line;
use super::scan::Scan;

/// Lines that a wrapped line of a head may take.
const TALLEST: usize = 4;
/// A table wider than this is no table.
const WIDEST: usize = 64;

/// The head that the next rows at one depth of quoting stand under.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) depth: usize,
    pub(super) columns: usize,
    pub(super) legacy: bool,
    /// The last column of rules and titles is the test's path, not a kernel.
    path: bool,
    pub(super) labels: Vec<String>,
    /// Where its rows go, once it has one.
    pub(super) table: Option<usize>,
    /// The last line that belonged to it.
    pub(super) last: usize,
}

impl Head {
    /// The head of rows that stand alone: all that is known is how many columns they have.
    pub(super) fn none(depth: usize, columns: usize, last: usize) -> Self {
        Self { depth, columns, legacy: false, path: false, labels: Vec::new(), table: None, last }
    }
}

/// Reads a line of a head; gives the lines taken.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let text = lines[at].trim();
    if text.starts_with("------------") {
        return dashes(scan, lines, at);
    }
    if text.contains("%stddev") || text.contains("fail:runs") {
        return section(scan, lines, at);
    }
    if text.starts_with(['\\', '|']) && text.split_whitespace().all(|w| matches!(w, "\\" | "|")) {
        above(scan, lines, at)?.last = at;
        return Some(1);
    }
    None
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
    // Archives that double line ends put a blank line between.
    let blank = usize::from(lines[..rule].last().is_some_and(Line::is_blank));
    for line in lines[..rule].iter().rev().skip(blank).take(3) {
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
        taken < TALLEST
            && l.depth == lines[at].depth
            && !l.is_blank()
            && l.trim().split_whitespace().all(known)
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
    match above(scan, lines, at) {
        Some(head) if head.columns >= columns || head.table.is_none() => {
            if !head.path && head.columns < columns {
                head.columns = columns;
                head.labels.clear();
            }
            head.legacy |= legacy;
            head.last = last;
        }
        _ => {
            let head = Head::none(lines[at].depth, columns, last);
            set(scan, Head { legacy, ..head });
        }
    }
    Some(taken)
}

pub(super) fn set(scan: &mut Scan, head: Head) {
    scan.heads.retain(|h| h.depth != head.depth);
    if scan.heads.len() == 32 {
        scan.heads.remove(0);
    }
    scan.heads.push(head);
}

/// The head that line `at` stands directly under: only blank lines lie between.
pub(super) fn above<'s>(scan: &'s mut Scan, lines: &[Line], at: usize) -> Option<&'s mut Head> {
    let depth = lines[at].depth;
    scan.heads.iter_mut().find(|h| {
        h.depth == depth && at - h.last <= 4 && lines[h.last + 1..at].iter().all(Line::is_blank)
    })
}
