//! The native notification: one pair of commits, one test, all its metrics (`docs/notification.md`).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mail::Address;

/// What a lab mails to us after it ran a test on two commits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Notification {
    /// Version of the format: 1.
    pub regard: u32,
    /// The tree that the commits belong to.
    pub tree: Tree,
    /// The commit compared against (for a bisected change: the parent of `head`). May be left out when no metric has base runs:
    /// earlier results of the same series are the base then.
    #[serde(default, skip_serializing_if = "Commit::is_unknown")]
    pub base: Commit,
    /// The commit under test.
    pub head: Commit,
    /// What was run.
    pub test: Test,
    /// What it ran on. Both sides ran here unless `head_environment` says otherwise.
    pub environment: Environment,
    /// Only where head ran in another environment than base: the pair is then `invalid`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_environment: Option<Environment>,
    /// One entry a metric.
    pub metrics: Vec<Metric>,
    /// Functional failures, counted over runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailureCount>,
    /// Whether a bisection really ended at `head`. Without it a report says "seen between".
    #[serde(default)]
    pub bisected: bool,
    /// Where the change is still visible: the tip that was tested too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub still_on: Option<StillOn>,
    /// Id of the regression that these results answer (a confirmation round, a tested fix).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regression: Option<String>,
    /// Plain commands that run the benchmark, one a line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reproduce: Vec<String>,
    /// Where config, logs and raw results can be fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub materials: Option<String>,
    /// Names of attachments of the mail that belong to these results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<String>,
}

impl Notification {
    /// One without results, of which nothing is known but what must be.
    pub fn new(
        tree: Tree,
        [base, head]: [Commit; 2],
        test: Test,
        environment: Environment,
    ) -> Self {
        Self {
            regard: 1,
            tree,
            base,
            head,
            test,
            environment,
            head_environment: None,
            metrics: Vec::new(),
            failures: Vec::new(),
            bisected: false,
            still_on: None,
            regression: None,
            reproduce: Vec::new(),
            materials: None,
            attachments: Vec::new(),
        }
    }

    /// Whether only head was measured: no metric has a base run.
    pub fn is_head_only(&self) -> bool {
        !self.metrics.is_empty() && self.metrics.iter().all(|metric| metric.base.is_empty())
    }
}

impl Commit {
    /// One of which only the name is known.
    pub fn named(commit: impl Into<String>) -> Self {
        Self { commit: commit.into(), ..Self::default() }
    }

    /// Whether nobody told which commit it is.
    pub fn is_unknown(&self) -> bool {
        self.commit.is_empty()
    }
}

/// A tree and branch under test.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tree {
    /// Short name, as in a report's subject: `linus`, `tip`, `next`.
    pub name: String,
    /// Branch: `master`, `sched/core`.
    pub branch: String,
    /// Where it can be cloned from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// A commit, with what a report needs to know of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Commit {
    /// 40 hex digits, or a tag.
    pub commit: String,
    /// First line of its message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<Address>,
    /// Its date (the committer's, where they differ), RFC 3339 or `YYYY-MM-DD`: orders the history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// People of the commit's trailers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub people: Vec<Person>,
    /// Message-ID of the posted patch, with or without `<>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// Lists that the patch went to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lists: Vec<String>,
    /// Files that it touches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

/// Somebody named in a commit's trailers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// The trailer: `Reviewed-by`, `Signed-off-by`, `Cc`.
    pub role: String,
    /// Display name.
    #[serde(default)]
    pub name: String,
    /// Address.
    pub email: String,
}

/// The benchmark and its parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// `unixbench`, `will-it-scale`.
    pub name: String,
    /// Version of the benchmark itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// One sentence for readers who never saw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its home page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Everything that changes what is measured: `nr_task: 100%`.
    #[serde(default)]
    pub parameters: BTreeMap<String, String>,
}

/// The machine and what was installed on it. Unlisted keys are kept in `other` and compared too.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Environment {
    /// Host or machine group name.
    pub machine: String,
    /// Product name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// `8 threads Ivy Bridge`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// `16G`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// `gcc-12`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
    /// Name of the kernel configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel_config: Option<String>,
    /// Name of the root file system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rootfs: Option<String>,
    /// Any further fact (`ucode`, `governor`).
    #[serde(flatten)]
    pub other: BTreeMap<String, String>,
}

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// More is better (throughput).
    Higher,
    /// Less is better (latency, time).
    Lower,
}

/// One metric with its samples, one value a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Metric {
    /// Dotted: `unixbench.score`.
    pub name: String,
    /// `ops/s`, `ms`; absent for a bare number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Absent: looked up by unit and name, else unknown (and then never called a regression).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// Whether it may raise a report. Absent: looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kpi: Option<bool>,
    /// Base samples in run order; null for a missing run (missing is not zero).
    pub base: Vec<Option<f64>>,
    /// Head samples in run order.
    pub head: Vec<Option<f64>>,
    /// For each base run, the index of the build that it used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_builds: Option<Vec<u32>>,
    /// For each head run, the index of the build that it used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_builds: Option<Vec<u32>>,
}

/// A functional failure, counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FailureCount {
    /// `dmesg.WARNING:at_fs/x.c`.
    pub name: String,
    /// Base.
    pub base: Side,
    /// Head.
    pub head: Side,
}

/// How many of the runs failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// Runs that showed the failure.
    pub fails: u32,
    /// All runs.
    pub runs: u32,
}

/// A tip that still shows the change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StillOn {
    /// `linus/master`.
    pub branch: String,
    /// Its commit.
    pub commit: String,
}
