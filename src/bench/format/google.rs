//! Google Benchmark `--benchmark_format=json`: repetitions are entries of one run_name; aggregates are left out.

use std::collections::BTreeMap;

use super::Format;
use crate::bench::content::{Content, Reach};
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format =
    Format { id: "google-benchmark", about: "Google Benchmark JSON", claims, read };

/// Members that are not user counters.
const OWN: &[&str] = &[
    "iterations", "real_time", "cpu_time", "threads", "repetitions", "repetition_index", "family_index",
    "per_family_instance_index", "items_per_second", "bytes_per_second", "cv", "rms",
];

fn claims(content: &Content<'_>) -> bool {
    let first = content.get("benchmarks").and_then(|list| list.items().first());
    content.get("context").is_some() && first.is_some_and(|entry| entry.get("real_time").is_some() || entry.get("error_occurred").is_some())
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut order: Vec<(String, String)> = Vec::new();
    let mut values: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    for entry in content.get("benchmarks").map(Reach::items).unwrap_or_default() {
        let aggregate = entry.get("run_type").and_then(Reach::words) == Some("aggregate");
        let failed = entry.get("error_occurred").and_then(serde_json::Value::as_bool) == Some(true);
        if aggregate || failed {
            continue;
        }
        let name = entry.get("run_name").or_else(|| entry.get("name")).and_then(Reach::words).unwrap_or("benchmark");
        let unit = entry.get("time_unit").and_then(Reach::words).unwrap_or("ns");
        let mut add = |field: &str, unit: &str, value: Option<f64>| {
            let Some(value) = value else { return };
            let key = (format!("{name}{field}"), unit.to_owned());
            if !values.contains_key(&key) {
                order.push(key.clone());
            }
            values.entry(key).or_default().push(value);
        };
        let field = |key: &str| entry.get(key).and_then(Reach::number);
        add(".real_time", unit, field("real_time"));
        add(".cpu_time", unit, field("cpu_time"));
        add(".items_per_second", "items/s", field("items_per_second"));
        add(".bytes_per_second", "B/s", field("bytes_per_second"));
        for (key, value) in entry.as_object().into_iter().flatten() {
            if value.is_number() && !OWN.contains(&key.as_str()) {
                add(&format!(".{key}"), "", value.number());
            }
        }
    }
    let mut column = Column::default();
    for key in order {
        let row = column.row(key.0.clone(), &key.1).repeated(&values[&key]);
        match key.0.rsplit('.').next() {
            Some("real_time") => row.better(Direction::Lower),
            // It tells the same story as the wall clock: one of them may raise a report.
            Some("cpu_time") => row.better(Direction::Lower).monitor(),
            Some("items_per_second" | "bytes_per_second") => row.better(Direction::Higher).monitor(),
            _ => row.monitor(),
        };
    }
    let context = content.get("context");
    let executable = context.and_then(|context| context.get("executable")).and_then(Reach::words).unwrap_or("benchmark");
    let name = executable.rsplit('/').next().unwrap_or(executable);
    let mut reading = Reading::single("google-benchmark", name, column);
    for key in ["host_name", "num_cpus", "library_build_type"] {
        let value = context.and_then(|context| context.get(key)).filter(|value| value.is_string() || value.is_number());
        if let Some(value) = value {
            let fact = if key == "host_name" { "machine" } else { key };
            reading.facts.insert(fact.to_owned(), value.words().map_or_else(|| value.to_string(), str::to_owned));
        }
    }
    Ok(reading)
}
