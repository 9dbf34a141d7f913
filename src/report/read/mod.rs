//! Reading reports that others wrote: the kernel test robot's mails of every shape since 2014, MMTests and other tools'
//! tables, people's own words, in any state of quoting and mangling.
//!
//! A mail becomes lines (`page`), one walk over them gathers facts (`scan`; one file a kind of fact), and the facts become
//! reports (`assemble`). Everything is linear in the length of the text, and nothing panics on hostile input: what is
//! certain is read, what is not is named in the defects, and no number is guessed.

mod assemble;
mod benchstat;
mod boxes;
mod commit;
mod context;
mod draft;
mod failrow;
mod foreign;
mod head;
mod history;
mod human;
mod hyperfine;
mod impact;
mod legacy;
mod line;
mod mmtests;
mod number;
mod opening;
mod own;
mod page;
mod record;
mod repair;
mod reproduce;
mod row;
mod scan;
mod setup;
mod subject;
mod sysbench;
mod table;
mod tag;
mod tally;
mod title;
mod token;
mod unroll;

use regex::Regex;
use serde::Serialize;

pub use title::{Title, read_subject};

use super::{Report, ReportKind};
use line::Line;

/// What a mail says about regressions.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Found {
    /// The report that the mail is, then those that it quotes, then tables that nobody drew a conclusion from.
    pub reports: Vec<Report>,
    /// What could not be understood, each a short sentence.
    pub defects: Vec<String>,
}

/// Reads the reports in a decoded mail body (or the text of an archive page), quoted to any depth.
///
/// Time and memory are linear in the length of `text`.
pub fn read(text: &str) -> Found {
    assemble::assemble(scan::scan(&page::lines(text)), None)
}

/// The same with the mail's subject, which holds what a body may leave out: "[No primary change]" reports name their
/// metric there only, people the commit that they blame.
pub fn read_mail(subject: &str, text: &str) -> Found {
    let mut scan = scan::scan(&page::lines(text));
    // What a patch's description blames is no report, whether posted or quoted in part.
    if title::is_posting(subject) {
        scan.patches.push(0);
    } else if title::is_answer_to_posting(subject) {
        scan.patches.extend(1..64);
    }
    assemble::assemble(scan, read_subject(subject))
}

/// A pattern of this room; all of them are compiled by the tests.
#[allow(clippy::expect_used, reason = "the text is a constant that the tests compile")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of this room")
}

/// The word of a title or an opening.
fn kind_of(word: &str) -> Option<ReportKind> {
    Some(match word {
        "regression" | "degradation" => ReportKind::Regression,
        "improvement" => ReportKind::Improvement,
        "change" | "undefined" => ReportKind::Change,
        _ => return None,
    })
}

/// The line and what follows it in the same paragraph, at most `most` lines, joined by single blanks.
fn paragraph(lines: &[Line], at: usize, most: usize) -> String {
    joined(&lines[at..], most, |depth| depth == lines[at].depth)
}

/// The same of a line that a mail program may have wrapped without quoting its rest.
fn wrapped(lines: &[Line], at: usize, most: usize) -> String {
    joined(&lines[at..], most, |depth| depth <= lines[at].depth)
}

fn joined(lines: &[Line], most: usize, belongs: impl Fn(usize) -> bool) -> String {
    let mut whole = String::new();
    for line in lines.iter().take(most) {
        if line.is_blank() || !belongs(line.depth) {
            break;
        }
        if !whole.is_empty() {
            whole.push(' ');
        }
        whole.push_str(line.trim());
    }
    whole
}

/// True when one of two ids abbreviates the other.
fn same_commit(a: &str, b: &str) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

/// The kind of a report whose sentence leaves it to the table (2014 and 2015).
fn kind_of_rows(report: &Report) -> Option<ReportKind> {
    if !report.rows.is_empty() {
        Some(ReportKind::Change)
    } else if !report.failures.is_empty() {
        Some(ReportKind::Failure)
    } else {
        None
    }
}
