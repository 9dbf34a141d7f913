//! What stands above a comparison table: the axes of the test, the machine, the compared commits.

use std::collections::BTreeMap;
use std::mem;
use std::sync::LazyLock;

use regex::Regex;

use super::line::Line;
use super::pattern;
use super::scan::Scan;
use crate::report::Column;

/// `id ("subject")`.
static COMMIT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"([0-9A-Za-z][\w.+\-/]{2,63})\s+\(["“](.*?)["”]\)"#));

/// Gathered until a table takes it.
#[derive(Debug, Default)]
pub(super) struct Context {
    axes: BTreeMap<String, String>,
    machine: Option<String>,
    commits: Vec<Column>,
}

impl Context {
    /// Hands over what was gathered for the next table.
    pub(super) fn take(&mut self) -> (BTreeMap<String, String>, Option<String>, Vec<Column>) {
        (mem::take(&mut self.axes), self.machine.take(), mem::take(&mut self.commits))
    }
}

/// Reads the lines above a table; gives the lines taken.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let text = lines[at].trim();
    if is_rule(text, '=') {
        return Some(1 + axes(scan, &lines[at + 1..]));
    }
    if is_rule(text, '*') {
        scan.context.machine = lines.get(at + 1).and_then(|l| machine(l.trim()));
        return Some(1 + usize::from(scan.context.machine.is_some()));
    }
    if text == "commit:" {
        let taken = commits(scan, lines, at + 1);
        if let [Column { label, .. }] = scan.context.commits.as_slice()
            && label.len() == 40
        {
            // A wrapped `commit: ID ("subject")`, not a comparison.
            scan.context.commits.clear();
            return None;
        }
        return Some(1 + taken);
    }
    if text.starts_with("commit: ") && COMMIT.find_iter(text).take(2).count() == 2 {
        scan.context.commits = COMMIT
            .captures_iter(text)
            .map(|c| Column { label: c[1].to_owned(), subject: Some(c[2].to_owned()) })
            .collect();
        return Some(1);
    }
    None
}

/// A rule of at least twenty of that character.
pub(super) fn is_rule(text: &str, mark: char) -> bool {
    text.len() >= 20 && text.chars().all(|c| c == mark)
}

/// `a/b/c:` and, behind it or on the next lines, as many values. Ours break a long one after a slash.
fn axes(scan: &mut Scan, lines: &[Line]) -> usize {
    let mut words = lines
        .iter()
        .take(12)
        .take_while(|l| !l.is_blank() && l.depth == lines[0].depth)
        .enumerate()
        .flat_map(|(at, l)| l.trim().split_whitespace().map(move |w| (at, w)));
    let mut whole = |ends: &dyn Fn(&str) -> bool| {
        let mut text = String::new();
        for (at, word) in words.by_ref().take(12) {
            text.push_str(word);
            if ends(word) {
                return Some((at, text));
            }
        }
        None
    };
    let Some((_, names)) = whole(&|w| w.ends_with(':')) else { return 0 };
    let names = names.trim_end_matches(':');
    let Some((last, values)) = whole(&|w| !w.ends_with('/')) else { return 0 };
    if !names.contains('/') {
        return 0;
    }
    // A value with a slash of its own cannot be told apart: then no axis is certain.
    if names.split('/').count() == values.split('/').count() {
        let values = values.split('/').map(str::to_owned);
        scan.context.axes = names.split('/').map(str::to_owned).zip(values).collect();
    }
    last + 1
}

/// `lkp-box1: 36 threads 1 sockets ... with 32G memory`.
fn machine(text: &str) -> Option<String> {
    let (name, description) = text.split_once(": ")?;
    let plausible = !name.contains(' ') && description.contains("thread")
        || description.contains("memory")
        || description.starts_with("qemu");
    plausible.then(|| text.to_owned())
}

fn commits(scan: &mut Scan, lines: &[Line], start: usize) -> usize {
    let mut found = Vec::new();
    let mut at = start;
    while let Some(line) = lines.get(at) {
        let text = line.trim();
        if found.len() == 64 || line.depth != lines[start - 1].depth {
            break;
        }
        if text.is_empty() {
            // Archives that double line ends leave a blank line between two of them.
            if lines.get(at + 1).is_none_or(|l| named(l.trim()).is_none()) {
                break;
            }
            at += 1;
            continue;
        }
        // A long subject may go on in the next line.
        let next = lines.get(at + 1).filter(|n| n.depth == line.depth).map_or("", |n| n.trim());
        let wrapped = text.contains("(\"") && !text.contains("\")") && next.ends_with("\")");
        let whole = if wrapped { format!("{text} {next}") } else { text.to_owned() };
        let id = text.split_whitespace().next().unwrap_or_default();
        match named(&whole) {
            Some(commit) => found.push(commit),
            None if is_id(id) => found.push(Column { label: id.to_owned(), subject: None }),
            None => break,
        }
        at += 1 + usize::from(wrapped);
    }
    scan.context.commits = found;
    at - start
}

/// `id ("subject")` on a line of its own; the subject may hold quotes and brackets itself.
fn named(text: &str) -> Option<Column> {
    let (id, rest) = text.split_once(" (")?;
    let subject = rest.trim_end().strip_suffix(')')?;
    let subject = subject.strip_prefix(['"', '“'])?.strip_suffix(['"', '”'])?;
    let plausible = id.len() <= 64 && !id.trim().is_empty() && !id.trim().contains([' ', ':']);
    plausible.then(|| Column { label: id.trim().to_owned(), subject: Some(subject.to_owned()) })
}

fn is_id(word: &str) -> bool {
    let hex = word.len() >= 7 && word.bytes().all(|b| b.is_ascii_hexdigit());
    let tag = word.starts_with('v') && word[1..].starts_with(|c: char| c.is_ascii_digit());
    word.len() <= 64 && (hex || tag)
}
