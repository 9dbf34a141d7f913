//! Tables and outputs of other tools, where they can be told apart with certainty.

use super::line::Line;
use super::scan::{Fact, Scan};
use super::{benchstat, hyperfine, mmtests, sysbench};
use crate::report::{Column, Row, RowUnit, Table};

/// A wider comparison is none.
pub(super) const WIDEST: usize = 32;

/// One measured side, until the others are found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    pub(super) source: &'static str,
    /// What the mail calls this side.
    pub(super) label: Option<String>,
    /// Metric, mean, and spread in percent of the mean.
    pub(super) values: Vec<(String, f64, Option<f64>)>,
    pub(super) depth: usize,
    pub(super) number: usize,
}

/// Asks each tool's reader.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    mmtests::read(scan, lines, at)
        .or_else(|| benchstat::read(scan, lines, at))
        .or_else(|| hyperfine::read(scan, lines, at))
        .or_else(|| sysbench::read(scan, lines, at))
}

/// Compares the runs of one tool at one depth of quoting with the first of them.
pub(super) fn finish(scan: &mut Scan) {
    let runs = std::mem::take(&mut scan.runs);
    let mut rest: &[Run] = &runs;
    while let Some(first) = rest.first() {
        let same = |r: &&Run| r.source == first.source && r.depth == first.depth;
        let group: Vec<&Run> = rest.iter().take_while(same).take(WIDEST).collect();
        rest = &rest[group.len()..];
        let line = Line { depth: first.depth, text: first.source.into(), number: first.number };
        if group.len() < 2 || group.iter().any(|r| r.label.is_none()) {
            scan.defect(&line, "a result without saying what it is compared with", first.source);
            continue;
        }
        let labels: Vec<String> = group.iter().filter_map(|r| r.label.clone()).collect();
        let rows = first.values.iter().flat_map(|(metric, base, spread)| {
            let (group, labels) = (&group, &labels);
            (1..group.len()).filter_map(move |i| {
                let (_, head, head_spread) = group[i].values.iter().find(|v| v.0 == *metric)?;
                let label = |i: usize| (labels.len() > 2).then(|| labels[i].clone());
                Some(Row {
                    metric: metric.clone(),
                    base: Some(*base),
                    base_stddev_percent: *spread,
                    change: None,
                    change_unit: RowUnit::Percent,
                    head: Some(*head),
                    head_stddev_percent: *head_spread,
                    base_label: label(0),
                    head_label: label(i),
                })
            })
        });
        let rows = rows.collect();
        push(scan, &line, first.source, None, &labels, rows, None);
    }
}

/// Records a table with its rows.
pub(super) fn push(
    scan: &mut Scan,
    line: &Line,
    source: &'static str,
    caption: Option<String>,
    labels: &[String],
    rows: Vec<Row>,
    test: Option<String>,
) {
    let columns =
        labels.iter().map(|label| Column { label: label.clone(), subject: None }).collect();
    let table = scan.tables.len();
    scan.tables.push(Table { caption, columns, depth: line.depth, ..Table::default() });
    scan.push(line, Fact::Foreign { source, table, rows, test });
}
