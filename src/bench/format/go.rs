//! Go benchmarks (the benchfmt of `go test -bench`): lines of one execution are repeats, a new header begins a run.

use std::collections::{BTreeMap, HashSet};

use super::Format;
use crate::bench::content::Content;
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "go", about: "go test -bench", claims, read };

struct Line<'a> {
    name: &'a str,
    pairs: Vec<(f64, &'a str)>,
}

fn parse(line: &str) -> Option<Line<'_>> {
    let mut words = line.split_whitespace();
    let name = words.next()?.strip_prefix("Benchmark")?;
    words.next()?.parse::<u64>().ok()?;
    let rest: Vec<&str> = words.collect();
    let pairs: Option<Vec<(f64, &str)>> =
        rest.chunks_exact(2).map(|pair| Some((pair[0].parse::<f64>().ok()?, pair[1]))).collect();
    let pairs = pairs.filter(|pairs| !pairs.is_empty() && rest.len().is_multiple_of(2))?;
    Some(Line { name, pairs })
}

fn claims(content: &Content<'_>) -> bool {
    content.text.lines().take(5000).any(|line| parse(line).is_some())
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut reading = Reading { format: "go", test: "go".to_owned(), ..Reading::default() };
    let mut better: BTreeMap<String, Direction> = BTreeMap::new();
    let mut column = Column::default();
    let mut open: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    let mut order: Vec<(String, String)> = Vec::new();
    let mut seen: HashSet<(String, String)> = HashSet::new();
    let mut pkg = String::new();
    for line in content.text.lines() {
        if let Some(rest) = line.strip_prefix("Unit ") {
            let mut words = rest.split_whitespace();
            let unit = words.next().unwrap_or_default().to_owned();
            for word in words {
                match word {
                    "better=higher" => better.insert(unit.clone(), Direction::Higher),
                    "better=lower" => better.insert(unit.clone(), Direction::Lower),
                    _ => None,
                };
            }
        } else if let Some(found) = parse(line) {
            let name = processors(found.name);
            for (value, unit) in found.pairs {
                let name = if pkg.is_empty() { name.to_owned() } else { format!("{pkg}.{name}") };
                let key = (name, unit.to_owned());
                if seen.insert(key.clone()) {
                    order.push(key.clone());
                }
                open.entry(key).or_default().push(value);
            }
        } else if let Some((key, value)) = line.split_once(": ") {
            match key {
                "goos" => {
                    flush(&mut column, &mut open, &order);
                    reading.facts.insert("goos".to_owned(), value.trim().to_owned());
                }
                "goarch" | "cpu" => {
                    reading.facts.insert(key.to_owned(), value.trim().to_owned());
                }
                "pkg" => pkg = value.trim().rsplit('/').next().unwrap_or_default().to_owned(),
                _ => {}
            }
        }
    }
    flush(&mut column, &mut open, &order);
    for row in &mut column.rows {
        let Some((_, unit)) = row.name.rsplit_once('|') else { continue };
        let stated = better.get(unit).copied();
        row.direction = stated.or_else(|| crate::bench::Unit::parse(unit).and_then(|unit| unit.direction));
        // Time may raise a report; bytes and allocations explain it.
        if !matches!(unit, "ns/op" | "MB/s") && stated.is_none() {
            row.kpi = Some(false);
        }
        row.name = row.name.replace('|', " ");
    }
    reading.columns.push(column);
    Ok(reading)
}

fn flush(column: &mut Column, open: &mut BTreeMap<(String, String), Vec<f64>>, order: &[(String, String)]) {
    for key in order {
        if let Some(repeats) = open.remove(key) {
            column.row(format!("{}|{}", key.0, key.1), &key.1).repeated(&repeats);
        }
    }
}

/// Without the `-8` of GOMAXPROCS.
fn processors(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((base, count)) if !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit()) => base,
        _ => name,
    }
}
