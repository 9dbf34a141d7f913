//! Mails as rules read them: `mails/NAME.eml` beside `mails/NAME.txt`, the report of the thread in `mails/report`.
//!
//! Each mail runs with LF and with CRLF. `REGARD_BLESS=1` rewrites what is told.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use regard::intake::{about, understand};
use regard::mail::{Identity, parse};
use regard::regression::thread::Threads;
use regard::triage::Rules;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/triage/mails")
}

fn mails(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .expect("mails")
        .map(|e| e.expect("entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "eml"))
        .collect();
    found.sort();
    found
}

fn told(raw: &str, rules: &Rules, threads: &Threads) -> String {
    let message = parse(raw.as_bytes());
    let u = understand(&message, rules, &Identity::default(), threads, false);
    let mut out = String::new();
    let thread = u.report.as_ref().map_or_else(|| "none".to_owned(), |(id, _)| id.to_string());
    let _ = writeln!(out, "origin {:?}, role {:?}, thread {thread}", u.origin, u.role);
    for f in &u.reading.findings {
        let effect = f.effect.map_or_else(
            || "moves nothing".to_owned(),
            |(from, to)| format!("{} -> {to}", from.map_or("any", |s| s.as_str())),
        );
        let _ = writeln!(out, "{} [{}] {effect}: {}", f.label, f.rule, f.evidence.text);
        if let Some(thing) = &f.points_at {
            let _ = writeln!(out, "    points at {thing}");
        }
    }
    if u.reading.findings.is_empty() {
        let _ = writeln!(out, "undecided");
    }
    out
}

#[test]
fn mails_are_read_as_people_mean_them() {
    let rules = Rules::embedded().expect("rules");
    let mut threads = Threads::default();
    for path in mails(&folder().join("report")) {
        let message = parse(&fs::read(path).expect("readable"));
        threads.add(&message, about(&message, &Identity::default()));
    }
    let all = mails(&folder());
    assert!(all.len() >= 12, "the mails were not found");
    for path in all {
        let raw = fs::read_to_string(&path).expect("UTF-8");
        let story = told(&raw, &rules, &threads);
        assert_eq!(story, told(&raw.replace('\n', "\r\n"), &rules, &threads), "{}", path.display());
        let expected = path.with_extension("txt");
        if std::env::var_os("REGARD_BLESS").is_some() {
            fs::write(&expected, &story).expect("written");
        }
        let wanted = fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(story, wanted, "{}", path.display());
    }
}
