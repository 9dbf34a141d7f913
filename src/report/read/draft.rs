//! A report in the making: facts that belong together.

use std::collections::HashMap;

use super::kind_of_rows;
use super::same_commit;
use super::scan::{Fact, Located, Opening, Scan};
use super::title::Title;
use crate::report::{Patch, Report, Table};

/// A commit further below its opening than this belongs to something else.
const COMMIT_WITHIN: usize = 40;
/// A tree's address further from commit and opening than this is some other address.
const TREE_WITHIN: usize = 6;

/// More branches than this are left out.
const MOST_BRANCHES: usize = 16;

/// A report and what is known of its place.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) report: Report,
    /// The sentence that began it, its depth of quoting and its line.
    pub(super) opening: Option<(Opening, usize, usize)>,
    /// The last line of commit or opening.
    anchor: usize,
    /// Tables of the report by their number in the scan.
    tables: HashMap<usize, usize>,
    /// One of our own.
    own: bool,
    /// What it is, stands in the subject of an answer only: the report itself is another mail.
    answered: bool,
    /// The least depth of its rows.
    depth: Option<usize>,
}

impl Draft {
    pub(super) fn open(&mut self, opening: Opening, depth: usize, number: usize) {
        self.report.kind = opening.kind;
        self.report.metric.clone_from(&opening.metric);
        self.report.change_percent = opening.change;
        self.anchor = number;
        self.opening = Some((opening, depth, number));
    }

    /// True when nothing was said.
    pub(super) fn is_empty(&self) -> bool {
        let r = &self.report;
        self.opening.is_none()
            && r.rows.is_empty()
            && r.failures.is_empty()
            && r.impacted.is_empty()
    }

    /// Takes a fact that belongs to the current report.
    pub(super) fn take(&mut self, located: Located, scan: &Scan) {
        let Located { fact, depth, number } = located;
        let beside = self.opening.as_ref().is_none_or(|(_, d, _)| *d == depth);
        let begun = self.opening.as_ref().map(|(_, _, n)| *n);
        let report = &mut self.report;
        match fact {
            Fact::Commit { id, subject } => {
                let near = begun.is_some_and(|n| number - n <= COMMIT_WITHIN);
                if report.commit.is_none() && beside && near {
                    self.anchor = number;
                    report.commit = Some(id);
                    report.commit_subject = subject;
                }
            }
            Fact::Tree { url, branch } => {
                let near = begun.is_some() && number - self.anchor <= TREE_WITHIN;
                if report.tree.is_none() && beside && near {
                    report.tree = Some(url);
                    report.branch = branch;
                }
            }
            Fact::Patch(more) if beside => {
                self.anchor = number;
                merge_patch(report.patch.get_or_insert_default(), more);
            }
            Fact::Testcase(test) if beside => {
                report.testcase.get_or_insert(test);
            }
            Fact::Machine(machine) if beside => {
                report.test_machine.get_or_insert(machine);
            }
            Fact::Parameters(parameters) if beside && report.parameters.is_empty() => {
                report.parameters = parameters;
            }
            Fact::Still(sighting)
                if report.still_on.len() < MOST_BRANCHES
                    && !report.still_on.contains(&sighting) =>
            {
                report.still_on.push(sighting);
            }
            Fact::Own => self.own = true,
            Fact::Impact(impact) => report.impacted.push(impact),
            Fact::Tally(failures) => {
                report.failures.extend(failures);
                self.depth = Some(self.depth.map_or(depth, |d| d.min(depth)));
            }
            Fact::Rows(table, rows) => {
                report.rows.extend(rows.iter().cloned());
                self.table(table, scan, depth).rows += rows.len();
            }
            Fact::Failures(table, failures) => {
                report.failures.extend(failures.iter().cloned());
                self.table(table, scan, depth).failures += failures.len();
            }
            Fact::ReportedBy(who) => {
                report.reported_by.get_or_insert(who);
            }
            Fact::Closes(link) => {
                report.closes.get_or_insert(link);
            }
            Fact::Reproduce(commands) if report.reproduce.is_empty() => {
                report.reproduce = commands;
            }
            _ => {}
        }
    }

    fn table(&mut self, number: usize, scan: &Scan, depth: usize) -> &mut Table {
        self.depth = Some(self.depth.map_or(depth, |d| d.min(depth)));
        let tables = &mut self.report.tables;
        let at = *self.tables.entry(number).or_insert_with(|| {
            tables.push(scan.tables[number].clone());
            tables.len() - 1
        });
        &mut self.report.tables[at]
    }

