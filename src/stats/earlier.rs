//! Earlier results from files: histories of every metric, and the noise that they teach.

use std::collections::BTreeMap;

use crate::bench::{Knowledge, Reading};

use super::noise::{Measured, prior};
use super::prior::Prior;

/// The history of every metric in readings of earlier commits, oldest first.
///
/// A reading of several columns holds a commit a column (a table with a `commit` column); one of a single column is one commit,
/// by its label or else by its place.
pub fn histories(readings: &[Reading]) -> BTreeMap<String, Vec<Measured>> {
    let mut histories: BTreeMap<String, Vec<Measured>> = BTreeMap::new();
    for (place, reading) in readings.iter().enumerate() {
        for column in &reading.columns {
            let commit = column.label.clone().unwrap_or_else(|| format!("#{}", place + 1));
            for row in &column.rows {
                let measured = Measured { commit: commit.clone(), runs: row.runs.clone() };
                histories.entry(row.name.clone()).or_default().push(measured);
            }
        }
    }
    histories
}

/// What histories teach about the noise of their metrics.
pub fn learn(histories: &BTreeMap<String, Vec<Measured>>, knowledge: &Knowledge) -> Prior {
    prior(histories.iter().map(|(name, history)| {
        let resolved = knowledge.resolve(name, None);
        (name.as_str(), history.as_slice(), resolved.bounded, resolved.noise)
    }))
}
