//! `in.json` of a case: a letter from notifications, with everything that a test need not say filled in.

use std::collections::BTreeMap;

use regard::bench::{Metric, Notification};
use regard::engine::{Answer, FollowUp, Letter, News, RunRequest, Said};
use regard::mail::{Address, MessageId};
use regard::regression::{RegressionId, State};
use regard::render::Frame;
use regard::report::{Brief, Finding, Point, Recipient, Round};
use regard::stats::{Change, Class, Kind};
use serde::Deserialize;

use crate::decide;

/// One letter and its frame.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Case {
    #[serde(default)]
    frame: Around,
    #[serde(flatten)]
    letter: What,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum What {
    Report(Vec<Found>),
    FollowUp { state: State, title: String, news: Told },
    Malformed { part: String, problems: Vec<String> },
    Commands(Vec<(String, Said)>),
    RunRequest { finding: Box<Found>, purpose: String, runs: u32, fix: Option<String> },
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Told {
    More(Vec<Found>),
    Confirmed(Box<Found>),
    NotConfirmed(Box<Found>),
    StillThere(Box<Found>),
    Fixed(Box<Found>),
    Closing { by: String, words: String, on: String },
    FixMissing { fix: String, announced: String },
}

/// A notification; its changes are decided by the tests' statistics, unless the case says otherwise.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    notification: Notification,
    #[serde(default = "half_percent")]
    build_noise: f64,
    /// Changed monitors to invent.
    #[serde(default)]
    invent: u32,
    /// Overrules the decision, by metric.
    #[serde(default)]
    verdicts: BTreeMap<String, Kind>,
    #[serde(default)]
    rounds: Vec<(usize, usize, f64, f64)>,
    #[serde(default)]
    history: Vec<Option<f64>>,
}

fn half_percent() -> f64 {
    0.005
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Around {
    /// Nothing but an address.
    #[serde(default)]
    bare: bool,
    answers: Option<String>,
    reason: Option<String>,
    /// Name, address, role.
    #[serde(default)]
    recipients: Vec<(String, String, String)>,
}

impl Case {
    pub(crate) fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap()
    }

    /// The notifications of a report, undecided.
    pub(crate) fn notifications(&self) -> Vec<Notification> {
        match &self.letter {
            What::Report(found) => found.iter().map(|f| f.notification.clone()).collect(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn letter(&self) -> Letter {
        match &self.letter {
            What::Report(found) => {
                let brief = Brief::of(found.iter().map(Found::finding).collect());
                Letter::Report(Box::new(brief.unwrap()))
            }
            What::FollowUp { state, title, news } => Letter::FollowUp(Box::new(FollowUp {
                state: *state,
                title: title.clone(),
                news: news.news(),
            })),
            What::Malformed { part, problems } => {
                Letter::Answer(Answer::Malformed { part: part.clone(), problems: problems.clone() })
            }
            What::Commands(lines) => Letter::Answer(Answer::Commands { lines: lines.clone() }),
            What::RunRequest { finding, purpose, runs, fix } => {
                Letter::RunRequest(Box::new(RunRequest {
                    finding: finding.finding(),
                    purpose: purpose.clone(),
                    runs: *runs,
                    fix: fix.clone(),
                }))
            }
        }
    }

    pub(crate) fn frame(&self) -> Frame {
        let given = &self.frame;
        let whole = !given.bare;
        let some = |text: &str| whole.then(|| text.to_owned());
        Frame {
            bot: Address {
                name: some("regard").unwrap_or_default(),
                email: if whole { "regard+q3x7k2m9@example.org" } else { "regard@example.org" }
                    .to_owned(),
            },
            archive: some("https://lore.example.org/r/"),
            help: some("https://regard.example.org/reading-a-report"),
            opt_out: some("regard+opt-out@example.org"),
            ascii: true,
            regression: whole.then(|| RegressionId::parse("q3x7k2m9").unwrap()),
            message_id: whole.then(|| MessageId::clean("report.q3x7k2m9@example.org").unwrap()),
            recipients: given
                .recipients
                .iter()
                .map(|(name, email, why)| Recipient {
                    address: Address { name: name.clone(), email: email.clone() },
                    why: why.clone(),
                })
                .collect(),
            reason: given.reason.clone().unwrap_or_default(),
            answers_subject: given.answers.clone(),
        }
    }
}

impl Told {
    fn news(&self) -> News {
        match self {
            Told::More(found) => News::More(found.iter().map(Found::finding).collect()),
            Told::Confirmed(found) => News::Confirmed(found.finding()),
            Told::NotConfirmed(found) => News::NotConfirmed(found.finding()),
            Told::StillThere(found) => News::StillThere(found.finding()),
            Told::Fixed(found) => News::Fixed(found.finding()),
            Told::Closing { by, words, on } => {
                News::Closing { by: by.clone(), words: words.clone(), on: on.clone() }
            }
            Told::FixMissing { fix, announced } => {
                News::FixMissing { fix: fix.clone(), announced: announced.clone() }
            }
        }
    }
}

impl Found {
    fn finding(&self) -> Finding {
        let mut notification = self.notification.clone();
        notification.metrics.extend((0..self.invent).map(invented));
        let mut changes = decide::all(&notification, self.build_noise);
        for change in &mut changes {
            if let Some(kind) = self.verdicts.get(&change.metric) {
                change.kind = *kind;
            }
        }
        changes.sort_by_key(|c| (c.class == Class::Monitor, !told(c)));
        let mut finding = Finding::new(notification, changes);
        let round = |&(base_runs, head_runs, change, p): &(usize, usize, f64, f64)| Round {
            base_runs,
            head_runs,
            change_percent: Some(change),
            p: Some(p),
        };
        finding.rounds = self.rounds.iter().map(round).collect();
        let point = |(i, value): (usize, &Option<f64>)| Point {
            commit: format!("commit-{i}"),
            value: *value,
        };
        finding.history = self.history.iter().enumerate().map(point).collect();
        finding
    }
}

fn told(change: &Change) -> bool {
    matches!(change.kind, Kind::Regression | Kind::Improvement | Kind::Change)
}

/// Monitors of a few groups, each clearly changed, no two by as much.
fn invented(i: u32) -> Metric {
    let groups = [
        "perf-stat.i",
        "perf-profile.children.cycles-pp",
        "sched_debug.cfs_rq",
        "proc-vmstat",
        "slabinfo.x",
    ];
    let base = 100.0 + f64::from(i);
    let factor = 1.0 + f64::from(i % 17 + 5) / 50.0;
    let runs = |level: f64| [1.0, 1.01, 0.99].iter().map(|f| Some(level * f)).collect();
    Metric {
        name: format!("{}.counter_{i:03}", groups[i as usize % groups.len()]),
        base: runs(base),
        head: runs(base * factor),
        ..Metric::default()
    }
}
