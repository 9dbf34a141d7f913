//! What a report is written from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bench::{Metric, Notification};
use crate::stats::{self, Change, FailureChange, Kind, Settings};

use super::ReportKind;

/// Everything a report mail may say about one commit, before wording.
#[derive(Debug, Clone, PartialEq)]
pub struct Brief {
    /// Word of the title.
    pub kind: ReportKind,
    /// The test that names the mail, worst first.
    pub lead: Finding,
    /// Further tests and machines that the same commit touches.
    pub others: Vec<Finding>,
}

/// One notification with its decided metrics, most important first.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What the lab sent.
    pub notification: Notification,
    /// One entry a metric, kpis that changed first.
    pub changes: Vec<Change>,
    /// The comparison's rounds, oldest first; empty when there was one only.
    pub rounds: Vec<Round>,
    /// Medians of the first changed kpi, oldest first, up to head, or beyond it where newer commits show the change too; empty
    /// when unknown.
    pub history: Vec<Point>,
    /// Set where a side is more than one commit.
    pub pooled: Option<Pooled>,
}

/// Sides that are made of several commits of one level, each a build of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pooled {
    /// Commits up to base.
    pub base: usize,
    /// Commits from head on.
    pub head: usize,
}

/// One round of a comparison, on builds and boots of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// Runs of base.
    pub base_runs: usize,
    /// Runs of head.
    pub head_runs: usize,
    /// Its effect on the first changed kpi, in percent of base.
    pub change_percent: Option<f64>,
    /// Its two-sided p.
    pub p: Option<f64>,
}

/// One commit of a series.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Commit or tag.
    pub commit: String,
    /// Median of its runs, in the metric's unit; `None` where no run came back.
    pub value: Option<f64>,
}

impl Finding {
    /// A finding of a single round, without history.
    pub fn new(notification: Notification, changes: Vec<Change>) -> Self {
        Self { notification, changes, rounds: Vec::new(), history: Vec::new(), pooled: None }
    }

    /// The kpi that names a report: the worst one that may raise it.
    pub fn lead(&self) -> Option<&Change> {
        self.raising().next()
    }

    /// The change that names it: the worst kpi that may raise a report, else the first metric that changed at all.
    pub fn headline(&self) -> Option<&Change> {
        self.lead().or_else(|| self.changes.iter().find(|c| changed(c.kind)))
    }

    /// The kpis that may raise a report, worst first: regressions before improvements before changes of unknown direction,
    /// each by the size of their effect.
    pub fn raising(&self) -> impl Iterator<Item = &Change> {
        let mut raising: Vec<&Change> = self.changes.iter().filter(|c| c.raises()).collect();
        raising.sort_by(|a, b| worse_first(a, b));
        raising.into_iter()
    }

    /// The failure that became more frequent beyond chance: the one whose rate rose most, the lab's order among equals.
    pub fn failure(&self) -> Option<FailureChange> {
        let decided = stats::failures(&self.notification, &Settings::default()).into_iter();
        let rise = |f: &FailureChange| f.rate_points.unwrap_or(0.0);
        decided
            .filter(|f| f.kind == Kind::Regression)
            .reduce(|best, f| if rise(&f) > rise(&best) { f } else { best })
    }

    /// The samples of a metric.
    pub fn metric(&self, name: &str) -> Option<&Metric> {
        self.notification.metrics.iter().find(|m| m.name == name)
    }

    /// Same test, parameters, tree and environment: only the commits may differ.
    pub fn same_series(&self, other: &Finding) -> bool {
        let (a, b) = (&self.notification, &other.notification);
        a.tree == b.tree && a.test == b.test && a.environment == b.environment
    }
}

impl Brief {
    /// One mail's worth of findings about one commit: the worst leads and names the kind. `None` without any finding.
    ///
    /// A failure that became significantly more frequent outweighs every kpi, as in [`stats::overall`].
    pub fn of(mut findings: Vec<Finding>) -> Option<Self> {
        findings.sort_by(|a, b| match (a.headline(), b.headline()) {
            (Some(a), Some(b)) => b.raises().cmp(&a.raises()).then(worse_first(a, b)),
            (a, b) => b.is_some().cmp(&a.is_some()),
        });
        let has = |kind: Kind| findings.iter().flat_map(Finding::raising).any(|c| c.kind == kind);
        let failed = findings.iter().any(|f| f.failure().is_some());
        let kind = match (has(Kind::Regression), has(Kind::Improvement), has(Kind::Change)) {
            _ if failed => ReportKind::Failure,
            (true, true, _) => ReportKind::Mixed,
            (true, false, _) => ReportKind::Regression,
            (false, true, _) => ReportKind::Improvement,
            (false, false, true) => ReportKind::Change,
            (false, false, false) => ReportKind::NoChange,
        };
        if kind == ReportKind::Failure {
            findings.sort_by_key(|f| f.failure().is_none());
        }
        let mut findings = findings.into_iter();
        Some(Self { kind, lead: findings.next()?, others: findings.collect() })
    }

    /// Lead and others.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        std::iter::once(&self.lead).chain(&self.others)
    }
}

/// Whether the word stands for any change, seen by a kpi or by a monitor.
pub(super) fn changed(kind: Kind) -> bool {
    matches!(kind, Kind::Regression | Kind::Improvement | Kind::Change | Kind::New | Kind::Gone)
}

fn worse_first(a: &Change, b: &Change) -> std::cmp::Ordering {
    let size = |c: &Change| c.change_percent.map_or(f64::INFINITY, f64::abs);
    // The kinds are declared from bad to harmless.
    a.kind.cmp(&b.kind).then(size(b).total_cmp(&size(a)))
}
