//! Files of one side: each file is a run (or several), and all belong to one commit.

use std::borrow::Cow;
use std::collections::HashMap;

use super::content::Content;
use super::job::{self, Job};
use super::problem::{MAX_PROBLEMS, Problem, clip};
use super::{Column, Reading, Row, Unit, format, inflate, tree};

/// A named file.
pub type File = (String, Vec<u8>);

/// Reads one results file: unpacked, recognised by its content, or as the format that is named.
///
/// # Errors
/// What is wrong with it.
pub fn read(name: &str, bytes: &[u8], format: Option<&str>) -> Result<Reading, Vec<Problem>> {
    let bytes = inflate(name, bytes)?;
    let text = text(name, &bytes);
    let content = Content::of(name, &text)?;
    format::read(&content, format)
}

/// Tools print names in any charset; numbers are ASCII in all of them.
fn text<'a>(_name: &str, bytes: &'a [u8]) -> Cow<'a, str> {
    String::from_utf8_lossy(bytes)
}

/// All runs of one side.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Side {
    /// All files joined: one column, or those of a single file that holds several sides.
    pub reading: Reading,
    /// What `job.yaml` said.
    pub job: Job,
}

/// Reads and joins the files of one side, in the natural order of their names.
///
/// # Errors
/// Files that cannot be read, facts or units that differ between the runs.
pub fn side(files: &[File], format: Option<&str>) -> Result<Side, Vec<Problem>> {
    let mut sorted = tree::results(files);
    sorted.sort_by_cached_key(|(name, _)| natural(name));
    let mut joined = Side::default();
    let mut gathered = Gathered::default();
    let mut problems = Vec::new();
    for (name, bytes) in sorted {
        if let Err(more) = one(name, bytes, format, &mut joined, &mut gathered) {
            problems.extend(more);
        }
    }
    problems.truncate(MAX_PROBLEMS);
    if !problems.is_empty() {
        return Err(problems);
    }
    if let Some(column) = gathered.finish() {
        joined.reading.columns = vec![column];
    }
    if joined.reading.columns.is_empty() {
        return Err(vec![Problem::whole(
            "these files",
            "no-results",
            "no file with results",
            "at least one",
        )]);
    }
    Ok(joined)
}

fn one(
    name: &str,
    bytes: &[u8],
    format: Option<&str>,
    side: &mut Side,
    gathered: &mut Gathered,
) -> Result<(), Vec<Problem>> {
    let bytes = inflate(name, bytes)?;
    let text = text(name, &bytes);
    if job::claims(name, &text) {
        side.job = job::read(name, &text)?;
        return Ok(());
    }
    let content = Content::of(name, &text)?;
    let mut reading = format::read(&content, format)?;
    let known = &mut side.reading;
    if reading.columns.len() > 1 {
        if gathered.runs > 0 || !known.columns.is_empty() {
            let found = format!("{} sides in one of several files", reading.columns.len());
            return Err(vec![Problem::whole(name, "several-sides", found, "one side a file")]);
        }
        *known = reading;
        return Ok(());
    }
    if known.format.is_empty() {
        known.format = reading.format;
        known.test.clone_from(&reading.test);
        known.version.clone_from(&reading.version);
        known.parameters.clone_from(&reading.parameters);
    }
    if let (Some(known), Some(version)) = (&known.version, &reading.version)
        && known != version
    {
        return Err(vec![mixed(name, "version", known, version)]);
    }
    for (key, value) in reading.facts {
        match known.facts.get(&key) {
            Some(other) if *other != value => return Err(vec![mixed(name, &key, other, &value)]),
            _ => known.facts.insert(key, value),
        };
    }
    for note in reading.notes {
        if !known.notes.contains(&note) {
            known.notes.push(note);
        }
    }
    match reading.columns.pop() {
        Some(column) => gathered.add(name, column),
        None => Ok(()),
    }
}

fn mixed(name: &str, what: &str, here: &str, there: &str) -> Problem {
    Problem::whole(
        name,
        "mixed-side",
        format!("{what} {} / {}", clip(here), clip(there)),
        "one of it in all runs of a side",
    )
}

/// Rows of several files, aligned by run.
#[derive(Default)]
struct Gathered {
    rows: Vec<Row>,
    index: HashMap<String, usize>,
    runs: usize,
    label: Option<String>,
}

impl Gathered {
    fn add(&mut self, name: &str, column: Column) -> Result<(), Vec<Problem>> {
        let more = column.rows.iter().map(|row| row.runs.len()).max().unwrap_or(0);
        self.label = self.label.take().or(column.label);
        for mut row in column.rows {
            match self.index.get(&row.name) {
                Some(&at) => {
                    let known = &mut self.rows[at];
                    let factor = factor(known.unit.as_deref(), row.unit.as_deref());
                    let Some(factor) = factor else {
                        let units = [&known.unit, &row.unit]
                            .map(|unit| unit.as_deref().unwrap_or("no unit"));
                        let found =
                            format!("{} in {} and in {}", clip(&row.name), units[0], units[1]);
                        return Err(vec![Problem::whole(
                            name,
                            "mixed-units",
                            found,
                            "units that convert",
                        )]);
                    };
                    known.runs.resize(self.runs, None);
                    known.runs.extend(row.runs.iter().map(|run| run.map(|value| value * factor)));
                    known.repeats = known.repeats.max(row.repeats);
                }
                None => {
                    let own = std::mem::take(&mut row.runs);
                    row.runs = vec![None; self.runs];
                    row.runs.extend(own);
                    self.index.insert(row.name.clone(), self.rows.len());
                    self.rows.push(row);
                }
            }
        }
        self.runs += more;
        Ok(())
    }

    fn finish(mut self) -> Option<Column> {
        if self.rows.is_empty() {
            return None;
        }
        self.rows.iter_mut().for_each(|row| row.runs.resize(self.runs, None));
        let mut column = Column::labelled(self.label);
        column.rows = self.rows;
        Some(column)
    }
}

/// How values of the second unit become ones of the first; `None` when they do not convert.
pub(super) fn factor(known: Option<&str>, other: Option<&str>) -> Option<f64> {
    match (known, other) {
        (known, other) if known == other => Some(1.0),
        (Some(known), Some(other)) => Unit::parse(other)?.factor_to(&Unit::parse(known)?),
        _ => None,
    }
}

/// A key to sort names by as people count: `run-10` behind `run-9`.
pub fn natural(name: &str) -> Vec<(String, u64)> {
    let mut key = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (word, digits) = rest.split_at(end);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        key.push((word.to_owned(), digits[..end].parse().unwrap_or(u64::MAX)));
        rest = &digits[end..];
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_as_people_count() {
        let mut names = ["run-10", "run-9", "run-1", "a2b10", "a2b9"].to_vec();
        names.sort_by_key(|name| natural(name));
        assert_eq!(names, ["a2b9", "a2b10", "run-1", "run-9", "run-10"]);
    }
}
