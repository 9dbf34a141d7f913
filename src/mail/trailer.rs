//! `Name: value` lines at the end of a commit message or of an author's own text.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::{Address, Attachment, BlockKind, Message};

/// One trailer, as written by the author of the mail (never one that is only quoted).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trailer {
    /// Spelled in the usual case: `Tested-by`, `Closes`, `Fixes`.
    pub name: String,
    /// Unfolded, trimmed.
    pub value: String,
}

/// Bytes of an attached patch that are searched: the message stands in front of the diff.
const MESSAGE: usize = 64 << 10;

/// The words right before a tag make a proposal of it ("I'd add", "please carry these:").
static PROPOSAL: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?i)\b(please|pls|kindly|could (you|we)|can (you|we)|would you|you (can|could|may|might|should|want|need)|feel free|i'd|i would|should|shall|needs?|missing|add|adding|carry|credit|include|suggest|suggested|how about|maybe|perhaps|want|deserves?|lacks?|use|bitte|merci|ajoute[rz]?|füge)\b",
    )
});

/// A request for tags that ends in a full stop all the same.
static REQUEST: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?i)\b(add|carry|include|credit|use|put|append)\b.*\b(tags?|trailers?|lines?|following|below|credit)\b|\bfollowing tags?\b",
    )
});

/// Leave to add a tag. Who gives leave for a `Tested-by:` gives it, be it in the name of his lab.
static LEAVE: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"(?i)\b(feel free|free|you can|you may) (to )?(add|use|take|put|carry)\b")
});

/// `Tested-by: Jo Doe <jo@example.org>` inside a sentence.
static INLINE: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"\b((?:Reported-and-)?[Tt]ested-by|Reviewed-by|Acked-by): ([^<>\n]{1,80}<[^<>\s]+@[^<>\s]+>)",
    )
});

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap_or_else(|error| unreachable!("{error}"))
}

/// The trailers of the author's own words and of the patches that he posts, inline or attached, in order.
///
/// Quoted ones are none; neither are those that the author only proposes to others ("I'd add Fixes: ..."), unless he
/// gives his own ("feel free to add my Tested-by: ...").
pub fn trailers(message: &Message) -> Vec<Trailer> {
    let posted = super::origin::is_patch_subject(&message.subject);
    let mut found = Vec::new();
    for block in &message.blocks {
        let lines = message.text(block).lines();
        match block.kind {
            BlockKind::New => {
                let lines: Vec<&str> = lines.collect();
                of_words(&lines, message.from.as_ref(), posted, &mut found);
            }
            BlockKind::Patch => of_message(lines, &mut found),
            _ => {}
        }
    }
    for patch in message.attachments.iter().filter(|a| is_patch(a)) {
        let bytes = &patch.bytes[..patch.bytes.len().min(MESSAGE)];
        of_message(String::from_utf8_lossy(bytes).lines(), &mut found);
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|t| seen.insert(t.clone()));
    found
}

/// Whether an attachment is a patch by its name or type, or by what it begins with.
pub fn is_patch(attachment: &Attachment) -> bool {
    let name = attachment.name.to_ascii_lowercase();
    let kind = attachment.content_type.as_str();
    [".patch", ".diff", ".patch.txt", ".diff.txt"].iter().any(|end| name.ends_with(end))
        || matches!(kind, "text/x-patch" | "text/x-diff" | "application/x-patch")
        || (kind.starts_with("text/") || kind == "application/octet-stream")
            && has_diff(&attachment.bytes)
}

fn has_diff(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(8 << 10)]);
    head.starts_with("diff --git ") || head.contains("\ndiff --git ") || head.starts_with("--- a/")
}

