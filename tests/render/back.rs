//! What we print, the reading room reads back: our own mails come home quoted in every reply.

use std::fs;

use regard::engine::Letter;
use regard::render::Renderer;
use regard::report::table::{Delta, Rows, Table as Printed};
use regard::report::{Brief, Finding, Report, ReportKind, machine, read_mail};

use crate::case::Case;
use crate::golden::cases;

/// Cases whose names a mail cuts or transliterates; and what the reading room does not know yet: the sentences of a mixed result
/// and of a range, and rows with `-`, `new`, `gone` or `n/a`.
const CUT: [&str; 5] = ["very-long", "non-ascii", "mixed", "not-bisected", "three-commits"];

fn report(brief: &Brief, subject: &str, text: &str) -> Report {
    let found = read_mail(subject, text);
    assert_eq!(found.reports.len(), 1, "{subject}: {:?}", found.defects);
    let report = found.reports.into_iter().next().unwrap();
    assert_eq!(report.kind, Some(brief.kind), "{subject}");
    report
}

/// Rows with two values and a change between them.
fn plain_rows(finding: &Finding) -> Vec<String> {
    let table = Printed::of(&[finding], Rows { kpis: 30, monitors: 30 });
    let plain = |row: &&regard::report::table::MetricRow| {
        matches!(row.delta(1), Delta::Percent(_) | Delta::Absolute(_))
    };
    table.rows.iter().filter(plain).map(|row| row.metric.clone()).collect()
}

fn check(brief: &Brief, report: &Report, quoted: bool) {
    let n = &brief.lead.notification;
    assert_eq!(report.quoted, quoted);
    let lead = brief.lead.lead().filter(|_| brief.kind != ReportKind::Failure);
    if let Some(lead) = lead {
        assert_eq!(report.metric.as_ref(), Some(&lead.metric));
        let percent = lead.change_percent;
        let told = percent.map(|v| (v * 10.0).round() / 10.0);
        assert_eq!(report.change_percent, told);
    }
    if n.bisected {
        assert_eq!(report.commit.as_ref(), Some(&n.head.commit));
        assert_eq!(report.commit_subject, n.head.subject);
    }
    assert_eq!(report.testcase.as_ref(), Some(&n.test.name));
    assert_eq!(report.test_machine, Some(machine(&n.environment)));
    assert_eq!(report.parameters, n.test.parameters);
    let fixable =
        [ReportKind::Regression, ReportKind::Mixed, ReportKind::Failure].contains(&brief.kind);
    assert_eq!(report.reported_by.is_some(), fixable);
    for metric in plain_rows(&brief.lead) {
        assert!(report.rows.iter().any(|row| row.metric == metric), "{metric} is lost");
    }
    let failures = n.failures.iter().filter(|f| {
        u64::from(f.base.fails) * u64::from(f.head.runs)
            != u64::from(f.head.fails) * u64::from(f.base.runs)
    });
    assert_eq!(report.failures.len(), failures.count());
}

#[test]
fn our_mails_are_read_back_plain_and_quoted() {
    let renderer = Renderer::new(&[]).unwrap();
    let mut read = 0;
    for folder in cases("render/mail") {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let case = Case::read(&fs::read_to_string(folder.join("in.json")).unwrap());
        let Letter::Report(brief) = case.letter() else { continue };
        if CUT.contains(&name.as_str()) || brief.kind == ReportKind::NoChange {
            continue;
        }
        let mail = renderer.letter(&case.letter(), &case.frame()).unwrap();
        check(&brief, &report(&brief, &mail.subject, &mail.text), false);
        let quoted: String = mail.text.lines().map(|line| format!("> {line}\n")).collect();
        let reply = format!("I cannot see this here.\n\nOn Monday, regard wrote:\n{quoted}");
        check(&brief, &report(&brief, &format!("Re: {}", mail.subject), &reply), true);
        read += 1;
    }
    assert!(read >= 8, "{read}");
}
