//! sysbench 1.x reports: rates and latencies of one run.

use super::Format;
use crate::bench::content::{Content, number};
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "sysbench", about: "sysbench 1.x", claims, read };

fn claims(content: &Content<'_>) -> bool {
    let mut lines = content.text.lines().take(2000);
    lines.any(|line| line.starts_with("sysbench 1.") || line.starts_with("sysbench 0.5"))
        || content.text.contains("\nThreads fairness:\n")
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut column = Column::default();
    let mut reading = Reading { format: "sysbench", test: "sysbench".to_owned(), ..Reading::default() };
    let mut section = "";
    for line in content.text.lines() {
        let said = line.trim();
        if let Some(rest) = line.strip_prefix("sysbench ") {
            reading.version = rest.split_whitespace().next().map(str::to_owned);
        }
        if said.ends_with(':') {
            section = said.trim_end_matches(':');
            continue;
        }
        let Some((key, value)) = said.split_once(':') else { continue };
        let (key, value) = (key.trim(), value.trim());
        if key == "Number of threads" {
            reading.parameters.insert("threads".to_owned(), value.to_owned());
        }
        // `transactions: 1234 (123.40 per sec.)`.
        let rate = value.split_once('(').filter(|(_, rest)| rest.contains("per sec")).and_then(|(_, rest)| number(rest));
        if let Some(rate) = rate {
            let row = column.row(format!("sysbench.{}_per_sec", key.replace(' ', "_")), "/s").better(Direction::Higher);
            row.unit = Some(format!("{key}/s"));
            if key == "transactions" {
                row.kpi();
            } else {
                row.monitor();
            }
            if matches!(key, "ignored errors" | "reconnects") {
                row.better(Direction::Lower);
            }
            row.run(Some(rate));
            continue;
        }
        let Some(value) = number(value) else { continue };
        match (section, key) {
            (_, "events per second" | "eps") => {
                column.row("sysbench.events_per_sec", "events/s").better(Direction::Higher).kpi().run(Some(value));
            }
            (_, "reads/s" | "writes/s" | "fsyncs/s") => {
                let name = format!("sysbench.{}_per_sec", key.trim_end_matches("/s"));
                column.row(name, "ops/s").better(Direction::Higher).run(Some(value));
            }
            (_, "read, MiB/s" | "written, MiB/s") => {
                let name = format!("sysbench.{}_MiB_per_sec", key.split(',').next().unwrap_or("read"));
                column.row(name, "MiB/s").better(Direction::Higher).monitor().run(Some(value));
            }
            ("Latency (ms)", "avg") => {
                column.row("sysbench.latency_avg", "ms").better(Direction::Lower).run(Some(value));
            }
            ("Latency (ms)", "min" | "max" | "95th percentile" | "99th percentile") => {
                let name = format!("sysbench.latency_{}", key.replace("th percentile", "th"));
                column.row(name, "ms").better(Direction::Lower).monitor().run(Some(value));
            }
            _ => {}
        }
    }
    // `10240.00 MiB transferred (3211.85 MiB/sec)`.
    if let Some(line) = content.text.lines().find(|line| line.contains("MiB transferred ("))
        && let Some((_, rest)) = line.split_once('(')
    {
        column.row("sysbench.throughput", "MiB/s").better(Direction::Higher).kpi().run(number(rest));
    }
    reading.columns.push(column);
    Ok(reading)
}
