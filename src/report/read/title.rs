//! The subject line of a report.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{human, kind_of, number, pattern};
use crate::report::ReportKind;

/// What a subject line says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Title {
    /// True behind `Re:` or its like in any language.
    pub reply: bool,
    /// True for the form of the test robots (`ID: METRIC -4.3% regression`), false for a person's words.
    pub robot: bool,
    /// The word.
    pub kind: Option<ReportKind>,
    /// Metric, or the id of a failure.
    pub metric: Option<String>,
    /// As printed, with its sign.
    pub change_percent: Option<f64>,
    /// Culprit, as long as printed.
    pub commit: Option<String>,
    /// Its subject, where printed.
    pub commit_subject: Option<String>,
    /// Tree of `[tree:branch]`.
    pub tree: Option<String>,
    /// Branch of `[tree:branch]`.
    pub branch: Option<String>,
    /// Prefix of the commit's subject, `[sched/fair]`.
    pub subsystem: Option<String>,
}

static REPLY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?i:re|fwd?|aw|wg|sv|vs|antw|rif|rv|res|enc|tr|odp|ynt|ref|回复|答复|转发|回覆|轉寄|答覆)(?:\[\d+\])?\s?[:：]\s*",
    )
});
static BRACKET: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\[([^\[\]]{0,120})\]\s*"));
static ID: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"^([0-9a-f]{7,40})\b:?\s*(?:\("(.*?)"\))?:?\s+(\S.*)$"#));
/// `METRIC -4.3% regression`; ours may be `(mixed)`, and without a percentage where none makes sense.
static CHANGED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(\S+)\s+(?:([+-]?\d[\d.]*(?:e[+-]?\d+)?)(\s?%)?|new|gone|n/a)(?:\s+(\w+)\b(\s\(mixed\))?|, (no primary change))",
    )
});
/// Ours.
static NEW_FAILURE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(\S.*?) (?:new|more frequent) failure$"));
/// Ours, when nobody is accused: `BASE..HEAD: METRIC -4.3% regression`.
static RANGE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[0-9A-Za-z][\w.-]{1,40}?\.\.[0-9A-Za-z][\w.-]{1,40}: (\S.*)$"));
/// 2014: `-18.2% vm-scalability.migrate_mbps`.
static SIGNED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^([+-]\d[\d.]*(?:e[+-]?\d+)?)%\s+(\S+)$"));
static STAMP: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\[\s*\d+\.\d+\]\s*"));
static FAILURE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:\.fail\b|\.error\b|BUG|WARNING|INFO:|Kernel_panic|Kernel panic|Oops|_at_|dmesg\.|kmsg\.|Assertion|general_protection|RIP:|EIP)",
    )
});

/// True for the subject of a posted patch, false for an answer to one.
pub(super) fn is_posting(subject: &str) -> bool {
    bracket(subject.trim_start()).is_some_and(|c| is_patch(&c[1]))
}

/// True for the subject of an answer to a posted patch.
pub(super) fn is_answer_to_posting(subject: &str) -> bool {
    let subject = subject.trim_start();
    REPLY.find(subject).is_some_and(|reply| is_posting(&subject[reply.end()..]))
}

fn bracket(text: &str) -> Option<Captures<'_>> {
    text.starts_with('[').then(|| BRACKET.captures(text)).flatten()
}

fn is_patch(bracket: &str) -> bool {
    bracket.contains("PATCH") || bracket.contains("RFC") || bracket.contains("GIT PULL")
}

