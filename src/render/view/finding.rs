//! One finding: who, what, where, how sure.

use schemars::JsonSchema;
use serde::Serialize;

use crate::bench::{Commit, Direction};
use crate::mail::MessageId;
use crate::report::table::{Rows, Table};
use crate::report::{Finding, Sure, machine, number, plot};
use crate::report::{better, failure_word, points, short, size, sure, word};
use crate::stats::{Change, FailureChange};

use super::super::finish::WIDTH;

/// Columns of a metric's name in a sentence.
const NAME: usize = 88;

/// How much of a finding is shown; a mail that is too large is written again with less.
#[derive(Debug, Clone, Copy)]
pub(in crate::render) struct Extent {
    pub(in crate::render) rows: Rows,
    pub(in crate::render) other_rows: Rows,
    pub(in crate::render) other_tables: usize,
    pub(in crate::render) plot: bool,
    pub(in crate::render) commands: usize,
    /// Longest text of a lab, in characters.
    pub(in crate::render) text: usize,
    /// Parameters, and facts of an environment.
    pub(in crate::render) entries: usize,
}

/// One finding, ready for wording.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FindingView {
    /// The commit compared against.
    pub base: CommitView,
    /// The commit under test.
    pub head: CommitView,
    /// Whether a bisection ended at `head`; otherwise the change came anywhere between the two.
    pub bisected: bool,
    /// The tree.
    pub tree: TreeView,
    /// The metric that names it; absent where only failures changed.
    pub headline: Option<Headline>,
    /// The failure that became more frequent beyond chance, where one did.
    pub failure: Option<FailureView>,
    /// What speaks for the headline.
    pub sure: Option<Sure>,
    /// A tip that still shows it.
    pub still_on: Option<TipView>,
    /// The test.
    pub test: TestView,
    /// The machine in one line.
    pub machine: String,
    /// Test parameters, sorted.
    pub parameters: Vec<Pair>,
    /// The same as `a=b/c=d`, where that is short and unambiguous.
    pub parameters_line: Option<String>,
    /// The comparison table.
    pub table: TableView,
    /// Runs of the headline's metric, drawn.
    pub plot: Option<PlotView>,
}

/// A commit.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CommitView {
    /// 40 hex digits, or a tag.
    pub id: String,
    /// 10 hex digits, or the tag.
    pub short: String,
    /// First line of its message; may be empty.
    pub subject: String,
    /// Message-ID of the posted patch, with `<>`.
    pub patch: Option<String>,
}

/// A tree and branch.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TreeView {
    /// Short name.
    pub name: String,
    /// Branch.
    pub branch: String,
    /// Where to clone it.
    pub url: Option<String>,
}

/// The metric of a title.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Headline {
    /// Its name, the middle cut out of very long ones.
    pub metric: String,
    /// Its unit.
    pub unit: Option<String>,
    /// `more is better`, `less is better`, or that nobody told.
    pub better: String,
    /// `higher`, `lower` or `unknown`: the direction that is better.
    pub direction: String,
    /// `regression`, `improvement`, `change`, ...
    pub word: String,
    /// Signed: `-10.0%`.
    pub change: String,
    /// The same of a share, in points: `-12.8 points`.
    pub points: Option<String>,
    /// Median of the base runs, or `n/a`.
    pub base: String,
    /// Median of the head runs, or `n/a`.
    pub head: String,
}

/// A failure, counted.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FailureView {
    /// Failure id.
    pub name: String,
    /// Failed base runs.
    pub base_fails: u32,
    /// Base runs.
    pub base_runs: u32,
    /// Failed head runs.
    pub head_fails: u32,
    /// Head runs.
    pub head_runs: u32,
    /// `new failure`, or `more frequent failure`.
    pub word: String,
    /// `p=0.014`: Fisher's exact test, one-sided.
    pub p: String,
}

/// A tip of a branch.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TipView {
    /// `linus/master`.
    pub branch: String,
    /// 10 hex digits, or a tag.
    pub short: String,
}

/// The benchmark.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TestView {
    /// Name.
    pub name: String,
    /// Version of the benchmark itself.
    pub version: Option<String>,
    /// One sentence.
    pub description: Option<String>,
    /// Home page.
    pub url: Option<String>,
}

/// A key and its value.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Pair {
    /// Key.
    pub key: String,
    /// Value.
    pub value: String,
}

/// A comparison table.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TableView {
    /// The machine, for tables of other tests than the lead's.
    pub machine: String,
    /// Its lines, the `=====` rule first.
    pub lines: Vec<String>,
    /// Kpis that were left out.
    pub hidden_kpis: usize,
    /// Changed monitors that were left out.
    pub hidden_monitors: usize,
    /// Whether there is any row in it.
    pub filled: bool,
}

/// A drawn series.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PlotView {
    /// Its lines, the title first.
    pub lines: Vec<String>,
    /// What each mark means: `[*] base 0123456789 (6 runs)`.
    pub legend: Vec<String>,
    /// Lowest value of the axis.
    pub from: String,
    /// Highest value of the axis.
    pub to: String,
    /// Missing runs, each a gap.
    pub missing: usize,
}

