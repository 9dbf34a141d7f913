//! What a results file says, in one shape for all formats.

use std::collections::{BTreeMap, HashMap};

use super::Direction;

/// One file, understood.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// Id of the format: `fio`.
    pub format: &'static str,
    /// Test name; empty where the file has none.
    pub test: String,
    /// Version of the benchmark.
    pub version: Option<String>,
    /// What changes what is measured.
    pub parameters: BTreeMap<String, String>,
    /// Facts of the environment that both sides must share. The kernel is none: it is what is compared.
    pub facts: BTreeMap<String, String>,
    /// One column, unless the file holds several sides.
    pub columns: Vec<Column>,
    /// What a person should know of the reading.
    pub notes: Vec<String>,
}

/// One side of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Column {
    /// What the file calls it: a commit, a system.
    pub label: Option<String>,
    /// Its metrics, in order of appearance.
    pub rows: Vec<Row>,
    /// Where each name stands in `rows`, while they are gathered.
    index: HashMap<String, usize>,
}

/// Columns by their label, while they are gathered.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    list: Vec<Column>,
    index: HashMap<Option<String>, usize>,
}

impl Columns {
    /// The column of that label, made when it is new.
    pub(crate) fn of(&mut self, label: Option<String>) -> &mut Column {
        let at = *self.index.entry(label).or_insert_with_key(|label| {
            self.list.push(Column::labelled(label.clone()));
            self.list.len() - 1
        });
        &mut self.list[at]
    }

    pub(crate) fn into_list(self) -> Vec<Column> {
        self.list
    }
}

/// One metric.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// Dotted name.
    pub name: String,
    /// Unit, where the format has one.
    pub unit: Option<String>,
    /// Which way is better, where the format says so.
    pub direction: Option<Direction>,
    /// Whether it may raise a report, where the format says so.
    pub kpi: Option<bool>,
    /// One value a run; `None` for a run without it.
    pub runs: Vec<Option<f64>>,
    /// Most values that were collapsed into one run's.
    pub repeats: usize,
}

impl Reading {
    /// A reading with one column.
    pub(crate) fn single(format: &'static str, test: impl Into<String>, column: Column) -> Self {
        Self { format, test: test.into(), columns: vec![column], ..Self::default() }
    }
}

impl Column {
    pub(crate) fn labelled(label: Option<String>) -> Self {
        Self { label, ..Self::default() }
    }

    /// The row of that name, made when it is new.
    pub(crate) fn row(&mut self, name: impl Into<String>, unit: &str) -> &mut Row {
        let rows = &mut self.rows;
        let at = *self.index.entry(name.into()).or_insert_with_key(|name| {
            let unit = (!unit.is_empty()).then(|| unit.to_owned());
            rows.push(Row { name: name.clone(), unit, ..Row::default() });
            rows.len() - 1
        });
        &mut self.rows[at]
    }
}

impl Row {
    /// Adds a run of one value.
    pub(crate) fn run(&mut self, value: Option<f64>) -> &mut Self {
        self.runs.push(value.filter(|value| value.is_finite()));
        self
    }

    /// Adds to the only run: instances that worked side by side.
    pub(crate) fn add(&mut self, value: f64) -> &mut Self {
        match self.runs.first_mut() {
            Some(Some(sum)) => *sum += value,
            _ => self.runs.push(Some(value)),
        }
        self
    }

    /// Replaces the only run: the last of several reports counts.
    pub(crate) fn set(&mut self, value: f64) -> &mut Self {
        self.runs.clear();
        self.run(Some(value))
    }

    /// Adds a run of several repeats, which count as their median.
    pub(crate) fn repeated(&mut self, repeats: &[f64]) -> &mut Self {
        let finite: Vec<f64> = repeats.iter().copied().filter(|value| value.is_finite()).collect();
        self.repeats = self.repeats.max(finite.len());
        self.runs.push(crate::stats::median(&finite));
        self
    }

    pub(crate) fn better(&mut self, direction: Direction) -> &mut Self {
        self.direction = Some(direction);
        self
    }

    pub(crate) fn monitor(&mut self) -> &mut Self {
        self.kpi = Some(false);
        self
    }

    pub(crate) fn kpi(&mut self) -> &mut Self {
        self.kpi = Some(true);
        self
    }
}
