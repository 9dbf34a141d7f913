//! Lines that only our own reports have (`templates/part-summary.txt`, `templates/part-measured.txt`).

use std::sync::LazyLock;

use regex::Regex;

use super::line::Line;
use super::pattern;
use super::scan::{Fact, Scan};
use crate::report::{Patch, Sighting};

static STILL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^on head: (\S+) at (\S+) still shows it$"));

/// Reads one such line.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let line = &lines[at];
    let text = line.trim();
    if text.starts_with("on head: ") {
        scan.push(line, Fact::Own);
        if let Some(c) = STILL.captures(text) {
            let sighting = Sighting { branch: c[1].to_owned(), commit: c[2].to_owned() };
            scan.push(line, Fact::Still(sighting));
        }
        return Some(1);
    }
    if let Some(id) = text.strip_prefix("posted as: <").and_then(|t| t.strip_suffix('>')) {
        let link = Some(format!("<{id}>"));
        scan.push(line, Fact::Patch(Patch { link, ..Patch::default() }));
        return Some(1);
    }
    let tracked = text.starts_with("tracked as: ") || text.starts_with("Tracked as: ");
    if tracked && text.contains(" (state: ") {
        scan.push(line, Fact::Own);
        return Some(1);
    }
    None
}
