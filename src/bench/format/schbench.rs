//! schbench: latency percentiles of wakeups and requests, requests a second; the last report of a run counts.

use super::Format;
use crate::bench::content::{Content, number};
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "schbench", about: "schbench percentiles", claims, read };

fn claims(content: &Content<'_>) -> bool {
    content.text.lines().take(4000).any(|line| {
        let line = line.trim_start();
        line.contains("percentiles (usec)") || line.starts_with("Latency percentiles (usec)")
    })
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut column = Column::default();
    let mut section = String::new();
    let mut unit = "us";
    for line in content.text.lines() {
        let said = line.trim();
        if let Some((name, _)) = said.split_once(" percentiles") {
            section = name.to_lowercase().replace(' ', "_");
            unit = if said.contains("(requests)") || section.starts_with("rps") { "requests/s" } else { "us" };
            continue;
        }
        if let Some(value) = said.strip_prefix("average rps:").and_then(number) {
            set(&mut column, "schbench.rps".to_owned(), "requests/s", value);
        }
        // `* 99.0th: 1234    (567 samples)`.
        let point = said.trim_start_matches('*').trim();
        if let Some((at, rest)) = point.split_once("th:")
            && let (Ok(_), Some(value)) = (at.parse::<f64>(), number(rest.split_whitespace().next().unwrap_or_default()))
            && !section.is_empty()
        {
            set(&mut column, format!("schbench.{section}.{at}th"), unit, value);
        }
    }
    Ok(Reading::single("schbench", "schbench", column))
}

fn set(column: &mut Column, name: String, unit: &str, value: f64) {
    // The median latency may raise a report; tails fill the table.
    let monitor = !(name == "schbench.rps" || name.ends_with("50.0th"));
    let row = column.row(name, unit).better(if unit == "requests/s" { Direction::Higher } else { Direction::Lower });
    if monitor {
        row.monitor();
    }
    row.set(value);
}
