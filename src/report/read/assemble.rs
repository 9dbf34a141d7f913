//! Facts become reports.

use super::Found;
use super::draft::{Draft, fill};
use super::same_commit;
use super::scan::{Claim, Fact, Located, Scan};
use super::title::Title;
use crate::report::{Report, ReportKind, Row, RowUnit};

/// More reports than this in one mail are an attack.
const MOST: usize = 64;

/// What is left beside the robots' reports.
#[derive(Default)]
struct Rest {
    /// Titles inside the text.
    titles: Vec<Title>,
    claims: Vec<(usize, Claim)>,
    foreign: Vec<Foreign>,
}

/// A table of another tool.
struct Foreign {
    depth: usize,
    source: &'static str,
    table: usize,
    rows: Vec<Row>,
    test: Option<String>,
}

/// Makes reports of what a walk over a mail found.
pub(super) fn assemble(mut scan: Scan, subject: Option<Title>) -> Found {
    let facts = std::mem::take(&mut scan.facts);
    let mut rest = Rest::default();
    let mut drafts = gather(facts, &mut scan, &mut rest);
    rest.claims.retain(|(depth, claim)| claim.explicit || !scan.patches.contains(depth));
    let titles: Vec<&Title> = subject.iter().chain(&rest.titles).collect();
    for draft in &mut drafts {
        titles.iter().for_each(|t| draft.title(t));
    }
    let mut made: Vec<Made> = drafts.into_iter().map(Made::of).collect();
    let human = titles.iter().find(|t| !t.robot).copied();
    made.extend(foreign(&scan, &rest, human).into_iter().map(Made::told));
    if made.is_empty() {
        made.extend(told(&mut scan, &rest, human).map(Made::told));
    }
    // Ticket systems and auto-replies take over a subject as it is: alone it proves nothing.
    if made.is_empty() && subject.is_some_and(|t| t.robot && !t.reply) {
        scan.defect_of_mail("the subject tells of a report, the text does not");
    }
    for made in &made {
        doubts(&mut scan, made);
    }
    made.sort_by_key(|m| (!m.concludes, m.report.quoted));
    let reports = made.into_iter().map(|m| m.report).collect();
    Found { reports, defects: scan.defects() }
}

/// A finished report and what was known of its place.
struct Made {
    report: Report,
    /// The sentence that began it: its depth of quoting, and whether it accuses nobody.
    opening: Option<(usize, bool)>,
    /// Somebody drew a conclusion; else it is a table only.
    concludes: bool,
}

impl Made {
    fn of(draft: Draft) -> Self {
        let opening = draft.opening.as_ref().map(|(o, depth, _)| (*depth, o.range));
        Self { report: draft.finish(), opening, concludes: opening.is_some() }
    }

    fn told(report: Report) -> Self {
        Self { opening: None, concludes: report.kind.is_some(), report }
    }
}

/// Every opening begins a report; what stands above the first belongs to it.
fn gather(facts: Vec<Located>, scan: &mut Scan, rest: &mut Rest) -> Vec<Draft> {
    let mut drafts = vec![Draft::default()];
    for located in facts {
        let current = drafts.len() - 1;
        match located.fact {
            Fact::Title(title) => rest.titles.push(*title),
            Fact::Claim(claim) => rest.claims.push((located.depth, claim)),
            Fact::Foreign { source, table, rows, test } => {
                rest.foreign.push(Foreign { depth: located.depth, source, table, rows, test });
            }
            Fact::Opening(opening) => {
                if drafts[current].opening.is_some() {
                    if drafts.len() == MOST {
                        continue;
                    }
                    drafts.push(Draft::default());
                }
                let current = drafts.len() - 1;
                drafts[current].open(opening, located.depth, located.number);
            }
            _ => drafts[current].take(located, scan),
        }
    }
    drafts.retain(|d| !d.is_empty());
    let mut merged: Vec<Draft> = Vec::new();
    for draft in drafts {
        match merged.iter_mut().find(|m| m.is_same(&draft)) {
            Some(first) => first.merge(draft),
            None => merged.push(draft),
        }
    }
    merged
}

