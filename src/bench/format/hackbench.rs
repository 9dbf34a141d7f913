//! hackbench: `Time:` lines, each an execution of its own, under the line that says how it ran.

use super::Format;
use crate::bench::content::{Content, number};
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "hackbench", about: "hackbench Time: lines", claims, read };

fn claims(content: &Content<'_>) -> bool {
    content.text.lines().take(4000).any(|line| line.starts_with("Running in ") && line.contains(" mode with ") && line.contains(" groups"))
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut column = Column::default();
    let mut name = "hackbench.time".to_owned();
    for line in content.text.lines() {
        // `Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)`.
        if let Some(rest) = line.strip_prefix("Running in ") {
            let mode = rest.split_whitespace().next().unwrap_or("process");
            let groups = rest.split(" with ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap_or("");
            name = format!("hackbench.{mode}-{groups}.time");
        }
        if let Some(value) = line.trim().strip_prefix("Time:") {
            column.row(name.clone(), "s").better(Direction::Lower).kpi().run(number(value));
        }
    }
    Ok(Reading::single("hackbench", "hackbench", column))
}
