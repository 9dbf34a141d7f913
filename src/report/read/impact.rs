//! "The commit also has significant impact on the following tests": one box entry a test.

use std::sync::LazyLock;

use regex::Regex;

use super::line::Line;
use super::scan::Scan;
use super::{kind_of, number, pattern};
use crate::report::{Impact, ReportKind};

/// `aim9: aim9.disk_src.ops_per_sec -14.6% regression`; ours may say `new` or `+12` where a percentage makes no sense.
static CHANGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:(\S.*?): )?(\S+) (?:([+-]?[\d.]+(?:e[+-]?\d+)?)\s?(%)?|new|gone|n/a) (\w+)$")
});
/// `boot: BUG:something`, ours with counts: `boot: BUG:something new failure (0:12 -> 9:12)`.
static FAILURE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(\S.*?): (\S.*?)(?: (?:new|more frequent) failure \(\d+:\d+ -> \d+:\d+\))?$")
});

/// The rows of a box: a label, and what stands beside it until the next one.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Label {
    Change,
    Machine,
    Parameters,
}

/// The tests of a box whose rows were cut into cells. A long value goes on in rows without a label.
pub(super) fn read(scan: &mut Scan, lines: &[Line], rows: &[(usize, Vec<String>)]) -> Vec<Impact> {
    let mut impacts: Vec<Impact> = Vec::new();
    let mut open: Option<(Label, Vec<&str>)> = None;
    for (at, cells) in rows {
        for cell in cells {
            let label = match cell.as_str() {
                "" => continue,
                "testcase: change" => Label::Change,
                "test machine" => Label::Machine,
                "test parameters" => Label::Parameters,
                value => {
                    match &mut open {
                        Some((_, values)) => values.push(value),
                        None => scan.defect(&lines[*at], "not a box entry", value),
                    }
                    continue;
                }
            };
            if let Some((label, values)) = open.replace((label, Vec::new())) {
                close(scan, &lines[*at], &mut impacts, label, &values);
            }
        }
    }
    if let (Some((label, values)), Some((at, _))) = (open, rows.last()) {
        close(scan, &lines[*at], &mut impacts, label, &values);
    }
    impacts
}

fn close(scan: &mut Scan, line: &Line, impacts: &mut Vec<Impact>, label: Label, values: &[&str]) {
    let whole = values.join(" ");
    if label == Label::Change {
        match change(&whole) {
            Some(impact) => impacts.push(impact),
            None => scan.defect(line, "not a change in a box", &whole),
        }
        return;
    }
    let Some(impact) = impacts.last_mut() else {
        scan.defect(line, "a box entry without a test", &whole);
        return;
    };
    if label == Label::Machine {
        impact.test_machine.get_or_insert(whole);
        return;
    }
    let mut last: Option<String> = None;
    for value in values {
        match (value.split_once('='), &last) {
            (Some((name, value)), _) => {
                last = Some(name.trim().to_owned());
                impact.parameters.insert(name.trim().to_owned(), value.trim().to_owned());
            }
            (None, Some(name)) => {
                let old = impact.parameters.entry(name.clone()).or_default();
                *old = format!("{old} {value}");
            }
            (None, None) => scan.defect(line, "not a parameter", value),
        }
    }
}

fn change(text: &str) -> Option<Impact> {
    if let Some(c) = CHANGE.captures(text)
        && let Some(kind) = kind_of(&c[5])
    {
        let change = c.get(3).filter(|_| c.get(4).is_some());
        return Some(Impact {
            testcase: c.get(1).map(|t| t.as_str().to_owned()),
            metric: Some(c[2].to_owned()),
            change_percent: change.and_then(|v| number::printed(v.as_str())).map(|p| p.value),
            kind: Some(kind),
            ..Impact::default()
        });
    }
    let c = FAILURE.captures(text).filter(|c| !c[2].contains("% "))?;
    Some(Impact {
        testcase: Some(c[1].to_owned()),
        metric: Some(c[2].to_owned()),
        kind: Some(ReportKind::Failure),
        ..Impact::default()
    })
}
