//! The gate before the door: what must never leave the house unseen.

use std::fmt;

use super::title::{short, word};
use super::{Brief, Finding, ReportKind};
use crate::bench::Direction;
use crate::stats::{Change, Kind};

/// What the gate must know beside the brief.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GateFacts {
    /// Everybody the mail would go to.
    pub recipients: usize,
    /// Regressions that are not closed, of anybody's report.
    pub known: Vec<Known>,
    /// Reports written today.
    pub written_today: u32,
    /// Reports a day.
    pub daily_limit: u32,
    /// Size of the rendered text, where it is rendered already.
    pub body_bytes: Option<usize>,
    /// Largest text that lists take.
    pub body_limit: usize,
}

/// A regression that is tracked already.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// Its id.
    pub id: String,
    /// Culprit, or the end of its range; may be abbreviated.
    pub commit: Option<String>,
    /// The start of its range.
    pub base: Option<String>,
    /// Whether git knows that its range and the brief's overlap.
    pub overlaps: bool,
    /// Tree name.
    pub tree: Option<String>,
    /// Test name.
    pub test: Option<String>,
    /// Machine name.
    pub machine: Option<String>,
    /// `k=v/k=v`, sorted by key.
    pub parameters: String,
    /// Metric.
    pub metric: Option<String>,
}

/// Why a mail waits for the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// Kebab-case.
    pub slug: &'static str,
    /// What the operator needs to know.
    pub words: String,
}

impl fmt::Display for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.slug, self.words)
    }
}

/// Lets a report pass, or holds it with the first reason found.
///
/// # Errors
///
/// `no-commit`, `unequal-environments`, `no-numbers`, `sign-against-word`, `word-against-kind`, `duplicate-commit`,
/// `duplicate-series`, `no-recipient`, `daily-limit`, `body-too-big`.
pub fn gate(brief: &Brief, facts: &GateFacts) -> Result<(), Hold> {
    for finding in brief.findings() {
        comparable(finding)?;
        for change in finding.raising() {
            numbers(change)?;
            signs(change)?;
        }
    }
    kind(brief)?;
    for known in &facts.known {
        duplicate(brief, known)?;
    }
    if facts.recipients == 0 {
        return hold("no-recipient", "nobody would get this mail");
    }
    if facts.written_today >= facts.daily_limit {
        return hold(
            "daily-limit",
            format!("{} of {} reports a day are written", facts.written_today, facts.daily_limit),
        );
    }
    match facts.body_bytes {
        Some(bytes) if bytes > facts.body_limit => hold(
            "body-too-big",
            format!("the text has {bytes} bytes, lists take {}", facts.body_limit),
        ),
        _ => Ok(()),
    }
}

fn hold(slug: &'static str, words: impl Into<String>) -> Result<(), Hold> {
    Err(Hold { slug, words: words.into() })
}

fn comparable(finding: &Finding) -> Result<(), Hold> {
    let n = &finding.notification;
    if n.head.commit.trim().is_empty() || n.base.commit.trim().is_empty() {
        return hold("no-commit", "base or head is empty");
    }
    if n.head.commit == n.base.commit {
        return hold("no-commit", "base and head are the same commit");
    }
    if let Some(head) = n.head_environment.as_ref().filter(|head| **head != n.environment) {
        let (base, head) = (serde_json::to_value(&n.environment), serde_json::to_value(head));
        let first = match (base, head) {
            (Ok(base), Ok(head)) => first_difference(&base, &head),
            _ => None,
        };
        return hold(
            "unequal-environments",
            first.unwrap_or_else(|| "base and head ran in different ones".to_owned()),
        );
    }
    match finding.changes.iter().find(|c| c.kind == Kind::Invalid) {
        Some(change) => {
            hold("unequal-environments", format!("{}: {}", change.metric, change.reason))
        }
        None => Ok(()),
    }
}

fn first_difference(base: &serde_json::Value, head: &serde_json::Value) -> Option<String> {
    let (base, head) = (base.as_object()?, head.as_object()?);
    let differs = |key: &&String| base.get(*key) != head.get(*key);
    let key = base.keys().chain(head.keys()).find(differs)?;
    let show = |side: &serde_json::Map<String, serde_json::Value>| {
        side.get(key).map_or_else(|| "nothing".to_owned(), ToString::to_string)
    };
    Some(format!("{key} is {} on base and {} on head", show(base), show(head)))
}

