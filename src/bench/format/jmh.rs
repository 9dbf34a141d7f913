//! JMH `-rf json`: forks are runs of their own, iterations inside a fork are repeats.

use super::Format;
use crate::bench::content::{Content, Reach};
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "jmh", about: "JMH -rf json", claims, read };

fn claims(content: &Content<'_>) -> bool {
    let first = content.json.as_ref().and_then(|json| json.items().first());
    first.is_some_and(|entry| entry.get("primaryMetric").is_some() && entry.get("benchmark").is_some())
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut column = Column::default();
    let entries = content.json.as_ref().map(Reach::items).unwrap_or_default();
    for entry in entries {
        let mut name = entry.get("benchmark").and_then(Reach::words).unwrap_or("benchmark").to_owned();
        for (key, value) in entry.get("params").and_then(serde_json::Value::as_object).into_iter().flatten() {
            name += &format!(":{key}={}", value.words().unwrap_or_default());
        }
        let metric = &entry["primaryMetric"];
        let unit = metric.get("scoreUnit").and_then(Reach::words).unwrap_or_default();
        let higher = entry.get("mode").and_then(Reach::words) == Some("thrpt");
        let row = column.row(name, unit).better(if higher { Direction::Higher } else { Direction::Lower });
        let forks = metric.get("rawData").map(Reach::items).unwrap_or_default();
        for fork in forks {
            row.repeated(&fork.numbers());
        }
        if forks.is_empty() {
            row.run(metric.get("score").and_then(Reach::number));
        }
    }
    let mut reading = Reading::single("jmh", "jmh", column);
    let text = |key: &str| entries.first()?.get(key)?.words().map(str::to_owned);
    reading.version = text("jmhVersion");
    for (key, fact) in [("vmName", "vm"), ("vmVersion", "vm_version"), ("jdkVersion", "jdk")] {
        if let Some(value) = text(key) {
            reading.facts.insert(fact.to_owned(), value);
        }
    }
    if let Some(threads) = entries.first().and_then(|entry| entry.get("threads")).and_then(Reach::number) {
        reading.parameters.insert("threads".to_owned(), threads.to_string());
    }
    Ok(reading)
}
