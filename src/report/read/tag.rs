//! The trailers that a report asks for.

use std::sync::LazyLock;

use regex::Regex;

use super::line::Line;
use super::pattern;
use super::scan::{Fact, Scan};

static TAG: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(\| *)?(Reported-by|Closes|Link): *(\S.*)?$"));

/// "kindly add following tag", "please carry these trailers:".
static ASKED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:add|carry|use)\b.{0,40}\b(?:tags?|trailers?):?$"));

/// Reads the block under such a sentence, or a tag behind a pipe where that sentence is lost.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let text = lines[at].trim();
    if ASKED.is_match(text) {
        let mut end = at + 1;
        let mut seen = false;
        while let Some(line) = lines.get(end).filter(|_| end < at + 10) {
            match TAG.captures(line.trim()) {
                Some(c) => {
                    end += tag(scan, lines, end, &c);
                    seen = true;
                    continue;
                }
                // The block may stand below a blank line, and ends at one.
                None if line.is_blank() && !seen => {}
                None => break,
            }
            end += 1;
        }
        return Some(if seen { end - at } else { 1 });
    }
    let c = TAG.captures(text).filter(|c| c.get(1).is_some())?;
    Some(tag(scan, lines, at, &c))
}

/// Takes one tag; a mail program may have wrapped its value.
fn tag(scan: &mut Scan, lines: &[Line], at: usize, captures: &regex::Captures) -> usize {
    let (value, taken) = match captures.get(3) {
        Some(value) => (value.as_str(), 1),
        None => match lines.get(at + 1).map(Line::trim) {
            Some(next) if next.contains("://") || next.contains('@') => (next, 2),
            _ => return 1,
        },
    };
    let value = value.trim().to_owned();
    scan.push(
        &lines[at],
        match &captures[2] {
            "Reported-by" => Fact::ReportedBy(value),
            _ => Fact::Closes(value),
        },
    );
    taken
}
