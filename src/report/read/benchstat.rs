//! Tables of Go's `benchstat`: `name old time/op new time/op delta`, and the newer one with `sec/op` and `vs base`.

use std::sync::LazyLock;

use regex::Regex;

use super::foreign::{self, WIDEST};
use super::line::Line;
use super::number::{printed, scaled};
use super::pattern;
use super::scan::Scan;
use crate::report::{Row, RowUnit};

static OLD_HEAD: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^name\s+old (\S+)\s+new (\S+)\s+delta$"));
/// A mean with its spread: `13.6ms ± 1%`, `1.234µ ± ∞ ¹`, or the mean alone.
static VALUE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(\d[\d.]*)([A-Za-zµμ%/]*)(?:\s*(?:±|\+-|~)\s*(?:(\d+)%|∞(?:\s+[¹²³⁴]+)?))?\s*")
});
static DELTA: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:~|([+-]\d[\d.]*)%|\?)\s*(?:\((?:p=[\d.]+ )?(?:n=[\d+]+)?[^)]*\))?(?:\s+[¹²³⁴]+)*\s*",
    )
});

/// Reads a table from its head.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let text = lines[at].trim();
    if let Some(c) = OLD_HEAD.captures(text).filter(|c| c[1] == c[2]) {
        let labels = ["old".to_owned(), "new".to_owned()];
        return Some(1 + body(scan, lines, at + 1, &c[1], &labels));
    }
    if !text.contains("vs base") || !text.starts_with(['│', '|']) {
        return None;
    }
    // Two lines of head: the files, then the unit of each.
    let units = columns(text);
    let unit = units.first()?.split_whitespace().next()?.to_owned();
    let files = lines[..at].last().map(|l| columns(l.trim()))?;
    let labels: Vec<String> = files.iter().map(|f| (*f).to_owned()).collect();
    if labels.len() != units.len() || !(2..=WIDEST).contains(&labels.len()) {
        return None;
    }
    Some(1 + body(scan, lines, at + 1, &unit, &labels))
}

fn columns(text: &str) -> Vec<&str> {
    text.split(['│', '|']).map(str::trim).filter(|c| !c.is_empty()).collect()
}

fn body(scan: &mut Scan, lines: &[Line], start: usize, unit: &str, labels: &[String]) -> usize {
    let depth = lines[start - 1].depth;
    let mut rows = Vec::new();
    let mut end = start;
    while let Some(line) = lines.get(end).filter(|l| l.depth == depth && !l.is_blank()) {
        let text = line.trim();
        match row(text, unit, labels) {
            Some(more) => rows.extend(more),
            None if text.split_whitespace().count() > 2 && text.contains('%') => {
                scan.defect(line, "not a row of benchstat", text);
            }
            None => break,
        }
        end += 1;
    }
    if !rows.is_empty() {
        foreign::push(scan, &lines[start - 1], "benchstat", None, labels, rows, None);
    }
    end - start
}

fn row(text: &str, unit: &str, labels: &[String]) -> Option<Vec<Row>> {
    let (name, mut rest) = text.split_once(char::is_whitespace)?;
    let (base, spread) = value(&mut rest)?;
    let mut rows = Vec::new();
    for i in 1..labels.len() {
        let (head, head_spread) = value(&mut rest)?;
        let delta = DELTA.captures(rest)?;
        let change = delta.get(1).and_then(|d| printed(d.as_str())).map(|p| p.value);
        rest = &rest[delta.get(0)?.end()..];
        let label = |i: usize| (labels.len() > 2).then(|| labels[i].clone());
        rows.push(Row {
            metric: format!("{name} {unit}"),
            base: Some(base),
            base_stddev_percent: spread,
            change,
            change_unit: RowUnit::Percent,
            head: Some(head),
            head_stddev_percent: head_spread,
            base_label: label(0),
            head_label: label(i),
        });
    }
    rest.is_empty().then_some(rows)
}

/// Takes a value off the front, in its base unit.
fn value(rest: &mut &str) -> Option<(f64, Option<f64>)> {
    *rest = rest.trim_start();
    let c = VALUE.captures(rest)?;
    let number = match scale(&c[2])? {
        Scale::Ten(exponent) => scaled(&c[1], exponent)?,
        Scale::Two(exponent) => printed(&c[1])?.value * 2f64.powi(exponent),
    };
    let spread = c.get(3).and_then(|s| s.as_str().parse().ok());
    *rest = &rest[c.get(0)?.end()..];
    Some((number, spread))
}

/// Power of ten or of two.
enum Scale {
    Ten(i32),
    Two(i32),
}

/// What the letters behind a number multiply it with.
fn scale(unit: &str) -> Option<Scale> {
    Some(match unit {
        "" | "s" | "B" | "B/s" | "%" => Scale::Ten(0),
        "n" | "ns" => Scale::Ten(-9),
        "µ" | "μ" | "u" | "µs" | "μs" | "us" => Scale::Ten(-6),
        "m" | "ms" => Scale::Ten(-3),
        "k" | "K" | "kB" | "kB/s" => Scale::Ten(3),
        "M" | "MB" | "MB/s" => Scale::Ten(6),
        "G" | "GB" | "GB/s" => Scale::Ten(9),
        "T" | "TB" | "TB/s" => Scale::Ten(12),
        "Ki" | "KiB" | "KiB/s" => Scale::Two(10),
        "Mi" | "MiB" | "MiB/s" => Scale::Two(20),
        "Gi" | "GiB" | "GiB/s" => Scale::Two(30),
        _ => return None,
    })
}
