//! What we print is read back to the same model.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use regard::bench::{Knowledge, Notification};
use regard::engine::Letter;
use regard::mail::{Address, MessageId};
use regard::regression::RegressionId;
use regard::render::{Frame, Renderer};
use regard::report::plain::ascii;
use regard::report::{Brief, Finding, Report, ReportKind, read, read_mail, read_subject};
use regard::stats::{Prior, Settings, decide};

/// A report mail of the render room, and what it was written from.
struct Golden {
    name: String,
    subject: String,
    text: String,
    notifications: Vec<Notification>,
    /// The case adds metrics that only that room's tests know.
    invented: bool,
}

fn goldens() -> Vec<Golden> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/render/mail");
    let mut found = Vec::new();
    for entry in fs::read_dir(root).unwrap() {
        let folder = entry.unwrap().path();
        let json: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(folder.join("in.json")).unwrap()).unwrap();
        let Some(findings) = json["report"].as_array() else { continue };
        let read = |f: &serde_json::Value| serde_json::from_value(f["notification"].clone());
        let notifications = findings.iter().map(|f| read(f).unwrap()).collect();
        let invented = findings.iter().any(|f| f["invent"].is_number());
        let mail = fs::read_to_string(folder.join("expected.txt")).unwrap();
        let (subject, text) = mail.split_once("\n\n").unwrap();
        let subject = subject.strip_prefix("Subject: ").unwrap().to_owned();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        found.push(Golden { name, subject, text: text.to_owned(), notifications, invented });
    }
    assert!(found.len() >= 10);
    found
}

/// What a mail of these notifications tells for certain; the leading one comes first.
fn check(name: &str, report: &Report, text: &str, notifications: &[&Notification]) {
    let lead = notifications[0];
    assert_eq!(report.source, "regard", "{name}");
    assert!(!report.quoted, "{name}");
    let commit = lead.bisected.then_some(&lead.head.commit);
    assert_eq!(report.commit.as_ref(), commit, "{name}");
    assert_eq!(report.testcase, Some(ascii(&lead.test.name)), "{name}");
    let parameters = lead.test.parameters.iter().map(|(k, v)| (ascii(k), ascii(v)));
    assert_eq!(report.parameters, parameters.collect(), "{name}");
    if let Some(url) = &lead.tree.url {
        assert_eq!(report.tree.as_ref(), Some(url), "{name}");
        assert_eq!(report.branch.as_ref(), Some(&lead.tree.branch), "{name}");
    }
    assert_eq!(report.still_on.is_empty(), lead.still_on.is_none(), "{name}");
    // Every row is a metric of the notifications, and its numbers are the means of the runs.
    let metrics = || notifications.iter().flat_map(|n| &n.metrics);
    for row in &report.rows {
        let named: Vec<_> = metrics().filter(|m| printed(&m.name, &row.metric)).collect();
        let base = named.iter().any(|m| fits(row.base, &m.base));
        let head = named.iter().any(|m| fits(row.head, &m.head)) || row.head.is_none();
        assert!(base && head, "{name}: {row:?}");
    }
    // And no line of a table that ends in a metric was lost.
    let shown = |metric: &str| {
        text.lines().any(|l| l.starts_with("      ") && l.split_whitespace().last() == Some(metric))
    };
    for metric in metrics().filter(|m| shown(&m.name)) {
        assert!(report.rows.iter().any(|r| r.metric == metric.name), "{name}: {}", metric.name);
    }
    for failure in &report.failures {
        let counts = (failure.base_fails, failure.base_runs, failure.head_fails, failure.head_runs);
        let told = notifications.iter().flat_map(|n| &n.failures).any(|f| {
            f.name == failure.metric
                && counts == (f.base.fails, f.base.runs, f.head.fails, f.head.runs)
        });
        assert!(told, "{name}: {failure:?}");
    }
}

fn printed(name: &str, row: &str) -> bool {
    let name = ascii(&name.split_whitespace().collect::<Vec<_>>().join("_"));
    match row.split_once("...") {
        Some((start, end)) => name.starts_with(start) && name.ends_with(end),
        None => name == row,
    }
}

fn fits(told: Option<f64>, runs: &[Option<f64>]) -> bool {
    let values: Vec<f64> = runs.iter().flatten().copied().collect();
    let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    match (told, mean) {
        (Some(told), Some(mean)) => (told - mean).abs() <= 0.006_f64.max(mean.abs() * 0.006),
        (None, None) => true,
        _ => false,
    }
}

#[test]
fn our_mails_are_read_back() {
    for Golden { name, subject, text, notifications, invented } in goldens() {
        let mut found = read_mail(&subject, &text);
        assert_eq!(found.defects, Vec::<String>::new(), "{name}");
        assert_eq!(found.reports.len(), 1, "{name}");
        let report = &mut found.reports[0];
        let rows: usize = report.tables.iter().map(|t| t.rows).sum();
        assert_eq!(report.rows.len(), rows, "{name}");
        report.rows.retain(|r| !invented || !r.metric.contains(".counter_"));
        // The mail is led by one of the notifications; the test tells which.
        let mut notifications: Vec<&Notification> = notifications.iter().collect();
        notifications.sort_by_key(|n| Some(ascii(&n.test.name)) != report.testcase);
        check(&name, report, &text, &notifications);
        let title = read_subject(&subject).unwrap();
        assert_eq!(report.kind, title.kind, "{name}");
        assert!(title.metric.is_none() || title.metric == report.metric, "{name}");
        assert!(text.contains(report.metric.as_deref().unwrap_or_default()), "{name}");
    }
}

