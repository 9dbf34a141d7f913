//! The box of a functional report: how often each failure was seen on each kernel.

use super::line::Line;
use super::scan::Scan;
use crate::report::Failure;

/// True for the head row: a blank, then the kernels.
pub(super) fn is_head(cells: &[String]) -> bool {
    cells.len() >= 3
        && cells.len() <= 64
        && cells[0].is_empty()
        && cells[1..].iter().all(|c| !c.is_empty() && !c.contains(' ') && c.len() <= 64)
}

/// Failures of every kernel against the first. The runs are the boots that succeeded and those that failed.
pub(super) fn read(scan: &mut Scan, lines: &[Line], rows: &[(usize, Vec<String>)]) -> Vec<Failure> {
    let Some(((_, head), rows)) = rows.split_first() else {
        return Vec::new();
    };
    let kernels = head.len() - 1;
    let mut counted: Vec<(String, Vec<u32>)> = Vec::new();
    for (at, cells) in rows {
        match counts(cells, kernels) {
            Some(row) => counted.push(row),
            None => scan.defect(&lines[*at], "not a row of failure counts", &cells.join(" | ")),
        }
    }
    let named = |name: &str| counted.iter().find(|(n, _)| *n == name).map(|(_, c)| c);
    // Later reports leave the boots out: then the runs are not known.
    let runs: Vec<u32> = match (named("boot_successes"), named("boot_failures")) {
        (Some(good), Some(bad)) => {
            good.iter().zip(bad).map(|(g, b)| g.saturating_add(*b)).collect()
        }
        _ => vec![0; kernels],
    };
    let is_boot = |name: &str| name.starts_with("boot_");
    let only_boots = counted.iter().all(|(name, _)| is_boot(name));
    counted
        .iter()
        .filter(|(name, _)| !is_boot(name) || only_boots && name == "boot_failures")
        .flat_map(|(name, counts)| {
            let label = |i: usize| (kernels > 2).then(|| head[i + 1].clone());
            let runs = &runs;
            (1..kernels).map(move |i| Failure {
                metric: name.clone(),
                base_fails: counts[0],
                base_runs: runs[0],
                head_fails: counts[i],
                head_runs: runs[i],
                base_label: label(0),
                head_label: label(i),
            })
        })
        .collect()
}

/// A blank is no occurrence. A name may hold bars itself.
fn counts(cells: &[String], kernels: usize) -> Option<(String, Vec<u32>)> {
    let (name, counts) = cells.split_at_checked(cells.len().checked_sub(kernels)?)?;
    let count = |c: &String| {
        if c.is_empty() { Some(0) } else { c.parse().ok() }
    };
    let counts = counts.iter().map(count).collect::<Option<_>>()?;
    let name = name.join("|");
    (!name.is_empty()).then_some((name, counts))
}
