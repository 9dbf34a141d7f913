//! fio `--output-format=json` and `json+`. Sub-jobs of one name are repeats; bandwidth is KiB/s in `bw`, B/s in `bw_bytes`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Format;
use crate::bench::content::{Content, Reach};
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "fio", about: "fio JSON and json+", claims, read };

fn claims(content: &Content<'_>) -> bool {
    content.get("fio version").is_some() && content.get("jobs").is_some()
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut found: BTreeMap<(String, &'static str), Vec<f64>> = BTreeMap::new();
    let mut order: Vec<(String, &'static str)> = Vec::new();
    let jobs = content.get("jobs").map(Reach::items).unwrap_or_default();
    for job in jobs {
        let name = job.get("jobname").and_then(Reach::words).unwrap_or("job");
        if job.get("error").and_then(Reach::number).is_some_and(|error| error != 0.0) {
            continue;
        }
        for side in ["read", "write", "trim"] {
            let Some(part) = job.get(side) else { continue };
            if part.get("total_ios").and_then(Reach::number).or_else(|| part.get("io_bytes").and_then(Reach::number)) == Some(0.0) {
                continue;
            }
            for (field, value) in fields(part) {
                let key = (format!("fio.{name}.{side}.{field}"), field);
                if !found.contains_key(&key) {
                    order.push(key.clone());
                }
                found.entry(key).or_default().push(value);
            }
        }
    }
    let mut column = Column::default();
    for key in order {
        let field = key.1;
        let values = &found[&key];
        let (unit, direction) = match field {
            "iops" => ("IOPS", Direction::Higher),
            "bw" => ("KiB/s", Direction::Higher),
            _ => ("ns", Direction::Lower),
        };
        let row = column.row(key.0.clone(), unit).better(direction).repeated(values);
        // Bandwidth and whole latency tell the same story as these two.
        if !matches!(field, "iops" | "clat_mean") {
            row.monitor();
        }
    }
    let mut reading = Reading::single("fio", "fio", column);
    reading.version = content.get("fio version").and_then(Reach::words).map(str::to_owned);
    let options = content.get("global options").and_then(Value::as_object);
    let own = jobs.first().and_then(|job| job.get("job options")).and_then(Value::as_object);
    for (key, value) in options.into_iter().chain(own).flatten() {
        // File names and ids differ from run to run and change nothing.
        let local = ["filename", "directory", "name", "output", "description", "filename_format"];
        if !local.contains(&key.as_str()) && let Some(value) = value.words() {
            reading.parameters.insert(key.clone(), value.to_owned());
        }
    }
    Ok(reading)
}

fn fields(part: &Value) -> Vec<(&'static str, f64)> {
    let at = |path: &[&str]| part.at(path).and_then(Reach::number);
    // Before fio 3.0 latencies were microseconds under another name.
    let latency = |group: &str, what: &str| {
        at(&[&format!("{group}_ns"), what]).or_else(|| at(&[group, what]).map(|usec| usec * 1000.0))
    };
    let list = [
        ("iops", at(&["iops"])),
        ("bw", at(&["bw"])),
        ("lat_mean", latency("lat", "mean")),
        ("clat_mean", latency("clat", "mean")),
        ("slat_mean", latency("slat", "mean")),
        ("clat_p50", at(&["clat_ns", "percentile", "50.000000"])),
        ("clat_p99", at(&["clat_ns", "percentile", "99.000000"])),
        ("clat_p99.9", at(&["clat_ns", "percentile", "99.900000"])),
        ("clat_max", latency("clat", "max")),
    ];
    list.into_iter().filter_map(|(name, value)| Some((name, value.filter(|value| *value > 0.0)?))).collect()
}