    /// True when both tell of the same report, quoted twice.
    pub(super) fn is_same(&self, other: &Draft) -> bool {
        let (Some((a, ..)), Some((b, ..))) = (&self.opening, &other.opening) else {
            return false;
        };
        let commits = (&self.report.commit, &other.report.commit);
        a == b
            && match commits {
                (Some(a), Some(b)) => same_commit(a, b),
                // Without a commit only a sentence that names its metric tells reports apart.
                _ => a.metric.is_some(),
            }
    }

    /// Adds what a second quote of the same report says.
    pub(super) fn merge(&mut self, other: Draft) {
        let (mine, theirs) = (&mut self.report, other.report);
        fill(&mut mine.commit, theirs.commit);
        fill(&mut mine.commit_subject, theirs.commit_subject);
        fill(&mut mine.tree, theirs.tree);
        fill(&mut mine.branch, theirs.branch);
        fill(&mut mine.testcase, theirs.testcase);
        fill(&mut mine.test_machine, theirs.test_machine);
        fill(&mut mine.reported_by, theirs.reported_by);
        fill(&mut mine.patch, theirs.patch);
        fill(&mut mine.closes, theirs.closes);
        if mine.parameters.is_empty() {
            mine.parameters = theirs.parameters;
        }
        if mine.reproduce.is_empty() {
            mine.reproduce = theirs.reproduce;
        }
        if mine.impacted.is_empty() {
            mine.impacted = theirs.impacted;
        }
        mine.still_on.extend(theirs.still_on);
        mine.still_on.dedup();
        mine.rows.extend(theirs.rows);
        mine.failures.extend(theirs.failures);
        mine.tables.extend(theirs.tables);
        self.own |= other.own;
        self.depth = self.depth.into_iter().chain(other.depth).min();
        if let (Some((_, mine, _)), Some((_, theirs, _))) = (&mut self.opening, &other.opening) {
            *mine = (*mine).min(*theirs);
        }
    }

    /// What a subject line adds, where it speaks of the same commit.
    pub(super) fn title(&mut self, title: &Title) {
        let report = &mut self.report;
        let same = match (&report.commit, &title.commit) {
            (Some(a), Some(b)) => same_commit(a, b),
            _ => true,
        };
        let same_metric = match (&report.metric, &title.metric) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        if !same || !title.robot || !same_metric {
            return;
        }
        self.answered |= title.reply && self.opening.is_none() && report.kind.is_none();
        fill(&mut report.kind, title.kind);
        fill(&mut report.metric, title.metric.clone());
        fill(&mut report.change_percent, title.change_percent);
        fill(&mut report.commit, title.commit.clone());
        fill(&mut report.commit_subject, title.commit_subject.clone());
        if report.tree.is_none() {
            report.tree.clone_from(&title.tree);
            report.branch.clone_from(&title.branch);
        }
    }

    /// The finished report: what is left out above its tables is taken from the first of them.
    pub(super) fn finish(mut self) -> Report {
        let depth = self.opening.as_ref().map(|o| o.1).or(self.depth).unwrap_or_default();
        let opened = self.opening.is_some();
        let report = &mut self.report;
        report.quoted = depth > 0 || self.answered;
        report.source = if self.own { "regard" } else { "lkp" }.to_owned();
        if let Some(table) = report.tables.first().filter(|_| !opened) {
            let mut axes = table.axes.clone();
            fill(&mut report.testcase, axes.remove("testcase"));
            fill(&mut report.test_machine, table.machine.clone().or(axes.remove("tbox_group")));
            ["compiler", "kconfig", "rootfs", "tbox_group"].iter().for_each(|a| {
                axes.remove(*a);
            });
            if report.parameters.is_empty() {
                report.parameters = axes;
            }
            if let [_, head] = table.columns.as_slice()
                && report.commit.is_none()
            {
                report.commit = Some(head.label.clone()).filter(|l| is_hex(l));
                report.commit_subject = head.subject.clone().filter(|_| report.commit.is_some());
            }
        }
        if let (Some(commit), None) = (&report.commit, &report.commit_subject) {
            let mut columns = report.tables.iter().flat_map(|t| &t.columns);
            let same = columns.find(|c| same_commit(&c.label, commit) && c.subject.is_some());
            report.commit_subject = same.and_then(|c| c.subject.clone());
        }
        if report.kind.is_none() && opened {
            report.kind = kind_of_rows(report);
        }
        self.report
    }
}

/// Puts a value where none is.
pub(super) fn fill<T>(place: &mut Option<T>, value: Option<T>) {
    if place.is_none() {
        *place = value;
    }
}

fn is_hex(text: &str) -> bool {
    text.len() >= 7 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

fn merge_patch(patch: &mut Patch, more: Patch) {
    fill(&mut patch.url, more.url);
    fill(&mut patch.base, more.base);
    fill(&mut patch.link, more.link);
    fill(&mut patch.subject, more.subject);
}
