//! Bencher Metric Format: `{benchmark: {measure: {value}}}`.

use serde_json::Value;

use super::Format;
use crate::bench::content::{Content, Reach};
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "bencher", about: "Bencher Metric Format", claims, read };

fn claims(content: &Content<'_>) -> bool {
    let members = content.json.as_ref().and_then(Value::as_object);
    members.is_some_and(|members| {
        !members.is_empty()
            && members.values().all(|measures| {
                measures
                    .as_object()
                    .is_some_and(|measures| !measures.is_empty() && measures.values().all(|measure| measure.get("value").is_some()))
            })
    })
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut column = Column::default();
    for (benchmark, measures) in content.json.as_ref().and_then(Value::as_object).into_iter().flatten() {
        for (measure, value) in measures.as_object().into_iter().flatten() {
            // The two built-in measures; what others mean is known to the server only.
            let (unit, direction) = match measure.as_str() {
                "latency" => ("ns", Some(Direction::Lower)),
                "throughput" => ("ops/s", Some(Direction::Higher)),
                _ => ("", None),
            };
            let row = column.row(format!("{benchmark}.{measure}"), unit).run(value.get("value").and_then(Reach::number));
            row.direction = direction;
        }
    }
    Ok(Reading::single("bencher", "bencher", column))
}
