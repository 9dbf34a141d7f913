//! Titles and words: what a report is called, in its subject and ever after.

use crate::bench::Direction;
use crate::stats::{Change, FailureChange, Kind};

use super::number::{amount, percent, shorten, signed};
use super::{Brief, ReportKind};

/// Columns that a subject may take. Mailers fold longer ones, archives cut them.
pub const SUBJECT_WIDTH: usize = 100;

/// Columns of a metric's name that a cut subject still shows.
const METRIC_LEAST: usize = 24;

/// What the regression is called: `unixbench.score -10.0% regression`.
pub fn title(brief: &Brief) -> String {
    title_within(brief, usize::MAX)
}

/// The subject of a first mail: `[tree:branch] [area] <sha10>: <title>`, at most [`SUBJECT_WIDTH`] columns.
///
/// Without a bisection nobody is accused: no area, and `base..head` for the commit. What is too long loses first the middle of
/// the metric's name, then its end.
pub fn subject(brief: &Brief) -> String {
    let n = &brief.lead.notification;
    let area = n.head.subject.as_deref().and_then(area).filter(|_| n.bisected);
    let area = area.map_or_else(String::new, |area| format!("[{}] ", shorten(&area, 24)));
    let commits = if n.bisected {
        short(&n.head.commit, 10).to_owned()
    } else {
        format!(
            "{}..{}",
            shorten(short(&n.base.commit, 10), 20),
            shorten(short(&n.head.commit, 10), 20)
        )
    };
    let rest = format!("{area}{commits}: ");
    // What the title needs at least, then the tree's name gets what is left.
    let least = METRIC_LEAST + " +2e+05% improvement".len();
    let room = SUBJECT_WIDTH.saturating_sub(least + rest.chars().count() + 3).max(12);
    let tree = shorten(&format!("{}:{}", n.tree.name, n.tree.branch), room);
    let tags = shorten(&format!("[{tree}] {rest}"), SUBJECT_WIDTH - least);
    let room = SUBJECT_WIDTH.saturating_sub(tags.chars().count());
    format!("{tags}{}", title_within(brief, room))
}

fn title_within(brief: &Brief, room: usize) -> String {
    let fit = |name: &str, rest: &str| {
        let left = room.saturating_sub(rest.chars().count()).max(METRIC_LEAST);
        shorten(&format!("{}{rest}", shorten(name, left)), room)
    };
    let named = |c: &Change| fit(&c.metric, &format!(" {} {}", size(c), word(c.kind)));
    match brief.kind {
        ReportKind::Failure => match brief.lead.failure() {
            Some(failure) => fit(&failure.name, &format!(" {}", failure_word(&failure))),
            None => "new failure".to_owned(),
        },
        ReportKind::NoChange => match brief.lead.headline() {
            Some(c) => fit(&c.metric, &format!(" {}, no primary change", size(c))),
            None => "no primary change".to_owned(),
        },
        ReportKind::Mixed => match brief.lead.headline() {
            Some(c) => fit(&c.metric, &format!(" {} {} (mixed)", size(c), word(c.kind))),
            None => "mixed change".to_owned(),
        },
        ReportKind::Regression | ReportKind::Improvement | ReportKind::Change => {
            brief.lead.headline().map_or_else(|| word_of(brief.kind).to_owned(), named)
        }
    }
}

/// By how much a metric changed, signed: `-10.0%`, or `+12` (in its unit) where a percentage makes no sense.
pub fn size(c: &Change) -> String {
    match (c.change_percent, c.change_absolute, c.kind) {
        (Some(v), ..) => percent(v),
        (None, Some(v), _) if v.fract() == 0.0 => {
            format!("{}{}", if v < 0.0 { "" } else { "+" }, amount(v))
        }
        (None, Some(v), _) => signed(v),
        (None, None, Kind::New) => "new".to_owned(),
        (None, None, Kind::Gone) => "gone".to_owned(),
        (None, None, _) => "n/a".to_owned(),
    }
}

