//! netperf's tables and omni `-k` output: throughput by test; instances of one file are summed.

use super::Format;
use crate::bench::content::Content;
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "netperf", about: "netperf tables and omni -k", claims, read };

fn claims(content: &Content<'_>) -> bool {
    let text = content.text;
    text.lines().take(4000).any(|line| line.contains(" TEST from ") && line.contains(" port "))
        || (text.contains("THROUGHPUT=") && text.contains("THROUGHPUT_UNITS="))
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut column = Column::default();
    let add = |column: &mut Column, test: &str, unit: &str, value: f64| {
        column.row(format!("netperf.{test}.throughput"), unit).better(Direction::Higher).kpi().add(value);
    };
    let mut test = "netperf".to_owned();
    let mut unit = "Mbit/s";
    let mut lines = 0;
    for line in content.text.lines() {
        if let Some((name, _)) = line.split_once(" TEST from ") {
            test = name.trim().rsplit("MIGRATED ").next().unwrap_or(name).replace([' ', '/'], "_");
            unit = if test.contains("RR") || test.contains("CRR") { "trans/s" } else { "Mbit/s" };
            lines = 0;
            continue;
        }
        if line.contains("10^6bits/s") {
            unit = "Mbit/s";
        } else if line.contains("per sec") || line.contains("Trans.") {
            unit = "trans/s";
        }
        if let Some((key, value)) = line.split_once('=') {
            match (key.trim(), value.trim().parse::<f64>()) {
                ("THROUGHPUT", Ok(value)) => add(&mut column, &test, "", value),
                ("MEAN_LATENCY", Ok(value)) => {
                    column.row(format!("netperf.{test}.latency_mean"), "us").better(Direction::Lower).run(Some(value));
                }
                ("P99_LATENCY", Ok(value)) => {
                    column.row(format!("netperf.{test}.latency_p99"), "us").better(Direction::Lower).monitor().run(Some(value));
                }
                _ => {}
            }
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers: Option<Vec<f64>> = words.iter().map(|word| word.parse().ok()).collect();
        // The result line has five numbers or more; the second line of the RR and UDP tests (the other end) has fewer.
        if let Some(numbers) = numbers.filter(|numbers| numbers.len() >= 4 && lines == 0)
            && let Some(last) = numbers.last()
        {
            lines += 1;
            add(&mut column, &test, unit, *last);
        }
    }
    Ok(Reading::single("netperf", "netperf", column))
}
