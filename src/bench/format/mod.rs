//! Result formats, one file each, recognised by content. A new one is a file here and a line in [`FORMATS`].

use super::Reading;
use super::content::Content;
use super::problem::Problem;

/// How one format is recognised and read.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Id, as `--format` takes it.
    pub id: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Whether a content is of this format.
    pub(crate) claims: fn(&Content<'_>) -> bool,
    /// Reads it.
    pub(crate) read: fn(&Content<'_>) -> Result<Reading, Vec<Problem>>,
}

macro_rules! formats {
    ($($name:ident),+ $(,)?) => {
        $(mod $name;)+
        /// All formats, the most telling first.
        pub const FORMATS: &[Format] = &[$($name::FORMAT),+];
    };
}

formats![
    fio,
    hyperfine,
    google,
    pytest,
    jmh,
    asv,
    kcidb,
    perfherder,
    phoronix,
    criterion,
    cargo_criterion,
    perf_json,
    mmtests,
    lkp_matrix,
    stress_ng_yaml,
    stress_ng,
    sysbench,
    unixbench,
    netperf,
    schbench,
    hackbench,
    kernbench,
    will_it_scale,
    go,
    perf_csv,
    mmtests_tsv,
    bencher,
    lkp_stats,
    squad,
    table,
];

/// The format of that id.
pub fn by_id(id: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.id == id)
}

/// Reads a content; `id` forces a format.
pub(crate) fn read(content: &Content<'_>, id: Option<&str>) -> Result<Reading, Vec<Problem>> {
    let known = || FORMATS.iter().map(|format| format.id).collect::<Vec<_>>().join(", ");
    let format = match id.filter(|id| *id != "auto") {
        Some(id) => match by_id(id) {
            Some(format) => format,
            None => {
                return Err(content.problem(
                    "unknown-format",
                    format!("`{id}`"),
                    format!("one of {}", known()),
                ));
            }
        },
        None => match FORMATS.iter().find(|format| (format.claims)(content)) {
            Some(format) => format,
            None => {
                let first: String = content
                    .text
                    .lines()
                    .find(|line| !line.trim().is_empty())
                    .unwrap_or("")
                    .to_owned();
                let found = format!("`{}`", super::problem::clip(&first));
                return Err(content.problem(
                    "unknown-format",
                    found,
                    format!("output of {}", known()),
                ));
            }
        },
    };
    let mut reading = (format.read)(content)?;
    reading
        .columns
        .iter_mut()
        .for_each(|column| column.rows.retain(|row| row.runs.iter().any(Option::is_some)));
    reading.columns.retain(|column| !column.rows.is_empty());
    if reading.columns.is_empty() {
        return Err(content.problem(
            "no-results",
            format!("{} output without a number", format.id),
            "results",
        ));
    }
    let most = reading
        .columns
        .iter()
        .flat_map(|column| &column.rows)
        .map(|row| row.repeats)
        .max()
        .unwrap_or(0);
    if most > 1 {
        reading.notes.push(format!(
            "repeats-collapsed: up to {most} repeats inside a run count as their median"
        ));
    }
    Ok(reading)
}