/// Reads a subject line, folded or not. `None` when it is not the subject of a report.
pub fn read_subject(subject: &str) -> Option<Title> {
    let whole = subject.split_whitespace().take(200).collect::<Vec<_>>().join(" ");
    let mut rest = whole.as_str();
    let mut title = Title::default();
    let mut brackets: Vec<&str> = Vec::new();
    loop {
        if let Some(reply) = REPLY.find(rest) {
            title.reply = true;
            rest = &rest[reply.end()..];
        } else if let Some(c) = bracket(rest).filter(|c| !STAMP.is_match(&c[0])) {
            brackets.push(c.get(1)?.as_str());
            rest = &rest[c.get(0)?.end()..];
        } else {
            break;
        }
    }
    if let Some(c) = ID.captures(rest) {
        let (id, what) = (&c[1], c.get(3)?.as_str());
        let commit_subject = c.get(2).map(|s| s.as_str().to_owned());
        if said(&mut title, what, commit_subject.is_some() || !brackets.is_empty()) {
            title.robot = true;
            title.commit = Some(id.to_owned());
            title.commit_subject = commit_subject;
            places(&mut title, &brackets);
            return Some(title);
        }
    }
    if rest.contains("..")
        && let Some(c) = RANGE.captures(rest)
        && said(&mut title, c.get(1)?.as_str(), false)
    {
        title.robot = true;
        places(&mut title, &brackets);
        return Some(title);
    }
    if brackets.iter().any(|b| is_patch(b)) {
        return None;
    }
    let claim = human::title(rest, &brackets)?;
    title.kind = Some(ReportKind::Regression);
    title.commit = claim.commit;
    title.commit_subject = claim.subject;
    title.change_percent = claim.change;
    Some(title)
}

/// A name, unless its middle was left out to make it fit.
fn whole(name: &str) -> Option<String> {
    (!name.contains("...")).then(|| name.to_owned())
}

/// What stands behind the id. Free text is a failure only where something else shows that a robot wrote it.
fn said(title: &mut Title, what: &str, marked: bool) -> bool {
    let what = match what.strip_prefix("[No primary change]") {
        Some(rest) => {
            title.kind = Some(ReportKind::NoChange);
            rest.trim_start()
        }
        None => what,
    };
    if let Some(c) = CHANGED.captures(what) {
        let word = c.get(4).and_then(|w| kind_of(w.as_str()));
        let mixed = c.get(5).map(|_| ReportKind::Mixed);
        let none = c.get(6).map(|_| ReportKind::NoChange);
        if let Some(kind) = mixed.or(none).or(word) {
            let change = c.get(2).filter(|_| c.get(3).is_some());
            title.kind = title.kind.or(Some(kind));
            title.metric = whole(&c[1]);
            title.change_percent =
                change.and_then(|v| number::printed(v.as_str())).map(|p| p.value);
            return true;
        }
    }
    if let Some(c) = NEW_FAILURE.captures(what) {
        title.kind = Some(ReportKind::Failure);
        title.metric = whole(&c[1]);
        return true;
    }
    if let Some(c) = SIGNED.captures(what)
        && let Some(change) = number::printed(&c[1])
    {
        // Neither word nor direction: it changed.
        title.kind = title.kind.or(Some(ReportKind::Change));
        title.metric = Some(c[2].to_owned());
        title.change_percent = Some(change.value);
        return true;
    }
    let failure = STAMP.replace(what, "");
    if title.kind.is_none() && marked && FAILURE.is_match(&failure) {
        title.kind = Some(ReportKind::Failure);
        title.metric = Some(failure.into_owned());
        return true;
    }
    title.kind.is_some()
}

/// `[linus:master] [sched/fair]`, among brackets that name a list.
fn places(title: &mut Title, brackets: &[&str]) {
    for bracket in brackets {
        let list = bracket.to_ascii_lowercase();
        if list.starts_with("lkp") || list.starts_with("bisect") || list == "external" {
            continue;
        }
        match bracket.split_once(':') {
            Some((tree, branch)) if !bracket.contains(' ') && !branch.is_empty() => {
                title.tree = Some(tree.to_owned());
                title.branch = Some(branch.to_owned());
            }
            _ => title.subsystem = Some((*bracket).to_owned()),
        }
    }
}
