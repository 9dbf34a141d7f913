//! "The commit also has significant impact on the following tests": one box entry a test.

use std::sync::LazyLock;

use regex::Regex;

use super::line::Line;
use super::scan::Scan;
use super::{kind_of, number, pattern};
use crate::report::{Impact, ReportKind};

/// `aim9: aim9.disk_src.ops_per_sec -14.6% regression`.
static CHANGE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:(\S+?): )?(\S+) ([+-]?[\d.]+(?:e[+-]?\d+)?)\s?% (\w+)$"));
/// `boot: BUG:something`.
static FAILURE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(\S+?): (\S.*)$"));

/// What the next value belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Key {
    Change,
    Machine,
    Parameters,
    Unknown,
}

/// The tests of a box whose rows were cut into cells; the first column names what the second says.
pub(super) fn read(scan: &mut Scan, lines: &[Line], rows: &[(usize, Vec<String>)]) -> Vec<Impact> {
    let mut impacts: Vec<Impact> = Vec::new();
    let mut key = Key::Unknown;
    for (at, cells) in rows {
        for cell in cells {
            key = match cell.as_str() {
                "" => continue,
                "testcase: change" => Key::Change,
                "test machine" => Key::Machine,
                "test parameters" => Key::Parameters,
                value => {
                    let known = match key {
                        Key::Change => change(value).map(|impact| impacts.push(impact)).is_some(),
                        _ => impacts.last_mut().is_some_and(|i| detail(i, key, value)),
                    };
                    if !known {
                        scan.defect(&lines[*at], "not a box entry", value);
                    }
                    continue;
                }
            };
        }
    }
    impacts
}

fn detail(impact: &mut Impact, key: Key, value: &str) -> bool {
    match key {
        Key::Machine if impact.test_machine.is_none() => {
            impact.test_machine = Some(value.to_owned());
        }
        Key::Parameters => {
            let Some((name, value)) = value.split_once('=') else {
                return false;
            };
            impact.parameters.insert(name.trim().to_owned(), value.trim().to_owned());
        }
        _ => return false,
    }
    true
}

fn change(text: &str) -> Option<Impact> {
    if let Some(c) = CHANGE.captures(text)
        && let Some(kind) = kind_of(&c[4])
    {
        return Some(Impact {
            testcase: c.get(1).map(|t| t.as_str().to_owned()),
            metric: Some(c[2].to_owned()),
            change_percent: Some(number::printed(&c[3])?.value),
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