impl FindingView {
    /// `headline`: the change that the mail is about. `columns`: findings of further commits that share base, test and environment with `finding`; they become columns of its
    /// table.
    pub(in crate::render) fn new(
        finding: &Finding,
        headline: Option<&Change>,
        columns: &[&Finding],
        extent: Extent,
    ) -> Self {
        let n = &finding.notification;
        let commit = |c: &Commit| CommitView {
            id: c.commit.clone(),
            short: short(&c.commit, 10).to_owned(),
            subject: c.subject.clone().unwrap_or_default(),
            patch: c.message_id.as_deref().and_then(MessageId::clean).map(|id| id.to_string()),
        };
        let parameters: Vec<Pair> = n
            .test
            .parameters
            .iter()
            .map(|(k, v)| Pair { key: k.clone(), value: v.clone() })
            .collect();
        Self {
            base: commit(&n.base),
            head: commit(&n.head),
            bisected: n.bisected,
            tree: TreeView {
                name: n.tree.name.clone(),
                branch: n.tree.branch.clone(),
                url: n.tree.url.clone(),
            },
            headline: headline.map(Headline::new),
            failure: finding.failure().map(FailureView::new),
            sure: headline.map(|change| sure(finding, change)),
            still_on: n.still_on.as_ref().map(|tip| TipView {
                branch: tip.branch.clone(),
                short: short(&tip.commit, 10).to_owned(),
            }),
            test: TestView {
                name: n.test.name.clone(),
                version: n.test.version.clone(),
                description: n.test.description.clone(),
                url: n.test.url.clone(),
            },
            machine: machine(&n.environment),
            parameters_line: on_one_line(&parameters),
            parameters,
            table: TableView::new(finding, columns, extent.rows),
            plot: if extent.plot {
                headline.and_then(|c| PlotView::new(finding, columns, c))
            } else {
                None
            },
        }
    }
}

/// What LKP's mails of 2016 had: `a=b/c=d`. Not where a value would make it ambiguous, or the line too long.
fn on_one_line(parameters: &[Pair]) -> Option<String> {
    let clear = |text: &str| !text.is_empty() && !text.contains(['/', '=']);
    let all = parameters.iter().all(|p| clear(&p.key) && clear(&p.value));
    let line =
        parameters.iter().map(|p| format!("{}={}", p.key, p.value)).collect::<Vec<_>>().join("/");
    let fits = "with following parameters: ".len() + line.chars().count() <= WIDTH;
    (all && fits && !parameters.is_empty()).then_some(line)
}

impl FailureView {
    fn new(failure: FailureChange) -> Self {
        Self {
            word: failure_word(&failure).to_owned(),
            name: number::shorten(&failure.name, NAME),
            base_fails: failure.base.fails,
            base_runs: failure.base.runs,
            head_fails: failure.head.fails,
            head_runs: failure.head.runs,
            p: number::p(failure.p),
        }
    }
}

impl Headline {
    pub(in crate::render) fn new(change: &Change) -> Self {
        let median = |v: Option<f64>| v.map_or_else(|| "n/a".to_owned(), number::amount);
        let direction = match change.direction {
            Some(Direction::Higher) => "higher",
            Some(Direction::Lower) => "lower",
            None => "unknown",
        };
        Self {
            metric: number::shorten(&change.metric, NAME),
            unit: change.unit.clone(),
            better: better(change.direction).to_owned(),
            direction: direction.to_owned(),
            word: word(change.kind).to_owned(),
            change: size(change),
            points: points(change),
            base: median(change.base.median),
            head: median(change.head.median),
        }
    }
}

impl TableView {
    /// At most two further commits fit beside base.
    pub(in crate::render) fn new(finding: &Finding, columns: &[&Finding], rows: Rows) -> Self {
        let shown: Vec<&Finding> =
            std::iter::once(finding).chain(columns.iter().copied().take(1)).collect();
        let table = Table::of(&shown, rows);
        Self {
            machine: machine(&finding.notification.environment),
            lines: table.lines(WIDTH),
            hidden_kpis: table.hidden_kpis,
            hidden_monitors: table.hidden_monitors,
            filled: !table.rows.is_empty() || !table.failures.is_empty(),
        }
    }
}

impl PlotView {
    const WIDTH: usize = 78;
    const HEIGHT: usize = 16;

    fn new(finding: &Finding, columns: &[&Finding], change: &Change) -> Option<Self> {
        let metric = finding.metric(&change.metric)?;
        let n = &finding.notification;
        let group = |label: &str, commit: &Commit, runs: &[Option<f64>]| plot::Group {
            label: format!("{label} {}", number::shorten(short(&commit.commit, 10), 20)),
            runs: runs.to_vec(),
        };
        let mut groups =
            vec![group("base", &n.base, &metric.base), group("head", &n.head, &metric.head)];
        for further in columns.iter().take(1) {
            if let Some(metric) = further.metric(&change.metric) {
                groups.push(group("then", &further.notification.head, &metric.head));
            }
        }
        let unit = change.unit.as_ref().map_or_else(String::new, |unit| format!(" ({unit})"));
        let title = number::shorten(&format!("{}{unit}", change.metric), Self::WIDTH - 14);
        let drawn = plot::plot(&title, &groups, Self::WIDTH, Self::HEIGHT)?;
        Some(Self {
            lines: drawn.lines,
            legend: drawn.legend,
            from: drawn.from,
            to: drawn.to,
            missing: drawn.missing,
        })
    }
}
