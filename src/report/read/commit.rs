//! The lines that name the commit, its tree, and the posting it came from.

use std::sync::LazyLock;

use regex::Regex;

use super::line::Line;
use super::scan::{Fact, Scan};
use super::{paragraph, pattern};
use crate::report::{Patch, Sighting};

/// `commit: ID ("subject")`, without colon until 2016; the subject may be wrapped, and may hold brackets and quotes.
static COMMIT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"^[Cc]ommit:? ?([0-9a-f]{7,40})\b(?:\s+\(["“](.*?)["”]\)(?:\s|$))?"#)
});
/// A commit at the end of a 2014 opening: `ID ("subject")` on a line of its own.
static BARE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"^([0-9a-f]{40})\s+\(["“](.*?)["”]\)(?:\s|$)"#));
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
        "commit" | "Commit" => {
            let whole = paragraph(lines, at, 3);
            let c = COMMIT.captures(&whole)?;
            let subject = c.get(2).map(|s| s.as_str().to_owned());
            // Anything else behind the id is a sentence about it.
            if subject.is_none() && text.split_whitespace().nth(2).is_some() {
                return None;
            }
            scan.push(line, Fact::Commit { id: c[1].to_owned(), subject });
            tree_behind(scan, line, text.get(c.get(0)?.end()..).unwrap_or_default());
            Some(1)
        }
        "http" | "https" | "git" | "ssh" => {
            let c = TREE.captures(text)?;
            let branch = c.get(2).map(|b| b.as_str().to_owned());
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
        _ if first.len() == 40 => {
            let whole = paragraph(lines, at, 2);
            let c = BARE.captures(&whole)?;
            let subject = Some(c[2].to_owned());
            scan.push(line, Fact::Commit { id: c[1].to_owned(), subject });
            Some(1)
        }
        _ => None,
    }
}

/// On a filled line the tree stands right behind the commit.
fn tree_behind(scan: &mut Scan, line: &Line, rest: &str) {
    if let Some((url, branch)) = tree(rest.trim()) {
        scan.push(line, Fact::Tree { url, branch });
    }
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
