//! The lines that name the commit, its tree, and the posting it came from.

use std::sync::LazyLock;

use regex::Regex;

use super::line::Line;
use super::scan::{Fact, Scan};
use super::{paragraph, pattern, wrapped};
use crate::report::{Patch, Sighting};

/// `commit: ID`, without colon until 2016, or the bare id that a 2014 opening ends with.
static COMMIT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:[Cc]ommit:? ?([0-9a-f]{7,40})\b|([0-9a-f]{40})\b)"));
static TREE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^((?:https?|git|ssh)://\S+)(?:\s+(\S+))?$"));
static STILL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\[?(?:test failed|still regreasion|still regression|still failing) on\s+(\S+)\s+([0-9a-f]{7,40})\]?$",
    )
});

/// Reads one such line.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let line = &lines[at];
    let text = line.trim();
    let first = text.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
    match first {
        "commit" | "Commit" => commit(scan, lines, at),
        "http" | "https" | "git" | "ssh" => {
            let c = TREE.captures(text)?;
            // Ours puts a branch that does not fit on the next line, indented.
            let next = lines.get(at + 1).filter(|l| l.text.starts_with("        "));
            let wrapped = next.map(Line::trim).filter(|n| !n.contains([' ', ':']));
            let branch = c.get(2).map(|b| b.as_str()).or(wrapped).map(str::to_owned);
            scan.push(line, Fact::Tree { url: c[1].to_owned(), branch });
            Some(1)
        }
        "url" | "base" | "patch" => {
            let patch = posting(lines, at)?;
            if let Some((url, branch)) = patch.base.as_deref().and_then(tree) {
                scan.push(line, Fact::Tree { url, branch });
            }
            scan.push(line, Fact::Patch(patch));
            Some(1)
        }
        "" | "test" | "still" => {
            let c = STILL.captures(text)?;
            let sighting = Sighting { branch: c[1].to_owned(), commit: c[2].to_owned() };
            scan.push(line, Fact::Still(sighting));
            Some(1)
        }
        _ if first.len() == 40 => commit(scan, lines, at),
        _ => None,
    }
}

/// `commit: ID ("subject")` on a line of its own, before its tree, or wrapped.
fn commit(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let whole = wrapped(lines, at, 3);
    let c = COMMIT.captures(&whole)?;
    let id = c.get(1).or(c.get(2))?;
    let (subject, end) = match subject(lines, at, &whole, id.end()) {
        Some((subject, end)) => (Some(subject.to_owned()), end),
        None => (None, id.end()),
    };
    let behind = rest_of_line(lines, at, &whole, end);
    let tree = tree(behind);
    // Anything else behind it makes it a sentence about the commit.
    if !behind.is_empty() && tree.is_none() {
        return None;
    }
    scan.push(&lines[at], Fact::Commit { id: id.as_str().to_owned(), subject });
    // On a filled line the tree stands right behind the commit.
    if let Some((url, branch)) = tree {
        scan.push(&lines[at], Fact::Tree { url, branch });
    }
    Some(1)
}

/// The quoted subject behind the id and where it ends. It may hold quotes and brackets itself: it ends where nothing but
/// a tree follows.
fn subject<'t>(
    lines: &[Line],
    at: usize,
    whole: &'t str,
    id_end: usize,
) -> Option<(&'t str, usize)> {
    let behind = whole[id_end..].trim_start();
    let text = behind.strip_prefix("(\"").or_else(|| behind.strip_prefix("(“"))?;
    let start = whole.len() - text.len();
    let ends = text.match_indices(')').filter(|(end, _)| text[..*end].ends_with(['"', '”']));
    ends.map(|(end, _)| (text[..end].trim_end_matches(['"', '”']), start + end + 1)).take(16).find(
        |(_, end)| {
            let rest = rest_of_line(lines, at, whole, *end);
            rest.is_empty() || tree(rest).is_some()
        },
    )
}

/// What stands behind `end` on the line that it lies in, of lines that were joined by single blanks.
fn rest_of_line<'t>(lines: &[Line], at: usize, whole: &'t str, end: usize) -> &'t str {
    let mut boundary = lines[at].trim().len();
    for line in lines[at + 1..].iter().take(2) {
        if end <= boundary {
            break;
        }
        boundary += 1 + line.trim().len();
    }
    whole.get(end..boundary.min(whole.len())).unwrap_or_default().trim()
}

fn tree(text: &str) -> Option<(String, Option<String>)> {
    let c = TREE.captures(text)?;
    Some((c[1].to_owned(), c.get(2).map(|b| b.as_str().to_owned())))
}

fn posting(lines: &[Line], at: usize) -> Option<Patch> {
    let (key, value) = lines[at].trim().split_once(':')?;
    let value = value.trim();
    if value.is_empty() {
        return None;
    }
    let value = Some(value.to_owned());
    Some(match key {
        "url" if value.as_deref()?.contains("://") => Patch { url: value, ..Patch::default() },
        "base" => Patch { base: value, ..Patch::default() },
        "patch link" => Patch { link: value, ..Patch::default() },
        "patch subject" => {
            let subject = paragraph(lines, at, 2);
            let whole = subject.split_once(':')?.1.trim().to_owned();
            let wrapped = lines.get(at + 1).is_some_and(|l| l.trim().contains(": "));
            Patch { subject: if wrapped { value } else { Some(whole) }, ..Patch::default() }
        }
        _ => return None,
    })
}
