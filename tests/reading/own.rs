//! What we print is read back to the same model.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use regard::engine::Letter;
use regard::render::Renderer;
use regard::report::plain::ascii;
use regard::report::{Brief, Report, ReportKind, read, read_mail};

use crate::case::Case;

/// The report letters of the render room's cases: what was printed, and from what.
fn letters() -> Vec<(String, Brief, String, String)> {
    let renderer = Renderer::new(&[]).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/render/mail");
    let mut found = Vec::new();
    for entry in fs::read_dir(root).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(text) = fs::read_to_string(folder.join("in.json")) else { continue };
        let case = Case::read(&text);
        if let Letter::Report(brief) = case.letter() {
            let mail = renderer.letter(&case.letter(), &case.frame()).unwrap();
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            found.push((name, *brief, mail.subject, mail.text));
        }
    }
    found
}

/// As much as a mail of `brief` tells for certain.
fn check(name: &str, brief: &Brief, report: &Report, text: &str) {
    let n = &brief.lead.notification;
    assert_eq!(report.source, "regard", "{name}");
    assert!(!report.quoted, "{name}");
    assert_eq!(report.kind, Some(brief.kind), "{name}");
    if n.bisected {
        assert_eq!(report.commit.as_ref(), Some(&n.head.commit), "{name}");
    } else {
        assert_eq!(report.commit, None, "{name}");
    }
    assert_eq!(report.testcase, Some(ascii(&n.test.name)), "{name}");
    let parameters = n.test.parameters.iter().map(|(k, v)| (ascii(k), ascii(v)));
    assert_eq!(report.parameters, parameters.collect(), "{name}");
    if let Some(url) = &n.tree.url {
        assert_eq!(report.tree.as_ref(), Some(url), "{name}");
        assert_eq!(report.branch.as_ref(), Some(&n.tree.branch), "{name}");
    }
    if let (Some(c), true) = (brief.lead.headline(), brief.kind != ReportKind::Failure) {
        let whole =
            report.metric.as_ref().is_some_and(|m| *m == ascii(&c.metric) || m.contains("..."));
        assert!(whole || brief.kind == ReportKind::NoChange, "{name}: {:?}", report.metric);
        if let (Some(told), Some(change)) = (report.change_percent, c.change_percent) {
            assert!((told - change).abs() <= 0.06 + change.abs() * 0.05, "{name}: {told} {change}");
        }
    }
    // Every row is a metric of the notifications, and its numbers are the means of the runs.
    let findings: Vec<_> = std::iter::once(&brief.lead).chain(&brief.others).collect();
    for row in &report.rows {
        let metrics: Vec<_> = findings
            .iter()
            .filter_map(|f| f.notification.metrics.iter().find(|m| printed(&m.name, &row.metric)))
            .collect();
        assert!(!metrics.is_empty(), "{name}: {}", row.metric);
        let fits = |v: Option<f64>, runs: &[Option<f64>]| match (v, mean(runs)) {
            (Some(v), Some(mean)) => (v - mean).abs() <= 0.006_f64.max(mean.abs() * 0.006),
            (None, None) => true,
            _ => false,
        };
        let base = metrics.iter().any(|m| fits(row.base, &m.base));
        assert!(base, "{name}: {} {:?}", row.metric, row.base);
        let head = metrics.iter().any(|m| fits(row.head, &m.head));
        assert!(head || row.head.is_none(), "{name}: {} {:?}", row.metric, row.head);
    }
    // And nothing that the tables of the text show was lost: a row is a line that ends in its metric.
    let shown = |metric: &str| {
        text.lines().any(|l| l.starts_with("      ") && l.split_whitespace().last() == Some(metric))
    };
    for metric in findings.iter().flat_map(|f| &f.notification.metrics) {
        if shown(&metric.name) {
            assert!(report.rows.iter().any(|r| r.metric == metric.name), "{name}: {}", metric.name);
        }
    }
    let failures: BTreeMap<&str, (u32, u32, u32, u32)> = report
        .failures
        .iter()
        .map(|f| (f.metric.as_str(), (f.base_fails, f.base_runs, f.head_fails, f.head_runs)))
        .collect();
    for failure in &n.failures {
        if let Some(read) = failures.get(failure.name.as_str()) {
            let told =
                (failure.base.fails, failure.base.runs, failure.head.fails, failure.head.runs);
            assert_eq!(*read, told, "{name}: {}", failure.name);
        }
    }
    assert_eq!(report.still_on.is_empty(), n.still_on.is_none(), "{name}");
}

fn printed(name: &str, row: &str) -> bool {
    let name = ascii(&name.split_whitespace().collect::<Vec<_>>().join("_"));
    match row.split_once("...") {
        Some((start, end)) => name.starts_with(start) && name.ends_with(end),
        None => name == row,
    }
}

fn mean(runs: &[Option<f64>]) -> Option<f64> {
    let values: Vec<f64> = runs.iter().flatten().copied().collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[test]
fn our_mails_are_read_back() {
    let letters = letters();
    assert!(letters.len() >= 10);
    for (name, brief, subject, text) in letters {
        let found = read_mail(&subject, &text);
        assert_eq!(found.defects, Vec::<String>::new(), "{name}");
        assert_eq!(found.reports.len(), 1, "{name}");
        check(&name, &brief, &found.reports[0], &text);
    }
}

#[test]
fn our_mails_are_read_back_from_a_reply() {
    for (name, _, subject, text) in letters() {
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

/// A kpi and monitors with any numbers.
fn metrics() -> impl Strategy<Value = Vec<(String, f64, f64, f64)>> {
    let name = "[a-z]{2,8}[.][a-z_]{3,30}([.][A-Za-z0-9_:/()-]{1,30})?%?";
    let level = prop_oneof![0.001..1.0f64, 1.0..1e4f64, 1e4..1e12f64];
    prop::collection::vec((name, level, 0.05..20.0f64, 0.0..0.3f64), 1..24)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, max_shrink_iters: 100, ..ProptestConfig::default() })]

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
        let case = serde_json::json!({"report": [{"notification": {
            "regard": 1,
            "tree": {"name": "linus", "branch": "master", "url": "https://git.example.org/linux.git"},
            "base": {"commit": "0123456789abcdef0123456789abcdef01234567", "subject": "pool: prepare"},
            "head": {"commit": "7c1e0f5b0d6a4e3f9b8c7d6e5f4a3b2c1d0e9f8a", "subject": "pool: keep (\"it\") short"},
            "test": {"name": "bench", "parameters": {"nr_task": "100%", "runtime": "300s"}},
            "environment": {"machine": "lab-a", "cpu": "8 threads Example Lake", "memory": "16G"},
            "metrics": metrics, "bisected": bisected,
        }}]});
        let case = Case::read(&case.to_string());
        let Letter::Report(brief) = case.letter() else { unreachable!() };
        let mail = Renderer::new(&[]).unwrap().letter(&case.letter(), &case.frame()).unwrap();
        let found = read(&mail.text);
        prop_assert_eq!(found.reports.len(), 1, "{}", mail.text);
        prop_assert_eq!(&found.defects, &Vec::<String>::new(), "{}", mail.text);
        check("invented", &brief, &found.reports[0], &mail.text);
    }
}