/// One report a tool whose tables were found; what they mean stands in the words beside them.
fn foreign(scan: &Scan, rest: &Rest, human: Option<&Title>) -> Vec<Report> {
    let mut reports: Vec<Report> = Vec::new();
    for Foreign { depth, source, table, rows, test } in &rest.foreign {
        let at = reports.iter().position(|r| r.source == *source).unwrap_or_else(|| {
            let mut report =
                Report { source: (*source).to_owned(), quoted: true, ..Report::default() };
            if let Some(title) = human {
                report.kind = title.kind;
                report.commit.clone_from(&title.commit);
                report.change_percent = title.change_percent;
            }
            reports.push(report);
            reports.len() - 1
        });
        let report = &mut reports[at];
        report.quoted &= *depth > 0;
        let mut table = scan.tables[*table].clone();
        table.rows = rows.len();
        report.tables.push(table);
        report.rows.extend(rows.iter().cloned());
        fill(&mut report.testcase, test.clone());
    }
    for report in &mut reports {
        let depths: Vec<usize> = report.tables.iter().map(|t| t.depth).collect();
        if let Some(claim) = single(rest.claims.iter().filter(|(d, _)| depths.contains(d))) {
            blame(report, claim);
        }
    }
    reports
}

/// What a person tells in words alone.
fn told(scan: &mut Scan, rest: &Rest, human: Option<&Title>) -> Option<Report> {
    let mut report = Report { source: "human".to_owned(), ..Report::default() };
    if let Some(title) = human.filter(|t| !t.reply || t.commit.is_some()) {
        report.kind = title.kind;
        report.commit.clone_from(&title.commit);
        report.commit_subject.clone_from(&title.commit_subject);
        report.change_percent = title.change_percent;
    }
    if let Some(depth) = rest.claims.iter().map(|(depth, _)| *depth).min() {
        let own = || rest.claims.iter().filter(|(d, _)| *d == depth);
        match single(own()) {
            Some(claim) => {
                report.quoted = depth > 0 || claim.parent;
                blame(&mut report, claim);
            }
            None => {
                scan.defect_of_mail("several commits are blamed");
                report.kind = report.kind.or(Some(ReportKind::Regression));
            }
        }
    }
    report.kind.is_some().then_some(report)
}

fn blame(report: &mut Report, claim: &Claim) {
    fill(&mut report.kind, Some(ReportKind::Regression));
    let longer = match (&report.commit, &claim.commit) {
        (Some(a), Some(b)) => same_commit(a, b) && b.len() > a.len(),
        (None, Some(_)) => true,
        _ => false,
    };
    if longer {
        report.commit.clone_from(&claim.commit);
    }
    fill(&mut report.commit_subject, claim.subject.clone());
    fill(&mut report.change_percent, claim.change);
}

/// The claim that all others agree with.
fn single<'c>(claims: impl Iterator<Item = &'c (usize, Claim)>) -> Option<&'c Claim> {
    let mut best: Option<&Claim> = None;
    for (_, claim) in claims {
        best = match (best.and_then(|b| b.commit.as_ref()), &claim.commit) {
            (None, _) => Some(claim),
            (Some(_), None) => best,
            (Some(a), Some(b)) if same_commit(a, b) => {
                if b.len() > a.len() {
                    Some(claim)
                } else {
                    best
                }
            }
            _ => return None,
        };
    }
    best
}

/// Where a report lacks what it should have, or contradicts itself.
fn doubts(scan: &mut Scan, made: &Made) {
    let Some((depth, range)) = made.opening else { return };
    let report = &made.report;
    let metric = report.metric.as_deref().unwrap_or("an unnamed metric");
    // Where nothing changed, ours may accuse nobody and show nothing.
    let calm = report.source == "regard" && report.kind == Some(ReportKind::NoChange);
    if !report.quoted && !calm {
        let measured = matches!(
            report.kind,
            Some(ReportKind::Regression | ReportKind::Improvement | ReportKind::NoChange)
        );
        if report.commit.is_none() && !range {
            scan.defect_of_mail(&format!("the report of {metric} names no commit"));
        }
        if measured && report.rows.is_empty() {
            scan.defect_of_mail(&format!("the report of {metric} holds no table"));
        }
    }
    // Our sentences are of medians, our tables of means.
    let Some(row) = headline(report, depth).filter(|_| report.source != "regard") else {
        return;
    };
    if let (Some(row), Some(told)) = (row.change, report.change_percent)
        && (row.abs() - told.abs()).abs() > 0.15 + told.abs() * 0.01
    {
        scan.defect_of_mail(&format!("sentence and table tell different changes of {metric}"));
    }
}

/// The row of the metric that the sentence names, in the first table that stands as deep as the sentence.
fn headline(report: &Report, depth: usize) -> Option<&Row> {
    let mut start = 0;
    for table in &report.tables {
        let rows = &report.rows[start..start + table.rows];
        start += table.rows;
        if table.depth == depth && table.columns.len() <= 2 && table.rows > 0 {
            return rows.iter().find(|r| {
                Some(&r.metric) == report.metric.as_ref() && r.change_unit == RowUnit::Percent
            });
        }
    }
    None
}
