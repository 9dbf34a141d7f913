//! Earlier results as they are named on the command line.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::context::Failure;
use super::files;
use crate::bench::{self, File, Input, Problem, Reading};
use crate::stats::Past;

/// Reads earlier results, oldest first.
///
/// A native notification gives its base and its head. A file of any other format is a commit, or several where it has a column a
/// commit. A folder holds those; each folder in it is one commit, named by `job.yaml` or else by the folder.
pub(super) fn past(paths: &[PathBuf]) -> Result<Past, Failure> {
    let mut past = Past::default();
    for path in paths {
        let mut readings: Vec<Reading> = Vec::new();
        for (label, group) in groups(files::read(std::slice::from_ref(path))?) {
            if let [(name, bytes)] = group.as_slice()
                && bench::is_native(name, bytes)
            {
                for input in bench::load(&group).map_err(problems)? {
                    let (Input::Pair(n) | Input::Head(n)) = input;
                    past.add_notification(&n);
                }
                continue;
            }
            readings.push(reading(label, &group)?);
        }
        past.extend(&readings);
    }
    if past.commits().is_empty() {
        return Err(Failure::Message("--history: these files hold no results".to_owned()));
    }
    Ok(past)
}

/// The files of each commit, in the order in which people count.
fn groups(files: Vec<File>) -> Vec<(Option<String>, Vec<File>)> {
    let mut groups: BTreeMap<_, (Option<String>, Vec<File>)> = BTreeMap::new();
    for file in files {
        let parts: Vec<&str> = file.0.split('/').collect();
        let folder = match parts.as_slice() {
            [_, folder, _, ..] => Some((*folder).to_owned()),
            _ => None,
        };
        let key = bench::natural(folder.as_deref().unwrap_or(&file.0));
        groups.entry(key).or_insert_with(|| (folder, Vec::new())).1.push(file);
    }
    groups.into_values().collect()
}

fn reading(label: Option<String>, files: &[File]) -> Result<Reading, Failure> {
    let side = bench::side(files, None).map_err(problems)?;
    let mut reading = side.reading;
    if let [column] = reading.columns.as_mut_slice() {
        let label = side.job.commit.or(label).or_else(|| column.label.clone());
        column.label = label;
    }
    Ok(reading)
}

pub(super) fn problems(problems: Vec<Problem>) -> Failure {
    Failure::Message(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}
