//! asv results of one commit (version 2, and the plain map of version 1): seconds unless `benchmarks.json` says otherwise.

use serde_json::Value;

use super::Format;
use crate::bench::content::{Content, Reach};
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "asv", about: "asv results of one commit", claims, read };

/// Parameter combinations of one benchmark.
const MOST: usize = 10_000;

fn claims(content: &Content<'_>) -> bool {
    content.get("commit_hash").is_some() && content.get("results").is_some_and(Value::is_object)
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let columns: Vec<&str> =
        content.get("result_columns").map(Reach::items).unwrap_or_default().iter().filter_map(Reach::words).collect();
    let mut column = Column::default();
    for (name, value) in content.get("results").and_then(Value::as_object).into_iter().flatten() {
        let cell = |key: &str, fallback: usize| match value {
            Value::Array(cells) => cells.get(columns.iter().position(|column| *column == key).unwrap_or(fallback)),
            Value::Object(members) => members.get(key),
            other if key == "result" => Some(other),
            _ => None,
        };
        let results = cell("result", 0);
        let results: Vec<Option<f64>> = match results {
            Some(Value::Array(list)) => list.iter().map(Reach::number).collect(),
            Some(single) => vec![single.number()],
            None => continue,
        };
        let samples = cell("samples", usize::MAX).map(Reach::items).unwrap_or_default();
        let names = combinations(cell("params", 1), results.len());
        for (i, result) in results.iter().enumerate().take(MOST) {
            let full = names.get(i).map_or_else(|| name.clone(), |params| format!("{name}({params})"));
            let (unit, lower) = unit(name);
            let row = column.row(full, unit);
            if lower {
                row.better(Direction::Lower);
            }
            // null failed, NaN was skipped.
            match samples.get(i).map(Reach::numbers).filter(|samples| !samples.is_empty()) {
                Some(samples) => row.repeated(&samples),
                None => row.run(*result),
            };
        }
    }
    let mut reading = Reading::single("asv", "asv", column);
    reading.columns[0].label = content.get("commit_hash").and_then(Reach::words).map(str::to_owned);
    let params = content.get("params").and_then(Value::as_object);
    for (key, value) in params.into_iter().flatten() {
        if let Some(value) = value.words().filter(|_| ["machine", "cpu", "ram", "arch", "python"].contains(&key.as_str())) {
            let fact = if key == "ram" { "memory" } else { key };
            reading.facts.insert(fact.to_owned(), value.to_owned());
        }
    }
    Ok(reading)
}

/// asv names a benchmark by what it measures.
fn unit(name: &str) -> (&'static str, bool) {
    let function = name.rsplit('.').next().unwrap_or(name);
    match function.split('_').next() {
        Some("time" | "timeraw") => ("s", true),
        Some("mem" | "peakmem") => ("B", true),
        _ => ("", false),
    }
}

/// `itertools.product` of the parameter lists, as `a, b`.
fn combinations(params: Option<&Value>, count: usize) -> Vec<String> {
    let lists = params.map(Reach::items).unwrap_or_default();
    if lists.is_empty() || count > MOST {
        return Vec::new();
    }
    let mut names = vec![String::new()];
    for list in lists {
        let values: Vec<String> = list.items().iter().map(|v| v.words().map_or_else(|| v.to_string(), str::to_owned)).collect();
        if values.is_empty() || names.len() * values.len() > MOST {
            return Vec::new();
        }
        names = names
            .iter()
            .flat_map(|name| values.iter().map(move |value| if name.is_empty() { value.clone() } else { format!("{name}, {value}") }))
            .collect();
    }
    if names.len() == count { names } else { Vec::new() }
}