/// Trailers of a commit message: all lines up to the diffstat or the diff.
fn of_message<'a>(lines: impl Iterator<Item = &'a str>, found: &mut Vec<Trailer>) {
    let message: Vec<&str> = lines
        .map(|line| line.trim_end_matches('\r'))
        .map(|line| line.strip_prefix("    ").unwrap_or(line))
        .take_while(|line| {
            *line != "---" && !line.starts_with("diff --git ") && !line.starts_with("--- ")
        })
        .collect();
    let mut at = 0;
    while at < message.len() {
        match read(&message, at) {
            Some((trailer, next)) => {
                found.push(trailer);
                at = next;
            }
            None => at += 1,
        }
    }
}

/// Trailers of a commit's message, wherever they stand in it, and `Message-ID` and `Resolves` among them. What is indented is
/// quoted and gives none.
pub fn commit_trailers(message: &str) -> Vec<Trailer> {
    let lines: Vec<&str> = message.lines().map(|line| line.trim_end_matches('\r')).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let more = || {
            let (name, value) = lines[at].split_once(':')?;
            let name = usual_case(name);
            let wanted = matches!(name.as_str(), "Message-id" | "Resolves");
            let value = value.trim().to_owned();
            (wanted && !value.is_empty()).then_some((Trailer { name, value }, at + 1))
        };
        let (trailer, next) = match read(&lines, at).or_else(more) {
            Some((trailer, next)) => (Some(trailer), next),
            None => (None, at + 1),
        };
        found.extend(trailer);
        at = next;
    }
    found
}

/// Trailers among somebody's words.
fn of_words(lines: &[&str], author: Option<&Address>, posted: bool, found: &mut Vec<Trailer>) {
    let mut at = 0;
    let (mut proposed, mut left) = (false, false);
    let mut before = String::new();
    while at < lines.len() {
        let line = lines[at];
        if let Some(end) = pasted_message(lines, at, author) {
            of_message(lines[at..end].iter().copied(), found);
            before.clear();
            at = end;
            continue;
        }
        if let Some((trailer, next)) = read(lines, at) {
            if !before.is_empty() {
                proposed = !posted && (is_proposal(&before) || goes_on_below(&before, lines, next));
                left = LEAVE.is_match(&before);
                before.clear();
            }
            if !proposed || is_own(&trailer, author) || left && is_given(&trailer) {
                found.push(trailer);
            }
            at = next;
            continue;
        }
        if line.trim().is_empty() {
            // A gap between words and tags keeps the words in mind.
        } else {
            if at == 0 || lines[at - 1].trim().is_empty() {
                before.clear();
            }
            before.push(' ');
            before.push_str(line.trim());
            if !posted {
                inline(line, author, found);
            }
        }
        at += 1;
    }
}

fn inline(line: &str, author: Option<&Address>, found: &mut Vec<Trailer>) {
    if !line.contains("-by: ") {
        return;
    }
    for hit in INLINE.captures_iter(line) {
        let trailer = Trailer { name: usual_case(&hit[1]), value: hit[2].trim().to_owned() };
        if is_own(&trailer, author) {
            found.push(trailer);
        }
    }
}

fn is_proposal(before: &str) -> bool {
    let last = before.rsplit(['.', '!', '?']).find(|s| !s.trim().is_empty()).unwrap_or(before);
    let ended = before.trim_end().ends_with(['.', '!', ')']);
    !ended && PROPOSAL.is_match(last) || REQUEST.is_match(last)
}

/// "checkpatch wants a / Link: ... / line here": the tag stands in the middle of a sentence.
fn goes_on_below(before: &str, lines: &[&str], next: usize) -> bool {
    let open =
        before.trim_end().ends_with(|c: char| c.is_alphanumeric() || c == ',') && !is_row(before);
    let below = lines[next..].iter().map(|line| line.trim_start()).find(|line| !line.is_empty());
    open && below.is_some_and(|line| line.starts_with(char::is_lowercase))
}

/// A row of a table is no beginning of a sentence.
fn is_row(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let figures = words.iter().filter(|word| word.bytes().any(|b| b.is_ascii_digit()));
    figures.count() * 2 >= words.len()
}

