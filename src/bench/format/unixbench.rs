//! UnixBench `Run`: the index of each test, by block of parallel copies.

use super::Format;
use crate::bench::content::{Content, number};
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "unixbench", about: "UnixBench report", claims, read };

fn claims(content: &Content<'_>) -> bool {
    let text = content.text;
    text.contains("BYTE UNIX Benchmarks") || (text.contains("System Benchmarks") && text.contains("BASELINE") && text.contains("INDEX"))
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut column = Column::default();
    let mut copies = "1".to_owned();
    let mut table = false;
    let mut version = None;
    for line in content.text.lines() {
        let said = line.trim();
        if let Some(at) = said.find("BYTE UNIX Benchmarks (Version ") {
            version = said[at..].split(&['(', ')'][..]).nth(1).map(|text| text.trim_start_matches("Version ").to_owned());
        }
        // `8 CPUs in system; running 8 parallel copies of tests`.
        if let Some((_, rest)) = said.split_once("; running ") {
            copies = rest.split_whitespace().next().unwrap_or("1").to_owned();
        }
        if said.contains("BASELINE") && said.contains("INDEX") {
            table = true;
            continue;
        }
        if let Some(rest) = said.strip_prefix("System Benchmarks Index Score") {
            table = false;
            let words = rest.split_whitespace().next_back();
            column
                .row(format!("unixbench.score@{copies}"), "score")
                .better(Direction::Higher)
                .kpi()
                .run(words.and_then(number));
            continue;
        }
        let words: Vec<&str> = said.split_whitespace().collect();
        match words.as_slice() {
            [name @ .., baseline, result, index] if table && !name.is_empty() => {
                let numbers = [*baseline, *result, *index].map(str::parse::<f64>);
                if let [Ok(_), Ok(result), Ok(_)] = numbers {
                    let name = format!("unixbench.{}@{copies}", name.join(" "));
                    column.row(name, "").better(Direction::Higher).run(Some(result));
                }
            }
            // `Dhrystone 2 using register variables  34858763.2 lps   (10.0 s, 7 samples)`.
            [name @ .., result, unit, "(10.0" | "(20.0" | "(30.0" | "(60.0", _, _, _] if !table && !name.is_empty() => {
                if let Ok(result) = result.parse::<f64>() {
                    let unit = if *unit == "KBps" { "KBps" } else { unit };
                    column.row(format!("unixbench.{}@{copies}", name.join(" ")), unit).better(Direction::Higher).run(Some(result));
                }
            }
            _ => {}
        }
    }
    dedupe(&mut column);
    let mut reading = Reading::single("unixbench", "unixbench", column);
    reading.version = version;
    Ok(reading)
}

/// A test is printed twice, with its unit and in the index table: one run.
fn dedupe(column: &mut Column) {
    for row in &mut column.rows {
        row.runs.truncate(1);
    }
}