fn numbers(change: &Change) -> Result<(), Hold> {
    let told = |side: &crate::stats::Summary| side.n > 0 && side.median.is_some_and(f64::is_finite);
    if !told(&change.base) || !told(&change.head) {
        return hold("no-numbers", format!("{} has no runs on one side", change.metric));
    }
    if change.change_percent.or(change.change_absolute).is_none_or(|v| !v.is_finite()) {
        return hold("no-numbers", format!("{} has no size of its change", change.metric));
    }
    Ok(())
}

/// The word must follow from the direction and the medians, whoever decided it.
fn signs(change: &Change) -> Result<(), Hold> {
    let (Some(base), Some(head)) = (change.base.median, change.head.median) else { return Ok(()) };
    let rises = head > base;
    let expected = match change.direction {
        None => Kind::Change,
        Some(Direction::Higher) if rises => Kind::Improvement,
        Some(Direction::Lower) if !rises => Kind::Improvement,
        Some(_) => Kind::Regression,
    };
    let (metric, said) = (&change.metric, word(change.kind));
    if head == base || change.kind != expected {
        let better = super::better(change.direction);
        return hold(
            "sign-against-word",
            format!("{metric} went from {base} to {head} ({better}), and is called {said}"),
        );
    }
    let told = change.change_percent.filter(|_| base != 0.0);
    let right = 100.0 * (head - base) / base.abs();
    // Half a point, or a hundredth: rounding on the way is no lie.
    if let Some(told) = told.filter(|told| (told - right).abs() > (right.abs() / 100.0).max(0.5)) {
        return hold(
            "sign-against-word",
            format!("{metric} changed by {right:+.1}% and is told as {told:+.1}%"),
        );
    }
    Ok(())
}

fn kind(brief: &Brief) -> Result<(), Hold> {
    let lead = brief.lead.lead().map(|c| c.kind);
    let any = |kind: Kind| brief.findings().flat_map(Finding::raising).any(|c| c.kind == kind);
    let fits = match brief.kind {
        ReportKind::Regression => lead == Some(Kind::Regression) && !any(Kind::Improvement),
        ReportKind::Improvement => lead == Some(Kind::Improvement) && !any(Kind::Regression),
        ReportKind::Change => lead == Some(Kind::Change),
        ReportKind::Mixed => lead == Some(Kind::Regression) && any(Kind::Improvement),
        ReportKind::Failure => brief.lead.failure().is_some(),
        ReportKind::NoChange => lead.is_none() && brief.lead.headline().is_some(),
    };
    if fits {
        return Ok(());
    }
    let word = super::word_of(brief.kind);
    match (lead, brief.kind) {
        (None, ReportKind::Failure) => {
            hold("no-numbers", "no failure became more frequent beyond chance")
        }
        (None, _) => hold(
            "no-numbers",
            format!("the mail says {word}, and no metric that may raise a report changed"),
        ),
        (Some(lead), _) => hold(
            "word-against-kind",
            format!("the mail says {word}, its first metric {}", self::word(lead)),
        ),
    }
}

fn duplicate(brief: &Brief, known: &Known) -> Result<(), Hold> {
    let n = &brief.lead.notification;
    let same = |a: &str, b: &str| {
        !a.is_empty()
            && !b.is_empty()
            && (a.starts_with(b) || b.starts_with(a))
            && a.len().min(b.len()) >= 8
    };
    if let Some(commit) =
        known.commit.as_deref().filter(|c| same(c, &n.head.commit) || *c == n.head.commit)
    {
        return hold(
            "duplicate-commit",
            format!("{} is open about {}", known.id, short(commit, 12)),
        );
    }
    let parameters: Vec<String> =
        n.test.parameters.iter().map(|(k, v)| format!("{k}={v}")).collect();
    let metric = brief.lead.headline().map(|c| c.metric.as_str());
    let series = known.tree.as_deref() == Some(n.tree.name.as_str())
        && known.test.as_deref() == Some(n.test.name.as_str())
        && known.machine.as_deref() == Some(n.environment.machine.as_str())
        && known.parameters == parameters.join("/")
        && known.metric.as_deref() == metric;
    let range = known.overlaps || known.base.as_deref() == Some(n.base.commit.as_str());
    if series && range {
        return hold(
            "duplicate-series",
            format!("{} is open about the same series and range", known.id),
        );
    }
    Ok(())
}
