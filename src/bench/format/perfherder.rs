//! Perfherder performance artifacts: suites with subtests, replicates are repeats of one run.

use serde_json::Value;

use super::Format;
use crate::bench::content::{Content, Reach};
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "perfherder", about: "Perfherder artifacts", claims, read };

fn claims(content: &Content<'_>) -> bool {
    content.get("suites").is_some_and(|suites| suites.items().iter().any(|suite| suite.get("subtests").is_some()))
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut column = Column::default();
    for suite in content.get("suites").map(Reach::items).unwrap_or_default() {
        let name = suite.get("name").and_then(Reach::words).unwrap_or("suite");
        entry(&mut column, name, suite, suite);
        for subtest in suite.get("subtests").map(Reach::items).unwrap_or_default() {
            let sub = subtest.get("name").and_then(Reach::words).unwrap_or("subtest");
            entry(&mut column, &format!("{name}/{sub}"), subtest, suite);
        }
    }
    let name = content.at_framework().unwrap_or("perfherder");
    Ok(Reading::single("perfherder", name, column))
}

impl Content<'_> {
    fn at_framework(&self) -> Option<&str> {
        self.get("framework")?.get("name")?.words()
    }
}

/// Subtests inherit unit and direction from their suite; the schema's default is lower-is-better.
fn entry(column: &mut Column, name: &str, value: &Value, suite: &Value) {
    let inherited = |key: &str| value.get(key).or_else(|| suite.get(key));
    let replicates = value.get("replicates").map(Reach::numbers).unwrap_or_default();
    let single = value.get("value").and_then(Reach::number);
    if replicates.is_empty() && single.is_none() {
        return;
    }
    let lower = inherited("lowerIsBetter").and_then(Value::as_bool).unwrap_or(true);
    let unit = inherited("unit").and_then(Reach::words).unwrap_or_default();
    let row = column.row(name, unit).better(if lower { Direction::Lower } else { Direction::Higher });
    match replicates.is_empty() {
        true => row.run(single),
        false => row.repeated(&replicates),
    };
    if value.get("shouldAlert").and_then(Value::as_bool) == Some(false) {
        row.monitor();
    }
}
