//! Plain CSV or TSV with a header.
//!
//! * long: `metric`, `value`, and if wanted `unit`, `direction`, `side` (`base` or `head`), `run`: a line a value;
//! * wide: `metric` and columns headed `base...` and `head...`: a line a metric, a column a run;
//! * tidy: any other numeric columns, each a metric, a line a run.

use super::Format;
use crate::bench::content::Content;
use crate::bench::problem::{Problem, clip};
use crate::bench::reading::Columns;
use crate::bench::{Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "table", about: "CSV or TSV with a header", claims, read };

const METRIC: &[&str] = &["metric", "name", "benchmark", "test", "measure"];
const VALUE: &[&str] = &["value", "result", "sample", "score", "time"];
const UNIT: &[&str] = &["unit", "units"];
const DIRECTION: &[&str] = &["direction", "better"];
const SIDE: &[&str] = &["side", "version", "commit", "kernel"];
const SKIPPED: &[&str] = &["run", "iteration", "index", "date", "timestamp", "host", "machine", "id"];

fn separator(line: &str) -> Option<u8> {
    [b'\t', b',', b';'].into_iter().find(|separator| line.as_bytes().contains(separator))
}

fn claims(content: &Content<'_>) -> bool {
    if content.json.is_some() || !content.lines.is_empty() || content.text.trim_start().starts_with('<') {
        return false;
    }
    let mut lines = content.text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let (Some(header), Some(first)) = (lines.next(), lines.next()) else { return false };
    let Some(separator) = separator(header) else { return false };
    let words = header.split(char::from(separator)).all(|cell| cell.trim().trim_matches('"').parse::<f64>().is_err());
    let numbers = first.split(char::from(separator)).any(|cell| cell.trim().trim_matches('"').parse::<f64>().is_ok());
    words && numbers && header.matches(char::from(separator)).count() == first.matches(char::from(separator)).count()
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let line = content.text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')).unwrap_or_default();
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator(line).unwrap_or(b','))
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(content.text.as_bytes());
    let broken = |error: csv::Error| content.problem("not-a-table", clip(&error.to_string()), "as many cells as the header has");
    let header: Vec<String> = reader.headers().map_err(broken)?.iter().map(str::to_owned).collect();
    let lower: Vec<String> = header.iter().map(|name| name.to_lowercase()).collect();
    let find = |names: &[&str]| lower.iter().position(|name| names.contains(&name.as_str()));
    let sides: Vec<(usize, usize)> = lower
        .iter()
        .enumerate()
        .filter_map(|(at, name)| match (name.starts_with("base"), name.starts_with("head")) {
            (true, _) => Some((at, 0)),
            (_, true) => Some((at, 1)),
            _ => None,
        })
        .collect();
    let records: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().map_err(broken)?;
    let mut table = Table::default();
    let cell = |record: &'_ csv::StringRecord, at: Option<usize>| at.and_then(|at| record.get(at)).unwrap_or_default().to_owned();
    match (find(METRIC), find(VALUE)) {
        (Some(metric), _) if !sides.is_empty() => {
            for record in &records {
                for &(at, side) in &sides {
                    let label = if side == 0 { "base" } else { "head" };
                    let value = number(content, record, at)?;
                    let (unit, direction) = (cell(record, find(UNIT)), cell(record, find(DIRECTION)));
                    table.add(label, &cell(record, Some(metric)), &unit, &direction, value);
                }
            }
        }
        (Some(metric), Some(value)) => {
            for record in &records {
                let side = cell(record, find(SIDE));
                let (unit, direction) = (cell(record, find(UNIT)), cell(record, find(DIRECTION)));
                let value = number(content, record, value)?;
                table.add(&side, &cell(record, Some(metric)), &unit, &direction, value);
            }
        }
        _ => {
            let side = find(SIDE);
            let numeric = |at: usize| {
                Some(at) != side
                    && !SKIPPED.contains(&lower[at].as_str())
                    && records.iter().any(|record| record.get(at).is_some_and(|cell| cell.parse::<f64>().is_ok()))
                    && records.iter().all(|record| record.get(at).is_some_and(|cell| cell.is_empty() || cell.parse::<f64>().is_ok()))
            };
            let columns: Vec<usize> = (0..header.len()).filter(|at| numeric(*at)).collect();
            for record in &records {
                for &at in &columns {
                    let value = number(content, record, at)?;
                    table.add(&cell(record, side), &header[at], "", "", value);
                }
            }
        }
    }
    Ok(Reading { format: "table", test: "table".to_owned(), columns: table.columns.into_list(), ..Reading::default() })
}

/// An empty cell, `NaN` and `-` are a missing run; anything else must be a number.
fn number(content: &Content<'_>, record: &csv::StringRecord, at: usize) -> Result<Option<f64>, Vec<Problem>> {
    let cell = record.get(at).unwrap_or_default();
    if matches!(cell.to_lowercase().as_str(), "" | "-" | "nan" | "na" | "n/a" | "null") {
        return Ok(None);
    }
    let finite = cell.parse::<f64>().ok().filter(|value| value.is_finite() && value.abs() <= crate::bench::MAX_VALUE);
    finite.map(Some).ok_or_else(|| {
        let line = record.position().map_or(0, csv::Position::line) as usize;
        let found = format!("\"{}\"", clip(cell));
        vec![Problem::at(content.name, format!("column {}", at + 1), "not-a-number", found, "a number, or an empty cell").on_line(line)]
    })
}

#[derive(Default)]
struct Table {
    columns: Columns,
}

impl Table {
    fn add(&mut self, side: &str, metric: &str, unit: &str, direction: &str, value: Option<f64>) {
        let label = (!side.is_empty()).then(|| side.to_owned());
        let row = self.columns.of(label).row(metric, unit);
        match direction.to_lowercase().as_str() {
            "higher" => row.better(Direction::Higher),
            "lower" => row.better(Direction::Lower),
            _ => row,
        };
        row.run(value);
    }
}
