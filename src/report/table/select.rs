//! Which rows a table shows, and in which order.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use crate::report::Finding;
use crate::report::brief::changed;
use crate::stats::{Change, Class, Summary};

use super::{Cell, Delta, FailureRow, MetricRow, Rows, Slot};

pub(super) struct Picked {
    pub(super) rows: Vec<MetricRow>,
    pub(super) hidden_kpis: usize,
    pub(super) hidden_monitors: usize,
}

/// Kpis first in the order given, then the surest monitors, grouped as LKP groups them.
pub(super) fn rows(findings: &[&Finding], limit: Rows) -> Picked {
    let mut kpis: Vec<(&Change, MetricRow)> = Vec::new();
    let mut monitors: Vec<(&Change, MetricRow)> = Vec::new();
    let mut seen = HashSet::new();
    for change in findings.iter().flat_map(|f| &f.changes) {
        if !seen.insert(change.metric.as_str()) {
            continue;
        }
        let row = row(findings, change);
        // A kpi that was found changed is never silent, however small it prints.
        if (1..row.slots.len()).all(|c| row.delta(c).is_silent()) && !change.raises() {
            continue;
        }
        match change.class {
            Class::Kpi => kpis.push((change, row)),
            Class::Monitor if changed(change.kind) => monitors.push((change, row)),
            Class::Monitor => {}
        }
    }
    kpis.sort_by_key(|(c, _)| !changed(c.kind));
    monitors.sort_by(|(a, _), (b, _)| surest_first(a, b));
    let hidden_kpis = kpis.len().saturating_sub(limit.kpis);
    let hidden_monitors = monitors.len().saturating_sub(limit.monitors);
    kpis.truncate(limit.kpis);
    monitors.truncate(limit.monitors);
    let test = findings.first().map_or("", |f| f.notification.test.name.as_str());
    let mut rows: Vec<MetricRow> = kpis.into_iter().map(|(_, row)| row).collect();
    rows.extend(grouped(monitors.into_iter().map(|(_, row)| row).collect(), test));
    Picked { rows, hidden_kpis, hidden_monitors }
}

/// Failures whose rate differs in any column, worst first.
pub(super) fn failures(findings: &[&Finding]) -> Vec<FailureRow> {
    let mut rows: Vec<FailureRow> = Vec::new();
    let mut seen = HashSet::new();
    for failure in findings.iter().flat_map(|f| &f.notification.failures) {
        if !seen.insert(failure.name.as_str()) {
            continue;
        }
        let of =
            |f: &&Finding| f.notification.failures.iter().find(|x| x.name == failure.name).cloned();
        let mut cells = vec![Some((failure.base.fails, failure.base.runs))];
        cells.extend(findings.iter().map(|f| of(f).map(|x| (x.head.fails, x.head.runs))));
        rows.push(FailureRow { name: failure.name.clone(), cells });
    }
    let worst = |row: &FailureRow| {
        (1..row.cells.len())
            .filter_map(|c| row.delta(c))
            .max_by(|a, b| a.abs().total_cmp(&b.abs()))
            .unwrap_or(0.0)
    };
    rows.retain(|row| worst(row) != 0.0);
    rows.sort_by(|a, b| worst(b).total_cmp(&worst(a)));
    rows.truncate(MOST_FAILURES);
    rows
}

const MOST_FAILURES: usize = 30;

fn row(findings: &[&Finding], change: &Change) -> MetricRow {
    let name = change.metric.as_str();
    let side = |f: &Finding, head: bool| {
        // Runs travel with the notification; a change that was read back from JSON has its summaries only.
        let cell = match f.metric(name) {
            Some(metric) => Cell::of(if head { &metric.head } else { &metric.base }),
            None => match f.changes.iter().find(|c| c.metric == name) {
                Some(change) => summary(if head { &change.head } else { &change.base }),
                None => return Slot::Unknown,
            },
        };
        cell.map_or(Slot::Empty, Slot::Runs)
    };
    let base = findings.iter().map(|f| side(f, false)).find(|slot| *slot != Slot::Unknown);
    let mut slots = vec![base.unwrap_or(Slot::Unknown)];
    slots.extend(findings.iter().map(|f| side(f, true)));
    let percentage = name.ends_with('%') || change.bounded || change.unit.as_deref() == Some("%");
    MetricRow {
        metric: name.to_owned(),
        absolute: percentage || name.starts_with("perf-profile"),
        slots,
    }
}

fn summary(side: &Summary) -> Option<Cell> {
    let mean = side.mean?;
    let n = side.n as f64;
    let spread = side.stddev.filter(|_| mean != 0.0 && n >= 2.0);
    Some(Cell {
        mean,
        spread_percent: spread.map(|s| 100.0 * s * ((n - 1.0) / n).sqrt() / mean.abs()),
    })
}

fn surest_first(a: &Change, b: &Change) -> Ordering {
    let t = |c: &Change| c.t.map_or(-1.0, f64::abs);
    let size = |c: &Change| c.change_percent.map_or(0.0, f64::abs);
    t(b).total_cmp(&t(a)).then(size(b).total_cmp(&size(a))).then(a.metric.cmp(&b.metric))
}

/// The test's own rows first, then small groups before large ones; inside a group by name, profiles by their change.
fn grouped(mut rows: Vec<MetricRow>, test: &str) -> Vec<MetricRow> {
    let mut sizes: HashMap<String, usize> = HashMap::new();
    for row in &rows {
        *sizes.entry(group(&row.metric).to_owned()).or_default() += 1;
    }
    let weight = |row: &MetricRow| {
        let group = group(&row.metric);
        if group == test { 0 } else { sizes.get(group).copied().unwrap_or(0) }
    };
    let key = |name: &str| -> String {
        if name.starts_with("perf-profile") {
            name.splitn(3, '.').take(2).collect::<Vec<_>>().join(".")
        } else {
            name.to_owned()
        }
    };
    let change = |row: &MetricRow| match row.delta(1) {
        Delta::Percent(v) | Delta::Absolute(v) => v,
        _ => f64::INFINITY,
    };
    rows.sort_by(|a, b| {
        weight(a)
            .cmp(&weight(b))
            .then_with(|| group(&a.metric).cmp(group(&b.metric)))
            .then_with(|| key(&a.metric).cmp(&key(&b.metric)))
            .then_with(|| change(a).total_cmp(&change(b)))
    });
    rows
}

fn group(metric: &str) -> &str {
    metric.split('.').next().unwrap_or(metric)
}