/// The same of a share, in points: 20 % to 30 % is +50.0% and `+10.0 points`.
pub fn points(c: &Change) -> Option<String> {
    let points = c.change_absolute.filter(|v| c.bounded && v.is_finite())?;
    Some(format!("{} points", signed(points)))
}

/// The word for a conclusion, as sentences use it.
pub fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Regression => "regression",
        Kind::Improvement => "improvement",
        Kind::Change => "change",
        Kind::Same => "no change",
        Kind::Suspicious => "suspicion",
        Kind::Inconclusive => "inconclusive",
        Kind::Insufficient => "too few runs",
        Kind::New => "new metric",
        Kind::Gone => "gone metric",
        Kind::Invalid => "not comparable",
    }
}

/// The word of a report's kind, as templates see it.
pub fn word_of(kind: ReportKind) -> &'static str {
    match kind {
        ReportKind::Regression => "regression",
        ReportKind::Improvement => "improvement",
        ReportKind::Change => "change",
        ReportKind::Mixed => "mixed",
        ReportKind::NoChange => "no-change",
        ReportKind::Failure => "failure",
    }
}

/// What readers ask first of a number.
pub fn better(direction: Option<Direction>) -> &'static str {
    match direction {
        Some(Direction::Higher) => "more is better",
        Some(Direction::Lower) => "less is better",
        None => "nobody told which way is better",
    }
}

/// What became of a failure: it is new, or comes more often.
pub fn failure_word(failure: &FailureChange) -> &'static str {
    if failure.base.fails == 0 { "new failure" } else { "more frequent failure" }
}

/// Failed share of the runs; 0 without runs.
pub(super) fn rate(fails: u32, runs: u32) -> f64 {
    if runs == 0 { 0.0 } else { f64::from(fails) / f64::from(runs) }
}

/// The first `digits` characters of a commit id; a tag stays whole.
pub fn short(commit: &str, digits: usize) -> &str {
    let hex = commit.len() >= 20 && commit.bytes().all(|b| b.is_ascii_hexdigit());
    if hex { commit.get(..digits).unwrap_or(commit) } else { commit }
}

/// The area that a commit's subject names before its first colon: `sched/fair` of `[PATCH 2/3] sched/fair: ...`.
pub fn area(subject: &str) -> Option<String> {
    let mut rest = subject.trim();
    while let Some(inner) = rest.strip_prefix('[') {
        rest = inner.split_once(']')?.1.trim_start();
    }
    if let Some(inner) = rest.strip_prefix("Revert \"").or_else(|| rest.strip_prefix("Reapply \""))
    {
        rest = inner.trim_start();
    }
    let (area, after) = rest.split_once(':')?;
    let area = area.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/_-,.+&* ".contains(c);
    let fits = !area.is_empty()
        && area.len() <= 40
        && area.split(' ').count() <= 3
        && area.chars().all(plain)
        && !after.starts_with("//");
    fits.then(|| area.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas() {
        let cases = [
            ("sched/fair: Keep the mask", Some("sched/fair")),
            ("[PATCH v2 3/4] mm, slub: shrink", Some("mm, slub")),
            ("Revert \"net: dsa: foo\"", Some("net")),
            ("Merge tag 'x' of git://git.example.org/y", None),
            ("no colon here", None),
            ("[unclosed", None),
            (": nothing", None),
            ("a long sentence of many words: and more", None),
        ];
        for (subject, expected) in cases {
            assert_eq!(area(subject).as_deref(), expected, "{subject}");
        }
    }

    #[test]
    fn commits_are_cut_and_tags_are_not() {
        assert_eq!(short("0123456789abcdef0123456789abcdef01234567", 10), "0123456789");
        assert_eq!(short("v6.18-rc2", 4), "v6.18-rc2");
        assert_eq!(short("ä", 10), "ä");
    }
}
