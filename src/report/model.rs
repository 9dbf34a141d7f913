//! A report as it can be read from a mail, ours or anyone's: the `report` object of `regard explain --json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Everything certain that a report says. What is not certain is `None` or left out, never guessed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// True when the mail only quotes the report (a reply).
    pub quoted: bool,
    /// Who wrote it: `lkp`, `mmtests`, `regard`, `human`, ...
    pub source: String,
    /// What it says.
    pub kind: Option<ReportKind>,
    /// The metric of the title.
    pub metric: Option<String>,
    /// As printed, with its sign (reports often give a magnitude only: the kind tells good from bad).
    pub change_percent: Option<f64>,
    /// Culprit, as long as printed.
    pub commit: Option<String>,
    /// Its subject.
    pub commit_subject: Option<String>,
    /// Tree: name or URL, as printed.
    pub tree: Option<String>,
    /// Branch.
    pub branch: Option<String>,
    /// Test name.
    pub testcase: Option<String>,
    /// Machine description.
    pub test_machine: Option<String>,
    /// Test parameters.
    pub parameters: BTreeMap<String, String>,
    /// Further tests and machines that the same commit touches (the box table).
    pub impacted: Vec<Impact>,
    /// Rows of the comparison tables, in order.
    pub rows: Vec<Row>,
    /// fail:runs rows.
    pub failures: Vec<Failure>,
    /// Suggested Reported-by.
    pub reported_by: Option<String>,
    /// Commands that reproduce it, a line each.
    pub reproduce: Vec<String>,
    /// The tables that `rows` and `failures` came from, in order: the first `rows` of all rows belong to the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Table>,
    /// Branches that still showed it when the report was written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub still_on: Vec<Sighting>,
    /// The posted patch that was tested, where it was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<Patch>,
    /// Archive link that the report asks to be closed (`Closes:`, earlier `Link:`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closes: Option<String>,
}

/// One comparison table of a report. A mail may hold several: other machines, or rows quoted in between.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// The line above the table, where it has one of its own: a test or a benchmark by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    /// Axes and values of the test, `nr_task` and `100%`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub axes: BTreeMap<String, String>,
    /// Machine description, where one stands above the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// The compared columns, base first; empty for rows without a head.
    pub columns: Vec<Column>,
    /// Rows of the report that it gave.
    pub rows: usize,
    /// Failures of the report that it gave.
    pub failures: usize,
    /// Levels of quoting that it stood behind.
    pub depth: usize,
}

/// One column of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its title: a commit id as long as printed, a tag, a kernel's name.
    pub label: String,
    /// Subject of the commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
}

/// A branch that still shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// As printed, `linus/master`.
    pub branch: String,
    /// Tested head of the branch.
    pub commit: String,
}

/// A posted patch under test.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    /// Where the tester applied it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// What it was applied to: a tree and a branch, or a commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Archive link of the posting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Its subject line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
}

/// The word of the title.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReportKind {
    /// Worse.
    Regression,
    /// Better.
    Improvement,
    /// Changed, direction unknown.
    Change,
    /// Better here, worse there.
    Mixed,
    /// "No primary kpi change": monitors only.
    NoChange,
    /// A functional failure.
    Failure,
}

/// One test of the box table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Impact {
    /// Test name.
    pub testcase: Option<String>,
    /// Metric.
    pub metric: Option<String>,
    /// As printed, signed.
    pub change_percent: Option<f64>,
    /// The word.
    pub kind: Option<ReportKind>,
    /// Machine description.
    pub test_machine: Option<String>,
    /// Parameters.
    pub parameters: BTreeMap<String, String>,
}

/// Whether a row's change is relative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowUnit {
    /// Percent of base.
    Percent,
    /// Difference (percentages and profile shares).
    Absolute,
}

/// One row of a comparison table. A table of N columns gives N-1 rows a metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Metric name.
    pub metric: String,
    /// Mean of base, as printed.
    pub base: Option<f64>,
    /// Relative standard deviation of base in percent, where printed.
    pub base_stddev_percent: Option<f64>,
    /// Change, as printed.
    pub change: Option<f64>,
    /// Its unit.
    pub change_unit: RowUnit,
    /// Mean of head, as printed.
    pub head: Option<f64>,
    /// Relative standard deviation of head in percent.
    pub head_stddev_percent: Option<f64>,
    /// Column title of base in a table of more than two columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_label: Option<String>,
    /// Column title of head in a table of more than two columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_label: Option<String>,
}

/// One fail:runs row.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Failure id.
    pub metric: String,
    /// Failed base runs.
    pub base_fails: u32,
    /// Base runs; 0 where the report does not print them.
    pub base_runs: u32,
    /// Failed head runs.
    pub head_fails: u32,
    /// Head runs; 0 where the report does not print them.
    pub head_runs: u32,
    /// Column title of base in a table of more than two columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_label: Option<String>,
    /// Column title of head in a table of more than two columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_label: Option<String>,
}
