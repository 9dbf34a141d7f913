//! `perf stat -x,` (or `;`, `|`, tab): value, unit, event, then runtime; a timestamp (`-I`) or cpu ids may stand before.

use super::Format;
use crate::bench::content::Content;
use crate::bench::problem::Problem;
use crate::bench::{Column, Reading};

pub(super) const FORMAT: Format = Format { id: "perf-stat-csv", about: "perf stat -x,", claims, read };

struct Line<'a> {
    value: Option<f64>,
    unit: &'a str,
    event: &'a str,
}

fn lines<'a>(content: &Content<'a>) -> impl Iterator<Item = &'a str> {
    content.text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
}

fn claims(content: &Content<'_>) -> bool {
    content.json.is_none() && lines(content).take(3).count() > 0 && lines(content).take(3).all(|line| parse(line).is_some())
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut order: Vec<(String, String)> = Vec::new();
    let mut values: std::collections::BTreeMap<String, Vec<f64>> = std::collections::BTreeMap::new();
    for line in lines(content).filter_map(parse) {
        let name = format!("perf-stat.{}", line.event);
        if !values.contains_key(&name) {
            order.push((name.clone(), super::perf_json::unit(line.unit).to_owned()));
        }
        values.entry(name).or_default().extend(line.value);
    }
    let mut column = Column::default();
    for (name, unit) in order {
        // With -I each interval is a repeat.
        let repeats = values.remove(&name).unwrap_or_default();
        column.row(name, &unit).repeated(&repeats);
    }
    Ok(Reading::single("perf-stat-csv", "perf-stat", column))
}

/// The event is the first field that is a word and stands two behind a number or a `<not ...>`.
fn parse(line: &str) -> Option<Line<'_>> {
    let separator = [',', ';', '|', '\t'].into_iter().find(|c| line.matches(*c).count() >= 4)?;
    let fields: Vec<&str> = line.split(separator).map(str::trim).collect();
    let is_value = |text: &str| text.parse::<f64>().is_ok() || matches!(text, "<not counted>" | "<not supported>");
    for at in 0..fields.len().saturating_sub(4).min(5) {
        let (value, unit, event) = (fields[at], fields[at + 1], fields[at + 2]);
        // With -r the variance stands between: `7.14%`.
        let skip = usize::from(fields[at + 3].ends_with('%'));
        let Some([runtime, share]) = fields.get(at + 3 + skip..at + 5 + skip).and_then(|two| <[&str; 2]>::try_from(two).ok())
        else {
            continue;
        };
        let runtime = runtime.parse::<u64>().is_ok();
        let word = event.starts_with(|c: char| c.is_ascii_alphabetic()) && !event.contains(' ');
        let unit_like = unit.is_empty() || unit.starts_with(|c: char| c.is_ascii_alphabetic() || c == '%');
        if is_value(value) && word && runtime && unit_like && share.parse::<f64>().is_ok() {
            return Some(Line { value: value.parse().ok(), unit, event });
        }
    }
    None
}
