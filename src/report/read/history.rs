//! Quoting without `>`: a pipe in front of every line, or a header block on top of what follows.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::line::{Line, unquote};
use super::pattern;

/// A line that only stands behind a pipe when the pipe is a quote mark.
static PIPED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\|[ >|]*(?:\+-{3,}|={20}|-{12,}\s|%stddev|FYI, we noticed|(?:\S+ ){3}noticed an? |commit:? [0-9a-f]{10}|In addition to that|in testcase:)",
    )
});

/// Raises the depth of what is quoted without `>`.
pub(super) fn deepen(lines: &mut [Line]) {
    pipes(lines);
    headers(lines);
}

/// A run of lines behind pipes is quoted when one of them could not be part of a box or a plot.
fn pipes(lines: &mut [Line]) {
    let mut at = 0;
    while at < lines.len() {
        let end = at + lines[at..].iter().take_while(|l| l.text.starts_with('|')).count();
        if lines[at..end].iter().any(|l| PIPED.is_match(&l.text)) {
            for line in &mut lines[at..end] {
                let rest = line.text[1..].strip_prefix(' ').unwrap_or(&line.text[1..]);
                let (deeper, rest) = unquote(rest);
                line.depth += 1 + deeper;
                line.text = Cow::Owned(rest.to_owned());
            }
        }
        at = end.max(at + 1);
    }
}

/// `From:`, `Sent:`, `To:`, `Subject:` below some text, as Outlook puts them: what follows is the mail before.
fn headers(lines: &mut [Line]) {
    let mut written = false;
    let mut added = 0;
    for at in 0..lines.len() {
        if lines[at].depth == 0 && written && starts_history(&lines[at..]) {
            added += 1;
        }
        written |= !lines[at].is_blank() && !is_header(lines[at].trim());
        if lines[at].depth == 0 || added > 0 {
            lines[at].depth += added.min(64);
        }
    }
}

fn is_header(text: &str) -> bool {
    text.split_once(": ").is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    })
}

fn starts_history(lines: &[Line]) -> bool {
    let first = lines[0].trim().trim_matches('*');
    if !first.starts_with("From: ") && !first.starts_with("From:* ") {
        return false;
    }
    let block: Vec<&str> = lines.iter().take(8).map(|l| l.trim().trim_start_matches('*')).collect();
    let has = |names: &[&str]| block.iter().any(|l| names.iter().any(|n| l.starts_with(n)));
    has(&["Sent:", "Date:"]) && has(&["To:"]) && has(&["Subject:"])
}
