//! People who write in their own words that a commit made something worse.

use std::sync::LazyLock;

use regex::Regex;

use super::line::Line;
use super::scan::{Claim, Fact, Scan};
use super::{number, paragraph, pattern};

const WORSE: &str =
    r"(?:regress|degrad|degress|deteriorat|slow-?\s?down|slowness|slower|drop|decreas)";

/// "commit ID causes severe degradation".
static CAUSES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)\bcommit\s+([0-9a-f]{{7,40}})\b.{{0,300}}?\b(?:caus|introduc|result(?:s|ed|ing)?\s+in|lead(?:s|ing)?\s+to|led\s+to|brings?|brought|trigger|made|makes)\w*\b.{{0,160}}?\b{WORSE}",
    ))
});
/// "a 10% regression ... introduced by commit ID".
static SINCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)\b{WORSE}\w*\b.{{0,300}}?\b(?:caused\s+by|introduced\s+(?:by|in|with)|due\s+to|because\s+of|since|after|starting\s+(?:with|from)|comes\s+from|bisect\w*\b.{{0,40}}?\bto|track\w*\b.{{0,40}}?\bto)\s+(?:the\s+)?(?:kernel\s+)?commit\s+([0-9a-f]{{7,40}})\b",
    ))
});
/// "I bisected it to commit ID": only beside a word for worse.
static BISECTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:bisect\w*|track\w*|narrowed|traced)\b.{0,160}?\b(?:to|at|is|found|shows?|identified|blames?|on)\s+(?:the\s+)?(?:be\s+)?(?:kernel\s+)?commit\s+([0-9a-f]{7,40})\b",
    )
});
static FIRST_BAD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b([0-9a-f]{7,40})\s+is\s+the\s+first\s+bad\s+commit|first\s+bad\s+commit:?\s+(?:is\s+)?\[?([0-9a-f]{7,40})\b",
    )
});
static WORSE_WORD: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"(?i)\b{WORSE}")));
/// "no regression", "fixes the regression", "does not cause", "if it causes".
static DENIED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:no|not|without|never|fix\w*|revert\w*|solv\w*|if|whether|could|might|may|would|should)\b|n't\b|\?\s*$",
    )
});
static PERCENT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:^|[\s(])([+-]?\d+(?:\.\d+)?)\s?%\s+(?:(?:performance|perf|throughput|latency|score)\s+)?(?:regression|degradation|degression|drop|slow-?\s?down|decrease|loss)\b",
    )
});
static SUBJECT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\b([0-9a-f]{7,40})\s+\(["“](.{1,300}?)["”]\)"#));
/// "since 0123456", in a title.
static BEFORE_ID: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:since|after|from|by|with|in|to)\s+(?:commit\s+)?([0-9a-f]{7,40})\b")
});
static REGZBOT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^#regzbot:?\s+(\^)?introduced:?\s+(\S.*)$"));
static HEADLINE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^regression\b|\b(?:performance|perf)\s+(?:regression|degradation|degression|drop)\b|\b(?:severe|serious|major|significant|huge)\s+(?:\w+\s+)?(?:regression|degradation|slowdown)\b",
    )
});

/// Reads the paragraph that begins here, or a tracker's command. The lines stay for the other readers.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let line = &lines[at];
    let text = line.trim();
    if let Some(c) = REGZBOT.captures(text) {
        let commit = c[2].split_whitespace().next().filter(|w| is_id(w)).map(str::to_owned);
        let subject = SUBJECT.captures(&c[2]).map(|s| s[2].to_owned());
        let parent = c.get(1).is_some();
        let claim = Claim { commit, subject, change: None, parent, explicit: true };
        scan.push(line, Fact::Claim(claim));
        return None;
    }
    if is_patch(text) {
        note(&mut scan.patches, line.depth);
    }
    let begins = at == 0 || lines[at - 1].is_blank() || lines[at - 1].depth != line.depth;
    if !begins {
        return None;
    }
    let whole = paragraph(lines, at, 60);
    if WORSE_WORD.is_match(&whole) {
        note(&mut scan.worse, line.depth);
    }
    if let Some(claim) = claim(&whole, scan.worse.contains(&line.depth)) {
        scan.push(line, Fact::Claim(claim));
    }
    None
}

/// What a subject line claims, without its reply marks and brackets.
pub(super) fn title(text: &str, brackets: &[&str]) -> Option<Claim> {
    let marked = brackets.iter().any(|b| b.to_ascii_lowercase().contains("regression"));
    if let Some(told) = claim(text, marked || WORSE_WORD.is_match(text)) {
        return Some(told);
    }
    if !marked && (!HEADLINE.is_match(text) || DENIED.is_match(text)) {
        return None;
    }
    let id = BEFORE_ID.captures(text).map(|c| c[1].to_owned()).filter(|id| is_id(id));
    let subject = SUBJECT.captures(text).filter(|c| Some(&c[1]) == id.as_deref());
    Some(Claim { commit: id, subject: subject.map(|c| c[2].to_owned()), ..Claim::default() })
}

/// True for the lines that only a posted patch holds.
fn is_patch(text: &str) -> bool {
    text.starts_with("diff --git ") || text.starts_with("Signed-off-by: ")
}

fn note(depths: &mut Vec<usize>, depth: usize) {
    if depths.len() < 64 && !depths.contains(&depth) {
        depths.push(depth);
    }
}

/// The commit that a paragraph blames; `worse` when the mail speaks of something that became so.
fn claim(text: &str, worse: bool) -> Option<Claim> {
    if !text.contains("ommit") {
        return None;
    }
    let first_bad = FIRST_BAD.captures(text).and_then(|c| c.get(1).or(c.get(2)));
    let id = match first_bad {
        Some(id) => id.as_str(),
        None => blamed(text, worse)?,
    };
    let subject = SUBJECT.captures_iter(text).find(|c| &c[1] == id).map(|c| c[2].to_owned());
    let change = PERCENT.captures(text).and_then(|c| number::printed(&c[1])).map(|p| p.value);
    is_id(id).then(|| Claim { commit: Some(id.to_owned()), subject, change, ..Claim::default() })
}

fn blamed(text: &str, worse: bool) -> Option<&str> {
    sentences(text).find_map(|sentence| {
        if DENIED.is_match(sentence) {
            return None;
        }
        let found = CAUSES.captures(sentence).or_else(|| SINCE.captures(sentence));
        let found = found.or_else(|| worse.then(|| BISECTED.captures(sentence)).flatten());
        found.and_then(|c| c.get(1)).map(|m| m.as_str())
    })
}

/// Cut where a full stop, a question or an exclamation mark is followed by a blank.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest
            .char_indices()
            .find(|(at, c)| {
                matches!(c, '.' | '!' | '?') && rest[at + 1..].starts_with(' ') && *at > 0
            })
            .map_or(rest.len(), |(at, _)| at + 1);
        let (sentence, behind) = rest.split_at(end);
        rest = behind.trim_start();
        Some(sentence)
    })
}

/// An abbreviated commit id; a word of seven letters from a to f is none.
fn is_id(word: &str) -> bool {
    (7..=40).contains(&word.len())
        && word.bytes().all(|b| b.is_ascii_hexdigit())
        && word.bytes().any(|b| b.is_ascii_digit())
}
