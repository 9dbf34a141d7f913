//! MMTests `parse-results`: six tab columns (metric, factor, factor, interval, value, extra), `_` for none.

use super::Format;
use crate::bench::content::Content;
use crate::bench::problem::Problem;
use crate::bench::{Column, Reading};

pub(super) const FORMAT: Format = Format { id: "mmtests-tsv", about: "MMTests parse-results", claims, read };

fn fields(line: &str) -> Option<[&str; 6]> {
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    let fields: [&str; 6] = fields.try_into().ok()?;
    (!fields[0].is_empty() && fields[4].parse::<f64>().is_ok()).then_some(fields)
}

fn claims(content: &Content<'_>) -> bool {
    let mut lines = content.text.lines().filter(|line| !line.trim().is_empty()).peekable();
    lines.peek().is_some() && lines.take(5).all(|line| fields(line).is_some())
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut order: Vec<String> = Vec::new();
    let mut samples: std::collections::BTreeMap<String, Vec<f64>> = std::collections::BTreeMap::new();
    for [metric, a, b, _, value, _] in content.text.lines().filter_map(fields) {
        let name = [metric, a, b].into_iter().filter(|part| !part.is_empty() && *part != "_").collect::<Vec<_>>().join("-");
        if !samples.contains_key(&name) {
            order.push(name.clone());
        }
        samples.entry(name).or_default().extend(value.parse::<f64>().ok());
    }
    let mut column = Column::default();
    for name in order {
        let values = samples.remove(&name).unwrap_or_default();
        column.row(name, "").repeated(&values);
    }
    Ok(Reading::single("mmtests-tsv", "mmtests", column))
}
