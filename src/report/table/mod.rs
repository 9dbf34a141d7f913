//! The comparison table, in the layout that readers of the kernel test robot know (`docs/reading-a-report.md`).
//!
//! What differs on purpose: values are rounded and not truncated; a zero base prints `n/a`; a metric that only one side has
//! is a row marked `new` or `gone`; a missing run is left out and never counted as zero; `%reproduction` is the difference of
//! the two failure rates; changes that would print as zero are no rows; the spread of a negative mean is shown.

mod layout;
mod select;

use std::collections::BTreeMap;

use super::title::rate;
use super::{Finding, number};

/// How much a table may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rows {
    /// At most that many kpis, changed ones first.
    pub kpis: usize,
    /// At most that many monitors that changed, the surest ones.
    pub monitors: usize,
}

/// A table of two commits or more. Every change is against the first column.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What all columns share: test parameters, compiler, machine, test; sorted by name.
    pub axes: BTreeMap<String, String>,
    /// The commits, base first.
    pub columns: Vec<Column>,
    /// fail:runs rows.
    pub failures: Vec<FailureRow>,
    /// Metric rows: kpis, then monitors.
    pub rows: Vec<MetricRow>,
    /// Kpis left out.
    pub hidden_kpis: usize,
    /// Changed monitors left out.
    pub hidden_monitors: usize,
}

/// One commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Commit id or tag.
    pub commit: String,
    /// First line of its message.
    pub subject: Option<String>,
}

/// One metric over all columns.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricRow {
    /// Metric name.
    pub metric: String,
    /// Whether changes are differences (percentages, profile shares).
    pub absolute: bool,
    /// One a column.
    pub slots: Vec<Slot>,
}

/// What a column knows of a metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Slot {
    /// Its runs.
    Runs(Cell),
    /// It was looked for, and no run has it.
    Empty,
    /// Nobody looked for it.
    Unknown,
}

/// The runs of one side, as a table shows them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// Arithmetic mean of the runs that came back.
    pub mean: f64,
    /// Population standard deviation (1/n) in percent of the mean; `None` with one run or a mean of zero.
    pub spread_percent: Option<f64>,
}

/// One failure over all columns: fails and runs of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureRow {
    /// Failure id.
    pub name: String,
    /// Fails and runs, one pair a column; `None` where nobody counted it.
    pub cells: Vec<Option<(u32, u32)>>,
}

/// What stands between two value columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Delta {
    /// Percent of base, positive for a rise also where base is negative.
    Percent(f64),
    /// Difference.
    Absolute(f64),
    /// Base is zero: no percentage makes sense.
    NotApplicable,
    /// Only this side has it.
    New,
    /// Only base has it.
    Gone,
    /// Nothing to compare.
    Missing,
}

impl Table {
    /// The table of findings that share test, environment and base; the first one decides which rows are shown.
    pub fn of(findings: &[&Finding], rows: Rows) -> Self {
        let Some(lead) = findings.first() else {
            return Self {
                axes: BTreeMap::new(),
                columns: Vec::new(),
                failures: Vec::new(),
                rows: Vec::new(),
                hidden_kpis: 0,
                hidden_monitors: 0,
            };
        };
        let column = |c: &crate::bench::Commit| Column {
            commit: c.commit.clone(),
            subject: c.subject.clone(),
        };
        let mut columns = vec![column(&lead.notification.base)];
        columns.extend(findings.iter().map(|f| column(&f.notification.head)));
        let picked = select::rows(findings, rows);
        Self {
            axes: axes(lead),
            columns,
            failures: select::failures(findings),
            rows: picked.rows,
            hidden_kpis: picked.hidden_kpis,
            hidden_monitors: picked.hidden_monitors,
        }
    }

    /// The table as lines of at most `width` columns, without trailing blanks.
    pub fn lines(&self, width: usize) -> Vec<String> {
        layout::lines(self, width)
    }
}

impl MetricRow {
    /// The change of a column (from 1 on) against the first.
    pub fn delta(&self, column: usize) -> Delta {
        let slot = |i: usize| self.slots.get(i).copied().unwrap_or(Slot::Unknown);
        match (slot(0), slot(column)) {
            (Slot::Runs(base), Slot::Runs(head)) if self.absolute => {
                Delta::Absolute(head.mean - base.mean)
            }
            (Slot::Runs(base), Slot::Runs(head)) if base.mean == 0.0 => {
                if head.mean == 0.0 {
                    Delta::Percent(0.0)
                } else {
                    Delta::NotApplicable
                }
            }
            (Slot::Runs(base), Slot::Runs(head)) => {
                Delta::Percent(100.0 * (head.mean / base.mean - 1.0) * base.mean.signum())
            }
            (_, Slot::Runs(_)) => Delta::New,
            (Slot::Runs(_), Slot::Empty) => Delta::Gone,
            _ => Delta::Missing,
        }
    }
}

impl FailureRow {
    /// Difference of the failure rates, in points; `None` where a side has no runs.
    pub fn delta(&self, column: usize) -> Option<f64> {
        let share = |i: usize| {
            let (fails, runs) = self.cells.get(i).copied().flatten()?;
            (runs > 0).then(|| rate(fails, runs))
        };
        Some(100.0 * (share(column)? - share(0)?))
    }
}

impl Cell {
    /// The cell of runs in order; missing and non-finite ones are left out. `None` when nothing remains.
    pub fn of(runs: &[Option<f64>]) -> Option<Self> {
        let values: Vec<f64> = runs.iter().flatten().copied().filter(|v| v.is_finite()).collect();
        if values.is_empty() {
            return None;
        }
        // Divided before summing: 1e308 must not overflow.
        let n = values.len() as f64;
        let mean: f64 = values.iter().map(|v| v / n).sum();
        let spread = if mean == 0.0 || values.len() < 2 {
            None
        } else {
            let square: f64 = values.iter().map(|v| ((v - mean) / mean).powi(2) / n).sum();
            Some(100.0 * square.sqrt()).filter(|s| s.is_finite())
        };
        Some(Self { mean, spread_percent: spread })
    }
}

impl Delta {
    /// Whether a row of only such changes tells nothing.
    fn is_silent(self) -> bool {
        match self {
            Delta::Percent(v) | Delta::Absolute(v) => number::prints_as_zero(v),
            Delta::Missing => true,
            Delta::NotApplicable | Delta::New | Delta::Gone => false,
        }
    }
}

/// The names that LKP's tables use for what the columns share.
fn axes(finding: &Finding) -> BTreeMap<String, String> {
    let n = &finding.notification;
    let mut axes = n.test.parameters.clone();
    let env = &n.environment;
    let facts =
        [("compiler", &env.compiler), ("kconfig", &env.kernel_config), ("rootfs", &env.rootfs)];
    for (name, value) in facts {
        if let Some(value) = value {
            axes.insert(name.to_owned(), value.clone());
        }
    }
    axes.insert("tbox_group".to_owned(), env.machine.clone());
    axes.insert("testcase".to_owned(), n.test.name.clone());
    axes
}
