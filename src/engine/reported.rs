//! A report that somebody else wrote: tracked like our own, never answered.

use jiff::Timestamp;

use super::event::MailRef;
use super::{Effect, Snapshot};
use crate::regression::thread::About;
use crate::regression::{Cause, Entry, Happening, Opening, RegressionId};
use crate::report::{Report, ReportKind, Row, RowUnit};

pub(super) fn decide(
    mail: &MailRef,
    report: &Report,
    about: &About,
    snapshot: &Snapshot,
    now: Timestamp,
) -> Vec<Effect> {
    let Some(id) = &mail.id else {
        return vec![Effect::Nothing("report-without-message-id".to_owned())];
    };
    let cause = Cause::Report { message: mail.key.clone(), from: mail.from.clone() };
    let entry = |what| Box::new(Entry { at: now, cause: cause.clone(), what });
    // The same commit, told again: news of what is tracked already, not a second entry.
    if let Some(known) = snapshot.regression.as_ref().or(snapshot.same_commit.first()) {
        let text = title(report);
        let linked = Happening::Linked { url: id.to_string(), text, followed: true };
        return vec![
            Effect::Append(known.id().clone(), entry(linked)),
            Effect::Join(known.id().clone(), id.clone()),
        ];
    }
    let opening = Opening {
        id: RegressionId::derive(id.as_str()),
        kind: report.kind.unwrap_or(ReportKind::Regression),
        title: title(report),
        ours: false,
        report: Some(id.as_str().to_owned()),
        reporter: mail.from.clone(),
        by_robot: about.by_robot,
        tree: report.tree.clone(),
        branch: report.branch.clone(),
        base: None,
        commit: report.commit.clone().or_else(|| about.culprit.clone()),
        commit_subject: report.commit_subject.clone(),
        author: about.author.clone(),
        maintainers: Vec::new(),
        readers: Vec::new(),
        patch: None,
        test: report.testcase.clone(),
        metric: report.metric.clone(),
        change_percent: signed(report).or(report.change_percent),
        machine: report.test_machine.clone(),
        parameters: joined(report),
    };
    let regression = opening.id.clone();
    vec![
        Effect::Append(regression.clone(), entry(Happening::Opened(Box::new(opening)))),
        Effect::Join(regression, id.clone()),
    ]
}

fn joined(report: &Report) -> String {
    report.parameters.iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>().join("/")
}

/// Which way the metric of the title went: by its sign, or by its row. Since late 2024 robots print a size alone.
fn signed(report: &Report) -> Option<f64> {
    let said = report.change_percent?;
    let metric = report.metric.as_deref();
    let own =
        |row: &&Row| Some(row.metric.as_str()) == metric && row.change_unit == RowUnit::Percent;
    let mut told = report.rows.iter().filter(own).filter_map(|row| row.change);
    // Titles and rows round alike, or nearly so.
    let row = told.find(|c| (c.abs() - said.abs()).abs() < 0.11);
    row.map(|c| said.abs().copysign(c)).or((said < 0.0).then_some(said))
}

/// `metric -4.3% regression`, as far as the report tells; without a sign where it tells none.
fn title(report: &Report) -> String {
    let kind = report.kind.map_or("report", |k| match k {
        ReportKind::Regression => "regression",
        ReportKind::Improvement => "improvement",
        ReportKind::Change => "change",
        ReportKind::Mixed => "mixed",
        ReportKind::NoChange => "no primary change",
        ReportKind::Failure => "failure",
    });
    let metric = report.metric.as_deref().or(report.commit_subject.as_deref()).unwrap_or("unnamed");
    match (signed(report), report.change_percent) {
        (Some(change), _) => format!("{metric} {change:+.1}% {kind}"),
        (None, Some(size)) => format!("{metric} {size:.1}% {kind}"),
        (None, None) => format!("{metric} {kind}"),
    }
}
