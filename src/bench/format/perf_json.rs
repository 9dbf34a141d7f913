//! `perf stat -j`: one object a line; with `-r` only mean and variance are left of the repeats.

use super::Format;
use crate::bench::content::{Content, Reach};
use crate::bench::problem::Problem;
use crate::bench::{Column, Reading};

pub(super) const FORMAT: Format = Format { id: "perf-stat-json", about: "perf stat -j", claims, read };

fn claims(content: &Content<'_>) -> bool {
    let counter = |value: &serde_json::Value| value.get("counter-value").is_some() && value.get("event").is_some();
    content.lines.iter().any(counter) || content.json.as_ref().is_some_and(counter)
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut column = Column::default();
    for line in content.lines.iter().chain(&content.json) {
        let Some(event) = line.get("event").and_then(Reach::words) else { continue };
        // `<not counted>` is no number.
        let value = line.get("counter-value").and_then(Reach::number);
        let unit = unit(line.get("unit").and_then(Reach::words).unwrap_or_default());
        column.row(format!("perf-stat.{event}"), unit).run(value);
    }
    Ok(Reading::single("perf-stat-json", "perf-stat", column))
}

/// perf's `msec` is known; other words of its own are left out.
pub(super) fn unit(unit: &str) -> &str {
    if crate::bench::Unit::parse(unit).is_some() { unit } else { "" }
}
