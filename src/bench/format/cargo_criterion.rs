//! `cargo criterion --message-format=json`: lines with `"reason":"benchmark-complete"`.

use super::Format;
use crate::bench::content::{Content, Reach};
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format =
    Format { id: "cargo-criterion", about: "cargo criterion --message-format=json", claims, read };

fn claims(content: &Content<'_>) -> bool {
    let complete = |value: &serde_json::Value| value.get("reason").and_then(Reach::words) == Some("benchmark-complete");
    content.lines.iter().any(complete) || content.json.as_ref().is_some_and(complete)
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut column = Column::default();
    for line in content.lines.iter().chain(&content.json) {
        if line.get("reason").and_then(Reach::words) != Some("benchmark-complete") {
            continue;
        }
        let unit = line.get("unit").and_then(Reach::words).unwrap_or("ns");
        let counts = line.get("iteration_count").map(Reach::numbers).unwrap_or_default();
        let times = line.get("measured_values").map(Reach::numbers).unwrap_or_default();
        let each: Vec<f64> = times.iter().zip(&counts).filter(|(_, n)| **n > 0.0).map(|(time, n)| time / n).collect();
        let row = column.row(line.get("id").and_then(Reach::words).unwrap_or("benchmark"), unit).better(Direction::Lower);
        match each.is_empty() {
            true => row.run(line.at(&["typical", "estimate"]).and_then(Reach::number)),
            false => row.repeated(&each),
        };
    }
    Ok(Reading::single("cargo-criterion", "criterion", column))
}
