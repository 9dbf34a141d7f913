//! hyperfine `--export-json`: wall seconds of each repetition of a command.

use super::Format;
use crate::bench::content::{Content, Reach};
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "hyperfine", about: "hyperfine --export-json", claims, read };

fn claims(content: &Content<'_>) -> bool {
    let first = content.get("results").and_then(|results| results.items().first());
    first.is_some_and(|result| result.get("command").is_some() && (result.get("times").is_some() || result.get("mean").is_some()))
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut column = Column::default();
    for result in content.get("results").map(Reach::items).unwrap_or_default() {
        let mut name = result.get("command").and_then(Reach::words).unwrap_or("command").to_owned();
        for (key, value) in result.get("parameters").and_then(serde_json::Value::as_object).into_iter().flatten() {
            name += &format!(" {key}={}", value.words().map_or_else(|| value.to_string(), str::to_owned));
        }
        let name = format!("hyperfine.{name}");
        let codes = result.get("exit_codes").map(Reach::items).unwrap_or_default();
        let times = result.get("times").map(Reach::items).unwrap_or_default();
        let good = |i: usize| codes.get(i).is_none_or(|code| code.number() == Some(0.0));
        let times: Vec<f64> =
            times.iter().enumerate().filter(|(i, _)| good(*i)).filter_map(|(_, time)| time.number()).collect();
        let row = column.row(name.clone(), "s").better(Direction::Lower);
        if times.is_empty() && codes.is_empty() {
            row.run(result.get("median").or_else(|| result.get("mean")).and_then(Reach::number));
        } else {
            row.repeated(&times);
        }
        for part in ["user", "system"] {
            if let Some(value) = result.get(part).and_then(Reach::number) {
                column.row(format!("{name}.{part}"), "s").better(Direction::Lower).monitor().run(Some(value));
            }
        }
    }
    Ok(Reading::single("hyperfine", "hyperfine", column))
}
