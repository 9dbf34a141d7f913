//! Rows of comparison tables. A row is believed when it is whole; a line that is not is named in the defects.

use super::failrow;
use super::head;
use super::line::Line;
use super::number::printed;
use super::record;
use super::row::{self, Layout, Outcome, Parts};
use super::scan::Scan;
use super::token::{is_mark, tokens};

/// Lines that a wrapped row may take.
const TALLEST: usize = 4;
/// More words than this on a line are more than one row.
const ROLLED: usize = 40;

/// Reads heads and rows; gives the lines taken.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    if let Some(taken) = head::read(scan, lines, at) {
        return Some(taken);
    }
    match lines[at].trim().chars().next()? {
        '0'..='9' | '-' | ':' | '|' | '~' | '.' | '?' => rows(scan, lines, at),
        first if !first.is_ascii() => rows(scan, lines, at),
        _ => None,
    }
}

/// All rows that begin on this line; a row may be wrapped, and a filled line holds many.
fn rows(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let mut walk = Walk::new(scan, lines, at)?;
    while walk.from < walk.words.len() && walk.step(scan) {}
    if walk.found == 0 {
        return None;
    }
    // What was taken in to end a row, and did not, is looked at again.
    let taken = walk.closed.max(at + 1) - at;
    record::between(scan, lines, at);
    let depth = lines[at].depth;
    if let Some(head) = scan.heads.iter_mut().find(|h| h.depth == depth) {
        head.last = at + taken - 1;
    }
    Some(taken)
}

/// The words of a line, and of those that a row goes on in.
struct Walk<'l> {
    lines: &'l [Line<'l>],
    at: usize,
    words: Vec<&'l str>,
    /// Where the next row begins.
    from: usize,
    /// Where the last line that was taken in begins, and the line after it.
    last_line: usize,
    end: usize,
    /// Directly under a head or its rows.
    under: bool,
    layout: Option<Layout>,
    /// A whole table on one line.
    rolled: bool,
    found: usize,
    /// The line after the last whole row.
    closed: usize,
    skipped: Option<usize>,
}

enum Read<'t> {
    Row(Parts<'t>),
    Failures(failrow::Counts<'t>),
    Begun,
    No,
}

impl<'l> Walk<'l> {
    /// `None` for a line that cannot begin a row.
    fn new(scan: &mut Scan, lines: &'l [Line<'l>], at: usize) -> Option<Self> {
        let words = tokens(lines[at].trim());
        let from = words.iter().take_while(|w| **w == "|").count();
        if !words.get(from).is_some_and(|w| begins_row(w)) {
            return None;
        }
        let depth = lines[at].depth;
        let under = head::above(scan, lines, at).is_some();
        let layout = scan
            .heads
            .iter()
            .find(|h| h.depth == depth)
            .map(|h| Layout { columns: Some(h.columns), legacy: h.legacy });
        let (rolled, end) = (words.len() > ROLLED, at + 1);
        Some(Self {
            lines,
            at,
            words,
            from,
            last_line: 0,
            end,
            under,
            layout,
            rolled,
            found: 0,
            closed: end,
            skipped: None,
        })
    }

    /// Reads at the next word; false when the line holds no further row.
    fn step(&mut self, scan: &mut Scan) -> bool {
        match self.read() {
            Read::Row(parts) if self.believes(parts.metric, parts.used) => {
                if let Some(skipped) = self.skipped.take().filter(|_| self.found > 0) {
                    let text = self.words[skipped..self.from].join(" ");
                    scan.defect(&self.lines[self.at], "not a table row", &text);
                }
                record::row(scan, self.lines, self.at, &parts);
                self.advance(parts.used)
            }
            Read::Failures(counts) if self.believes(counts.metric, counts.used) => {
                record::failures(scan, self.lines, self.at, &counts);
                self.advance(counts.used)
            }
            Read::Begun => self.take_in() || self.cut(scan),
            Read::No if self.rolled => {
                self.skipped.get_or_insert(self.from);
                self.from += 1;
                true
            }
            _ => false,
        }
    }

    fn read(&self) -> Read<'l> {
        let words = &self.words[self.from..];
        if failrow::begins(words) {
            let columns = self.layout.filter(|_| self.under).and_then(|l| l.columns);
            return match failrow::read(words, columns) {
                Ok(counts) => Read::Failures(counts),
                Err(Outcome::Begun) => Read::Begun,
                Err(_) => Read::No,
            };
        }
        let alone = Layout { columns: None, legacy: false };
        let mut outcome = row::read(words, self.layout.unwrap_or(alone));
        if !self.under && self.layout.is_some() && outcome == Outcome::No {
            outcome = row::read(words, alone);
        }
        match outcome {
            Outcome::Row(parts) => Read::Row(parts),
            Outcome::Begun => Read::Begun,
            Outcome::No => Read::No,
        }
    }

    /// Whether the last of `used` words is the row's name: away from a head, on a line of its own, and at the very end of a
    /// text that may be cut, only a word that nothing but a metric looks like.
    fn believes(&self, name: &str, used: usize) -> bool {
        let behind = self.words.get(self.from + used);
        let wrapped = self.end > self.at + 1 && self.from + used > self.last_line;
        let last = self.end >= self.lines.len() && behind.is_none();
        let whole = is_metric(name) || wrapped && behind.is_none() && name.len() >= 24;
        if wrapped {
            return whole && behind.is_none_or(|w| begins_row(w));
        }
        whole || self.under && !last && !self.rolled
    }

    fn advance(&mut self, used: usize) -> bool {
        self.from += used;
        self.found += 1;
        // A row that a taken-in line only began with ends above it.
        self.closed = self.end - usize::from(self.from <= self.last_line);
        self.rolled || self.words.get(self.from).is_some_and(|w| begins_row(w))
    }

    /// A wrapped row goes on in the next line, which may have lost its quote mark.
    fn take_in(&mut self) -> bool {
        let depth = self.lines[self.at].depth;
        let next = self.lines.get(self.end).filter(|l| !l.is_blank() && l.depth <= depth);
        let Some(next) = next.filter(|_| self.end - self.at < TALLEST) else { return false };
        self.last_line = self.words.len();
        self.words.extend(tokens(next.trim()));
        self.end += 1;
        true
    }

    fn cut(&self, scan: &mut Scan) -> bool {
        let rest = &self.words[self.from..];
        if self.under && rest.len() > 2 && !self.rolled {
            scan.defect(&self.lines[self.at], "a table row is cut", &rest.join(" "));
        }
        false
    }
}

fn begins_row(word: &str) -> bool {
    failrow::begins(&[word]) || printed(word).is_some() || is_mark(word) || word == "-"
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
