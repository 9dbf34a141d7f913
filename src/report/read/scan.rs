//! One walk over the lines of a mail: every reader looks at the line, the first that knows it takes it.

use std::collections::BTreeMap;

use super::context::Context;
use super::foreign::Run;
use super::head::Head;
use super::line::Line;
use super::{Title, boxes, commit, context, foreign, human, opening, own, reproduce, setup};
use super::{subject, table, tag};
use crate::report::{Failure, Impact, Patch, ReportKind, Row, Sighting, Table};

/// More defects than this are only counted.
const MOST_DEFECTS: usize = 24;

/// One thing that a mail says, in order of appearance.
#[derive(Debug)]
pub(super) enum Fact {
    /// A title: the subject of the mail, or of one that it forwards.
    Title(Box<Title>),
    /// The sentence that begins a report.
    Opening(Opening),
    /// `commit: ID ("subject")`.
    Commit { id: String, subject: Option<String> },
    /// A repository and a branch.
    Tree { url: String, branch: Option<String> },
    /// Some of what is said about a posted patch.
    Patch(Patch),
    /// Test name.
    Testcase(String),
    /// Machine description.
    Machine(String),
    /// Test parameters.
    Parameters(BTreeMap<String, String>),
    /// A line of our own templates.
    Own,
    /// A branch that still shows it.
    Still(Sighting),
    /// A test of the box table.
    Impact(Impact),
    /// The box of a functional report, against its first column.
    Tally(Vec<Failure>),
    /// Rows of one line of a table.
    Rows(usize, Vec<Row>),
    /// Failures of one line of a table.
    Failures(usize, Vec<Failure>),
    /// Suggested `Reported-by:`.
    ReportedBy(String),
    /// Suggested `Closes:`.
    Closes(String),
    /// Commands.
    Reproduce(Vec<String>),
    /// Rows of a table that another tool prints.
    Foreign { source: &'static str, table: usize, rows: Vec<Row>, test: Option<String> },
    /// A person's claim that a commit made something worse.
    Claim(Claim),
}

/// How a report begins.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Opening {
    pub(super) kind: Option<ReportKind>,
    pub(super) metric: Option<String>,
    pub(super) change: Option<f64>,
    /// Nobody is accused: it was seen between two commits.
    pub(super) range: bool,
}

/// What a person claims.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Claim {
    pub(super) commit: Option<String>,
    pub(super) subject: Option<String>,
    pub(super) change: Option<f64>,
    /// The mail that this one answers is the report (`#regzbot ^introduced`).
    pub(super) parent: bool,
    /// A tracker's command, not a sentence.
    pub(super) explicit: bool,
}

/// A fact and where it stands.
#[derive(Debug)]
pub(super) struct Located {
    pub(super) fact: Fact,
    pub(super) depth: usize,
    pub(super) number: usize,
}

/// What the walk gathers.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) facts: Vec<Located>,
    pub(super) tables: Vec<Table>,
    pub(super) context: Context,
    pub(super) heads: Vec<Head>,
    pub(super) runs: Vec<Run>,
    /// Depths of quoting at which a patch stands: its description blames others.
    pub(super) patches: Vec<usize>,
    /// Depths of quoting at which something is said to have become worse.
    pub(super) worse: Vec<usize>,
    defects: Vec<String>,
    untold: usize,
}

impl Scan {
    pub(super) fn push(&mut self, line: &Line, fact: Fact) {
        self.facts.push(Located { fact, depth: line.depth, number: line.number });
    }

    /// Notes what could not be understood: where, what is wrong, and how it begins.
    pub(super) fn defect(&mut self, line: &Line, what: &str, text: &str) {
        if self.defects.len() == MOST_DEFECTS {
            self.untold += 1;
            return;
        }
        let start: String = text.chars().take(60).collect();
        self.defects.push(format!("line {}: {what}: {start}", line.number));
    }

    /// Notes what is wrong with the mail as a whole.
    pub(super) fn defect_of_mail(&mut self, what: &str) {
        if self.defects.len() < MOST_DEFECTS {
            self.defects.push(what.chars().take(200).collect());
        }
    }

    /// The notes, the last of which counts those that were left out.
    pub(super) fn defects(&mut self) -> Vec<String> {
        let mut defects = std::mem::take(&mut self.defects);
        if self.untold > 0 {
            defects.push(format!("{} more lines were not understood", self.untold));
        }
        defects
    }
}

/// Looks at a line and gives the lines that it took, if it knows it.
type Reader = fn(&mut Scan, &[Line], usize) -> Option<usize>;

/// In the order in which they look.
const READERS: [Reader; 12] = [
    foreign::read,
    table::read,
    context::read,
    boxes::read,
    opening::read,
    own::read,
    commit::read,
    setup::read,
    tag::read,
    reproduce::read,
    subject::read,
    human::read,
];

/// Reads all lines.
pub(super) fn scan(lines: &[Line]) -> Scan {
    let mut scan = Scan::default();
    let mut at = 0;
    while at < lines.len() {
        let taken = if lines[at].is_blank() {
            None
        } else {
            READERS.iter().find_map(|read| read(&mut scan, lines, at))
        };
        at += taken.unwrap_or(1).max(1);
    }
    foreign::finish(&mut scan);
    scan
}