/// The end of the indented tags that start on line `at`, if the author's own sign-off is among them: the message of a patch
/// that stands below, as `git show` prints it.
fn pasted_message(lines: &[&str], at: usize, author: Option<&Address>) -> Option<usize> {
    let tags = lines[at..].iter().take(40).take_while(|line| line.starts_with("    "));
    let end = at + tags.clone().count();
    let author = author?;
    let signed = |line: &&&str| {
        let value = line.trim().strip_prefix("Signed-off-by:").map(str::to_ascii_lowercase);
        value.is_some_and(|v| v.contains(&author.email.to_ascii_lowercase()))
    };
    tags.clone().find(signed)?;
    Some(end)
}

/// A tag of the author's own hand: his address stands in it.
fn is_own(trailer: &Trailer, author: Option<&Address>) -> bool {
    let Some(author) = author else { return false };
    let value = trailer.value.to_ascii_lowercase();
    is_given(trailer)
        && (value.contains(&author.email.to_ascii_lowercase())
            || value.contains(&author.canonical()))
}

/// A tag that somebody gives for what he did.
fn is_given(trailer: &Trailer) -> bool {
    matches!(
        trailer.name.as_str(),
        "Tested-by" | "Reviewed-by" | "Acked-by" | "Reported-and-tested-by"
    )
}

/// The trailer that starts on line `at`, and the line after it.
fn read(lines: &[&str], at: usize) -> Option<(Trailer, usize)> {
    let line = lines[at];
    let indent = line.len() - line.trim_start_matches(' ').len();
    let (name, value) = line.trim_start_matches(' ').split_once(':')?;
    if indent > 2 || !is_name(name) {
        return None;
    }
    let mut value = value.trim().to_owned();
    let mut next = at + 1;
    while let Some(more) = lines.get(next).filter(|_| next < at + 4) {
        if more.trim().is_empty() || !goes_on(&value, more) {
            break;
        }
        if !value.is_empty() {
            value.push(' ');
        }
        value.push_str(more.trim());
        next += 1;
    }
    let name = usual_case(name);
    is_value(&name, &value).then_some((Trailer { name, value }, next))
}

fn goes_on(value: &str, next: &str) -> bool {
    let open = value.matches('(').count() > value.matches(')').count()
        || value.matches('<').count() > value.matches('>').count();
    let address_below =
        !value.contains('@') && next.trim_start().starts_with('<') && next.contains('@');
    let starts_tag = next.split_once(':').is_some_and(|(name, _)| is_name(name));
    !starts_tag && (open || address_below || value.is_empty() && next.starts_with([' ', '\t']))
}

fn is_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let shape = name.len() <= 40 && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-');
    shape
        && (lower.ends_with("-by") && lower.len() > 3
            || matches!(lower.as_str(), "fixes" | "closes" | "link" | "cc" | "bugzilla"))
}

/// `TESTED-BY` and `tested-by` are written `Tested-by`.
fn usual_case(name: &str) -> String {
    let mut out = name.to_ascii_lowercase();
    if let Some(first) = out.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    out
}

fn is_value(name: &str, value: &str) -> bool {
    match name {
        "Fixes" => {
            let word = value
                .trim_start_matches(['(', '"'])
                .split([' ', '\t', '('])
                .next()
                .unwrap_or_default();
            let word = word.trim_start_matches("commit");
            let hex =
                word.len() >= 7 && word.len() <= 64 && word.bytes().all(|b| b.is_ascii_hexdigit());
            hex || value.starts_with("http")
                || value.starts_with("commit ")
                || value.contains("(\"")
        }
        "Closes" | "Link" | "Bugzilla" => {
            value.contains("://") || value.starts_with('<') || value.starts_with('#')
        }
        "Cc" => value.contains('@'),
        "Tested-by"
        | "Reported-by"
        | "Reviewed-by"
        | "Acked-by"
        | "Reported-and-tested-by"
        | "Suggested-by"
        | "Signed-off-by"
        | "Co-developed-by" => value.len() <= 300 && value.chars().any(char::is_alphabetic),
        _ => value.len() <= 300 && value.contains('@'),
    }
}
