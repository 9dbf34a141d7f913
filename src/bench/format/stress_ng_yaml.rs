//! stress-ng `-Y`: a list of stressors with rates.

use yaml_rust2::Yaml;

use super::Format;
use crate::bench::content::Content;
use crate::bench::problem::Problem;
use crate::bench::yaml;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "stress-ng-yaml", about: "stress-ng -Y", claims, read };

fn claims(content: &Content<'_>) -> bool {
    content.text.lines().take(40).any(|line| line.trim_start().starts_with("stress-ng-version:"))
        || content.text.lines().take(60).any(|line| line.trim_start().starts_with("- stressor:"))
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let document = yaml::parse(content.name, content.text)?;
    let mut column = Column::default();
    for entry in document["metrics"].as_vec().into_iter().flatten() {
        let Some(name) = entry["stressor"].as_str() else { continue };
        for (key, value) in entry.as_hash().into_iter().flatten() {
            let (Some(key), Some(value)) = (key.as_str(), yaml::number(value)) else { continue };
            let full = format!("stress-ng.{name}.{key}");
            match key {
                "bogo-ops-per-second-real-time" => {
                    column.row(format!("stress-ng.{name}.ops_per_sec"), "ops/s").better(Direction::Higher).kpi()
                }
                "bogo-ops-per-second-usr-sys-time" => {
                    column.row(format!("stress-ng.{name}.ops_per_cpu_sec"), "ops/s").better(Direction::Higher).monitor()
                }
                "bogo-ops" => column.row(format!("stress-ng.{name}.ops"), "").monitor(),
                "wall-clock-time" => continue,
                "user-time" | "system-time" => column.row(full, "s").monitor(),
                "cpu-usage-per-instance" => column.row(full, "%").monitor(),
                "max-rss" => column.row(full, "KB").monitor(),
                _ if key.starts_with("mb-per-sec") => column.row(full, "MB/s").monitor(),
                _ => column.row(full, "").monitor(),
            }
            .run(Some(value));
        }
    }
    let mut reading = Reading::single("stress-ng-yaml", "stress-ng", column);
    let info = &document["system-info"];
    reading.version = info["stress-ng-version"].as_str().map(str::to_owned);
    for (key, fact) in [("nodename", "machine"), ("machine", "architecture"), ("compiler", "stress_ng_compiler"), ("cpus-online", "cpus_online")] {
        let value = match &info[key] {
            Yaml::String(text) => text.clone(),
            Yaml::Integer(number) => number.to_string(),
            _ => continue,
        };
        reading.facts.insert(fact.to_owned(), value);
    }
    Ok(reading)
}
