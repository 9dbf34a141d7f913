//! The sentence that a report begins with, 2014 to today.

use std::sync::LazyLock;

use regex::Regex;

use super::line::Line;
use super::scan::{Fact, Opening, Scan};
use super::{kind_of, number, pattern, wrapped};
use crate::report::ReportKind;

/// "FYI, we noticed a -4.3% regression of unixbench.score due to commit:" and, since 2023, "kernel test robot noticed a
/// 5.8% improvement of fio.write_iops on:". Ours may be of two metrics, between two commits, or without a percentage.
static CHANGED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"^(?i:(?:[\w' ]{1,40}, )?(?:FYI,? )?we|(?:[\w.'-]+ ){1,5}(?:robot|bot)) noticed ",
        r"an? (?:(?<change>[+-]?\d[\d.]*(?:e[+-]?\d+)?)(?<percent>\s?%)?|new|gone|n/a)\s",
        r"(?<word>regression|improvement|change|undefined|degradation) of (?<metric>\S+?)",
        r"(?: and an? \S+ \w+ of \S+)?(?<mixed> \(a mixed result\))?",
        r"(?: due to| caused by| introduced by| on:| seen (?<range>between))",
    ))
});
/// Ours.
static NEW_FAILURE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^FYI, we noticed a (?:new|more frequent) failure of (?<metric>\S.*?) (?:due to commit:|seen (?<range>between) )",
    )
});
/// 2016-2017.
const NO_KPI: &str = "There is no primary kpi change";
/// 2014-2015: the numbers follow in the table only.
static BELOW: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:we noticed the below (?:\(\w+\) )?changes on|FYI, there are noticeable .{1,80} on commit)",
    )
});
/// Functional reports.
static FAILED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r#"^(?:(?:[\w.'-]+ ){1,5}(?:robot|bot) noticed ["“](?<quoted>.{1,300}?)["”] on:?"#,
        r"|(?:FYI, w|W)e noticed the following commit \(built with",
        r"|(?:FYI, w|W)e noticed (?<plain>\S.{0,300}?) due to commit(?: \(built with|:| )",
        r"|.{0,80}\bgot the below dmesg and the first bad commit is)",
    ))
});

/// Reads the sentence; it may be wrapped.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let text = lines[at].trim();
    if !["notice", "primary kpi", "first bad commit", "below dmesg"]
        .iter()
        .any(|c| text.contains(c))
    {
        return None;
    }
    let whole = wrapped(lines, at, 3);
    let opening = sentence(&whole, text.len())?;
    // Heads of an earlier report say nothing about the tables of this one.
    scan.heads.clear();
    scan.push(&lines[at], Fact::Opening(opening));
    Some(1)
}

/// The opening that begins within the first `within` bytes.
fn sentence(text: &str, within: usize) -> Option<Opening> {
    if let Some(c) = CHANGED.captures(text).filter(|c| starts(c, within)) {
        let change = c.name("change").filter(|_| c.name("percent").is_some());
        let mixed = c.name("mixed").map(|_| ReportKind::Mixed);
        return Some(Opening {
            kind: mixed.or(kind_of(&c["word"])),
            metric: Some(c["metric"].to_owned()),
            change: change.and_then(|v| number::printed(v.as_str())).map(|p| p.value),
            range: c.name("range").is_some(),
        });
    }
    if let Some(c) = NEW_FAILURE.captures(text) {
        return Some(Opening {
            kind: Some(ReportKind::Failure),
            metric: Some(c["metric"].to_owned()),
            change: None,
            range: c.name("range").is_some(),
        });
    }
    if text.find(NO_KPI).is_some_and(|at| at < within) {
        return Some(Opening { kind: Some(ReportKind::NoChange), ..Opening::default() });
    }
    if BELOW.find(text).is_some_and(|m| m.start() < within) {
        return Some(Opening::default());
    }
    let c = FAILED.captures(text).filter(|c| starts(c, within))?;
    let metric = c.name("quoted").or_else(|| c.name("plain")).map(|m| m.as_str().to_owned());
    // "a 5% something due to commit" is a change in words that are not known.
    if metric.as_ref().is_some_and(|m| m.contains("% ") || m.starts_with("the following")) {
        return None;
    }
    Some(Opening { kind: Some(ReportKind::Failure), metric, ..Opening::default() })
}

fn starts(captures: &regex::Captures, within: usize) -> bool {
    captures.get(0).is_some_and(|m| m.start() < within)
}
