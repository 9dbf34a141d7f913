//! pytest-benchmark `--benchmark-json`; raw data only with `--benchmark-save-data`, else the median.

use super::Format;
use crate::bench::content::{Content, Reach};
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "pytest-benchmark", about: "pytest-benchmark JSON", claims, read };

fn claims(content: &Content<'_>) -> bool {
    content.get("benchmarks").is_some() && content.get("machine_info").is_some()
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut column = Column::default();
    for entry in content.get("benchmarks").map(Reach::items).unwrap_or_default() {
        let name = entry.get("fullname").or_else(|| entry.get("name")).and_then(Reach::words).unwrap_or("benchmark");
        let data = entry.at(&["stats", "data"]).map(Reach::numbers).unwrap_or_default();
        let row = column.row(name, "s").better(Direction::Lower);
        if data.is_empty() {
            let median = entry.at(&["stats", "median"]).or_else(|| entry.at(&["stats", "mean"]));
            row.run(median.and_then(Reach::number));
        } else {
            row.repeated(&data);
        }
    }
    let mut reading = Reading::single("pytest-benchmark", "pytest-benchmark", column);
    reading.columns[0].label = content.get("commit_info").and_then(|info| info.get("id")).and_then(Reach::words).map(str::to_owned);
    reading.version = content.get("version").and_then(Reach::words).map(str::to_owned);
    let info = content.get("machine_info");
    for (key, fact) in [("node", "machine"), ("machine", "architecture"), ("python_version", "python")] {
        if let Some(value) = info.and_then(|info| info.get(key)).and_then(Reach::words) {
            reading.facts.insert(fact.to_owned(), value.to_owned());
        }
    }
    if let Some(cpu) = info.and_then(|info| info.at(&["cpu", "brand_raw"])).and_then(Reach::words) {
        reading.facts.insert("cpu".to_owned(), cpu.to_owned());
    }
    Ok(reading)
}
