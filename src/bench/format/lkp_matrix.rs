//! LKP `matrix.json` of a multi-run result root: column i is run i. Missing is padded with 0 there, and is not zero here.

use serde_json::Value;

use super::Format;
use crate::bench::content::{Content, Reach};
use crate::bench::problem::Problem;
use crate::bench::{Column, Reading};

pub(super) const FORMAT: Format = Format { id: "lkp-matrix", about: "LKP matrix.json", claims, read };

const INCOMPLETE: &str = "last_state.is_incomplete_run";

fn claims(content: &Content<'_>) -> bool {
    content.get("stats_source").is_some_and(Value::is_array)
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let members = content.json.as_ref().and_then(Value::as_object);
    let runs = content.get("stats_source").map(Reach::items).unwrap_or_default().len();
    let broken: Vec<bool> = content
        .get(INCOMPLETE)
        .map(Reach::items)
        .unwrap_or_default()
        .iter()
        .map(|value| value.number() == Some(1.0))
        .collect();
    let mut column = Column::default();
    let mut padded = 0usize;
    for (name, value) in members.into_iter().flatten() {
        let Value::Array(cells) = value else { continue };
        if name == "stats_source" || name == INCOMPLETE {
            continue;
        }
        let values: Vec<Option<f64>> = (0..runs.max(cells.len()))
            .map(|i| cells.get(i).and_then(Reach::number).filter(|_| !broken.get(i).copied().unwrap_or(false)))
            .collect();
        let kept = without_padding(&values, cells);
        padded += values.iter().flatten().count() - kept.iter().flatten().count();
        let row = column.row(name.clone(), "");
        kept.into_iter().for_each(|value| {
            row.run(value);
        });
        super::lkp_stats::class(row);
    }
    let mut reading = Reading::single("lkp-matrix", "lkp", column);
    if padded > 0 {
        reading.notes.push(format!("padding: {padded} padded or empty samples were taken for missing"));
    }
    Ok(reading)
}

/// -1 stands for an empty sample. An integer 0 far away from all others, which agree, is padding.
fn without_padding(values: &[Option<f64>], cells: &[Value]) -> Vec<Option<f64>> {
    let real: Vec<f64> = values.iter().flatten().copied().filter(|value| *value != 0.0 && *value != -1.0).collect();
    let low = real.iter().copied().fold(f64::INFINITY, f64::min);
    let high = real.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let zeros = values.iter().flatten().filter(|value| **value == 0.0).count();
    let agree = real.len() >= 2 && real.len() > zeros && low > 0.0 && high <= 1.5 * low;
    let integer = |i: usize| cells.get(i).is_some_and(|cell| cell.is_i64() || cell.is_u64());
    let empty = |i: usize, value: f64| (value == -1.0 && low > 0.0) || (value == 0.0 && agree && integer(i));
    values.iter().enumerate().map(|(i, value)| value.filter(|value| !empty(i, *value))).collect()
}
