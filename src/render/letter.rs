//! From a letter to the template that words it, and the view that the template sees.

use serde::Serialize;
use tera::Context;

use super::clean::Cleaner;
use super::finish::WIDTH;
use super::frame::Frame;
use super::view::{
    BoxView, ClosingView, CommandLine, CommandsView, Extent, FindingView, FixMissingView,
    FooterView, MalformedView, MeasuredView, MoreView, ReportView, RunRequestView, TableView,
};
use crate::engine::{Answer, FollowUp, Letter, News};
use crate::report::table::Rows;
use crate::report::{Finding, ReportKind, SUBJECT_WIDTH, impact_of, number, plain};
use crate::stats::{Change, Class};

/// Problems and commands that an answer lists.
const LINES: usize = 40;

/// From a full mail down to one that always fits.
pub(super) const EXTENTS: [Extent; 4] = [
    Extent {
        rows: Rows { kpis: 30, monitors: 30 },
        other_rows: Rows { kpis: 10, monitors: 5 },
        other_tables: 6,
        plot: true,
        commands: 60,
        text: 300,
        entries: 40,
    },
    Extent {
        rows: Rows { kpis: 20, monitors: 15 },
        other_rows: Rows { kpis: 5, monitors: 0 },
        other_tables: 3,
        plot: true,
        commands: 30,
        text: 300,
        entries: 40,
    },
    Extent {
        rows: Rows { kpis: 10, monitors: 5 },
        other_rows: Rows { kpis: 1, monitors: 0 },
        other_tables: 0,
        plot: false,
        commands: 15,
        text: 150,
        entries: 20,
    },
    Extent {
        rows: Rows { kpis: 3, monitors: 0 },
        other_rows: Rows { kpis: 1, monitors: 0 },
        other_tables: 0,
        plot: false,
        commands: 5,
        text: 90,
        entries: 10,
    },
];

/// A template with what it will see.
pub(super) struct Sheet {
    pub(super) template: &'static str,
    pub(super) context: Context,
}

impl Sheet {
    fn new(template: &'static str, view: &impl Serialize) -> Self {
        Self { template, context: Context::from_serialize(view).unwrap_or_default() }
    }

    pub(super) fn of(letter: &Letter, frame: &Frame, extent: Extent) -> Self {
        let clean = Cleaner { ascii: frame.ascii, text: extent.text, entries: extent.entries };
        match letter {
            Letter::Report(brief) => {
                let brief = clean.brief(brief);
                Self::new(report(brief.kind), &ReportView::new(&brief, frame, clean, extent))
            }
            Letter::FollowUp(follow_up) => Self::follow_up(follow_up, frame, clean, extent),
            Letter::Answer(Answer::Malformed { part, problems }) => Self::new(
                "answer-malformed.txt",
                &MalformedView {
                    subject: reply_subject(frame, "your results"),
                    part: clean.brief_text(part),
                    problems: problems.iter().take(LINES).map(|p| clean.brief_text(p)).collect(),
                    footer: FooterView::new(frame, clean),
                },
            ),
            Letter::Answer(Answer::Commands { lines }) => Self::new(
                "answer-commands.txt",
                &CommandsView {
                    subject: reply_subject(frame, "your commands"),
                    commands: lines
                        .iter()
                        .take(LINES)
                        .map(|(line, said)| CommandLine::new(line, said, clean))
                        .collect(),
                    footer: FooterView::new(frame, clean),
                },
            ),
            Letter::RunRequest(request) => {
                Self::new("run-request.txt", &RunRequestView::new(request, frame, clean, extent))
            }
        }
    }

    fn follow_up(letter: &FollowUp, frame: &Frame, clean: Cleaner, extent: Extent) -> Self {
        let title = clean.brief_text(&letter.title);
        let subject = reply_subject(frame, &title);
        let (state, footer) = (letter.state.to_string(), FooterView::new(frame, clean));
        let measured = |template, finding: &Finding| {
            let finding = clean.finding(finding);
            let about = about(&finding, &title);
            let lead = FindingView::new(&finding, about, &[], extent);
            let view = MeasuredView {
                subject: subject.clone(),
                title: title.clone(),
                state: state.clone(),
                lead,
                footer: footer.clone(),
            };
            Self::new(template, &view)
        };
        match &letter.news {
            News::More(findings) => {
                let findings: Vec<Finding> = findings.iter().map(|f| clean.finding(f)).collect();
                let shown = impact_of(&findings, WIDTH);
                let tables = findings.iter().take(extent.other_tables.max(1));
                let tables: Vec<TableView> =
                    tables.map(|f| TableView::new(f, &[], extent.other_rows)).collect();
                let view = MoreView {
                    impact: BoxView { lines: shown.lines, hidden: shown.hidden },
                    tables: tables.into_iter().filter(|t| t.filled).collect(),
                    subject,
                    title,
                    state,
                    footer,
                };
                Self::new("follow-up-more.txt", &view)
            }
            News::Confirmed(finding) => measured("follow-up-confirmed.txt", finding),
            News::NotConfirmed(finding) => measured("follow-up-not-confirmed.txt", finding),
            News::StillThere(finding) => measured("follow-up-still-there.txt", finding),
            News::Fixed(finding) => measured("follow-up-fixed.txt", finding),
            News::Closing { by, words, on } => {
                let (by, words, on) =
                    (clean.brief_text(by), clean.lines(words), clean.brief_text(on));
                Self::new(
                    "follow-up-closing.txt",
                    &ClosingView { subject, title, state, by, words, on, footer },
                )
            }
            News::FixMissing { fix, announced } => {
                let (fix, announced) = (clean.brief_text(fix), clean.brief_text(announced));
                Self::new(
                    "follow-up-fix-missing.txt",
                    &FixMissingView { subject, title, state, fix, announced, footer },
                )
            }
        }
    }
}

/// Each kind of report has its own file.
fn report(kind: ReportKind) -> &'static str {
    match kind {
        ReportKind::Regression => "report.txt",
        ReportKind::Improvement => "improvement.txt",
        ReportKind::Change => "change.txt",
        ReportKind::Mixed => "mixed.txt",
        ReportKind::NoChange => "no-change.txt",
        ReportKind::Failure => "failure.txt",
    }
}

/// The change that a regression of that title is about: its metric, whatever became of it.
fn about<'f>(finding: &'f Finding, title: &str) -> Option<&'f Change> {
    let named = |c: &&Change| {
        title.strip_prefix(c.metric.as_str()).is_some_and(|rest| rest.starts_with(' '))
    };
    let kpi = || finding.changes.iter().find(|c| c.class == Class::Kpi);
    finding.changes.iter().find(named).or_else(|| finding.headline()).or_else(kpi)
}

/// `Re: ...`, once.
fn reply_subject(frame: &Frame, otherwise: &str) -> String {
    let subject = frame
        .answers_subject
        .as_deref()
        .map(str::trim)
        .filter(|s| !s.is_empty())
        .unwrap_or(otherwise);
    // Headers keep every letter: only controls go.
    let subject = plain::one_line(subject);
    let bare = match subject.get(..3) {
        Some(re) if re.eq_ignore_ascii_case("re:") => subject[3..].trim_start(),
        _ => subject.as_str(),
    };
    format!("Re: {}", number::shorten(bare, SUBJECT_WIDTH * 2))
}