#[test]
fn our_mails_are_read_back_from_a_reply() {
    for Golden { name, subject, text, .. } in goldens() {
        let quoted: String = text.lines().map(|l| format!("> {l}\n")).collect();
        let reply = format!("Hi,\n\nthanks, I can not reproduce this.\n\nNoor wrote:\n{quoted}");
        let found = read_mail(&format!("Re: {subject}"), &reply);
        let plain = read_mail(&subject, &text);
        assert_eq!(found.reports.len(), 1, "{name}");
        let (mut a, mut b) = (found.reports[0].clone(), plain.reports[0].clone());
        assert!(a.quoted, "{name}");
        for report in [&mut a, &mut b] {
            report.quoted = false;
            report.tables.iter_mut().for_each(|t| t.depth = 0);
        }
        assert_eq!(a, b, "{name}");
    }
}

static KNOWLEDGE: LazyLock<Knowledge> = LazyLock::new(Knowledge::embedded);
static RENDERER: LazyLock<Renderer> = LazyLock::new(|| Renderer::new(&[]).unwrap());

fn frame() -> Frame {
    Frame {
        bot: Address { name: "regard".to_owned(), email: "regard+q3x7k2m9@example.org".to_owned() },
        archive: Some("https://lore.example.org/r/".to_owned()),
        help: Some("https://regard.example.org/reading-a-report".to_owned()),
        opt_out: None,
        ascii: true,
        regression: RegressionId::parse("q3x7k2m9"),
        message_id: MessageId::clean("report.q3x7k2m9@example.org"),
        recipients: Vec::new(),
        reason: "kpi-regression".to_owned(),
        answers_subject: None,
    }
}

/// A name, the level of base, the factor of head, and the spread of a few metrics, the kpi first.
fn metrics() -> impl Strategy<Value = Vec<(String, f64, f64, f64)>> {
    let name = "[a-z]{2,8}[.][a-z_]{3,30}([.][A-Za-z0-9_:/()-]{1,30})?%?";
    let level = prop_oneof![0.001..1.0f64, 1.0..1e4f64, 1e4..1e12f64];
    prop::collection::vec((name, level, 0.05..20.0f64, 0.0..0.3f64), 1..24)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, max_shrink_iters: 100, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_numbers(metrics in metrics(), higher in any::<bool>(), bisected in any::<bool>()) {
        let runs = |level: f64, spread: f64| -> Vec<f64> {
            [0.0, 0.9, -0.8, 0.2].iter().map(|s| level * (1.0 + spread * s * 0.2)).collect()
        };
        let mut seen = std::collections::BTreeSet::new();
        let metrics: Vec<serde_json::Value> = metrics
            .iter()
            .filter(|(name, ..)| seen.insert(name.clone()))
            .enumerate()
            .map(|(i, (name, level, factor, spread))| serde_json::json!({
                "name": name, "kpi": i == 0, "direction": if higher { "higher" } else { "lower" },
                "base": runs(*level, *spread), "head": runs(level * factor, *spread),
            }))
            .collect();
        let notification: Notification = serde_json::from_value(serde_json::json!({
            "regard": 1,
            "tree": {"name": "linus", "branch": "master", "url": "https://git.example.org/linux.git"},
            "base": {"commit": "0123456789abcdef0123456789abcdef01234567", "subject": "pool: prepare"},
            "head": {"commit": "7c1e0f5b0d6a4e3f9b8c7d6e5f4a3b2c1d0e9f8a", "subject": "pool: keep (\"it\") short"},
            "test": {"name": "bench", "parameters": {"nr_task": "100%", "runtime": "300s"}},
            "environment": {"machine": "lab-a", "cpu": "8 threads Example Lake", "memory": "16G"},
            "metrics": metrics, "bisected": bisected,
        })).unwrap();
        let changes = decide(&notification, &KNOWLEDGE, &Prior::default(), &Settings::default());
        let brief = Brief::of(vec![Finding::new(notification, changes)]).unwrap();
        let letter = Letter::Report(Box::new(brief.clone()));
        let mail = RENDERER.letter(&letter, &frame()).unwrap();
        let found = read_mail(&mail.subject, &mail.text);
        prop_assert_eq!(found.reports.len(), 1, "{}", mail.text);
        prop_assert_eq!(&found.defects, &Vec::<String>::new(), "{}", mail.text);
        let report = &found.reports[0];
        check("invented", report, &mail.text, &[&brief.lead.notification]);
        prop_assert_eq!(report.kind, Some(brief.kind));
        if let Some(headline) = brief.lead.headline().filter(|_| brief.kind != ReportKind::NoChange) {
            let whole = report.metric.as_ref() == Some(&headline.metric);
            prop_assert!(whole || report.metric.as_ref().is_some_and(|m| m.contains("...")), "{}", mail.text);
            if let (Some(told), Some(change)) = (report.change_percent, headline.change_percent) {
                prop_assert!((told - change).abs() <= 0.06 + change.abs() * 0.05, "{}", mail.text);
            }
        }
        prop_assert_eq!(read(&mail.text).reports[0].rows.len(), report.rows.len());
    }
}
