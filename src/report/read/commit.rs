//! The lines that name the commit, its tree, and the posting it came from.

use std::sync::LazyLock;

use regex::Regex;

use super::line::Line;
use super::scan::{Fact, Scan};
use super::{paragraph, pattern, wrapped};
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
            let whole = wrapped(lines, at, 3);
            let c = COMMIT.captures(&whole)?;
            let subject = c.get(2).map(|s| s.as_str().to_owned());
            let end = c[0].trim_end().len();
            let behind = rest_of_line(lines, at, &whole, end).trim();
            // Anything but a tree behind it makes it a sentence about the commit.
            let bare = subject.is_none() && text.split_whitespace().nth(2).is_some();
            let tree = tree(behind);
            if bare || !behind.is_empty() && tree.is_none() {
                return None;
            }
            scan.push(line, Fact::Commit { id: c[1].to_owned(), subject });
            // On a filled line the tree stands right behind the commit.
            if let Some((url, branch)) = tree {
                scan.push(line, Fact::Tree { url, branch });
            }
            Some(1)
        }
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
        _ if first.len() == 40 => {
            let whole = wrapped(lines, at, 2);
            let c = BARE.captures(&whole)?;
            let subject = Some(c[2].to_owned());
            scan.push(line, Fact::Commit { id: c[1].to_owned(), subject });
            Some(1)
        }
        _ => None,
    }
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
    whole.get(end..boundary.min(whole.len())).unwrap_or_default()
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
