//! A tracked regression: the fold of its entries.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::mail::Address;

use super::{
    Cause, Entry, Fix, Gone, Happening, Landing, Opening, RegressionId, Role, Standing, State,
    TakenOut,
};

/// The present standing of a regression. Only [`Regression::fold`] and [`Regression::apply`] make one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Regression {
    /// What was known at the beginning, with later corrections (title, culprit).
    pub about: Opening,
    /// Where it stands.
    pub state: State,
    /// Since when.
    pub since: Timestamp,
    /// When it was closed by the policy's delay, with its state kept as the answer that stood.
    pub laid_to_rest: Option<Timestamp>,
    /// When the follow-up that announces the closing went out.
    pub closing_announced: Option<Timestamp>,
    /// When tracking began.
    pub opened: Timestamp,
    /// Last time that a person or a measurement touched it.
    pub touched: Timestamp,
    /// Who or what last moved the state.
    pub mover: Option<Mover>,
    /// The named fix, and when it was named.
    pub fix: Option<(Fix, Timestamp)>,
    /// Commits that were named as the fix and do not help.
    #[serde(default)]
    pub refuted: Vec<String>,
    /// Where fixes were found.
    #[serde(default)]
    pub landings: Vec<Landing>,
    /// Commits that took the culprit out.
    #[serde(default)]
    pub taken_out: Vec<TakenOut>,
    /// When it was asked where the named fix is.
    #[serde(default)]
    pub fix_missed: Option<Timestamp>,
    /// The one that it duplicates.
    pub duplicate_of: Option<RegressionId>,
    /// Links that people gave.
    pub links: Vec<Link>,
    /// Keys of the letters written about it.
    pub letters: Vec<String>,
    /// No reminders until then.
    pub snoozed: Option<Timestamp>,
    /// Addresses that want no mail about it.
    pub opted_out: Vec<String>,
    /// Why it has low priority, while it has.
    #[serde(default)]
    pub backburner: Option<String>,
    /// Labels with their values.
    #[serde(default)]
    pub labels: BTreeMap<String, Vec<String>>,
    /// The mail that is no activity, last one.
    #[serde(default)]
    pub unheard: Option<String>,
    /// Number of the entry that last moved the state, from 1: what `undo` takes back.
    #[serde(default)]
    pub last_move: Option<usize>,
    /// How many entries it was folded from.
    pub entries: usize,
}

/// Who stands behind the state: a person with words, a commit, a measurement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mover {
    /// Canonical address; empty for a thing.
    pub who: String,
    /// As printed.
    pub name: String,
    /// In which role.
    pub role: Role,
    /// The words, or the command line.
    pub words: String,
}

impl Mover {
    /// Who stands behind a move. `None` where time moved it: the words before it still stand.
    fn of(cause: &Cause) -> Option<Option<Self>> {
        let person = |from: &Option<Address>, role, words: &str| {
            from.as_ref().map(|a| Self {
                who: a.canonical(),
                name: if a.name.is_empty() { a.email.clone() } else { a.name.clone() },
                role,
                words: words.to_owned(),
            })
        };
        let thing = |name: String, words: &str| {
            Some(Self { who: String::new(), name, role: Role::Other, words: words.to_owned() })
        };
        match cause {
            Cause::Words { from, role, words, .. }
            | Cause::Command { from, role, line: words, .. } => Some(person(from, *role, words)),
            Cause::Tag { from, line, .. } => Some(person(from, Role::Other, line)),
            Cause::Operator { who, line } => Some(thing(who.clone(), line)),
            Cause::Results { reason, .. } => Some(thing("measured".to_owned(), reason)),
            Cause::Commit { tree, commit, link, .. } => {
                let short: String = commit.chars().take(12).collect();
                Some(thing(format!("commit {short} in {tree}"), link))
            }
            Cause::Report { .. } | Cause::Timer { .. } => None,
        }
    }
}

/// Something worth reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Where.
    pub url: String,
    /// What.
    pub text: String,
    /// Whether its thread is followed.
    pub followed: bool,
}

/// Numbers (from 1) of the entries that do not count any more. An undo that was undone itself undoes nothing; with a move goes
/// what the same words or line named in one breath with it.
fn undone(entries: &[Entry]) -> BTreeSet<usize> {
    let mut gone = BTreeSet::new();
    for (at, entry) in entries.iter().enumerate().rev() {
        let Happening::Undone { entry: number } = entry.what else { continue };
        if gone.contains(&(at + 1)) || !(1..=at).contains(&number) {
            continue;
        }
        gone.insert(number);
        if matches!(entries[number - 1].what, Happening::Moved { .. }) {
            gone.extend(companions(entries, number - 1));
        }
    }
    gone
}

/// What stands beside a move with the very same cause and belongs to it.
fn companions(entries: &[Entry], at: usize) -> impl Iterator<Item = usize> + '_ {
    let belongs = move |n: &usize| {
        let entry = &entries[*n];
        let named = matches!(
            entry.what,
            Happening::FixNamed(_) | Happening::FixForgotten | Happening::DuplicateOf { .. }
        );
        named && entry.cause == entries[at].cause && entry.at == entries[at].at
    };
    let before = (0..at).rev().take(2).filter(belongs);
    let after = (at + 1..entries.len()).take(2).filter(belongs);
    before.chain(after).map(|n| n + 1)
}

impl Regression {
    /// Folds a whole log, leaving out what was undone. `None` unless the first entry opens it.
    pub fn fold(entries: &[Entry]) -> Option<Self> {
        let undone = undone(entries);
        let mut counted = entries.iter().enumerate().filter(|(i, _)| !undone.contains(&(i + 1)));
        let mut regression = Self::open(counted.next()?.1)?;
        for (i, entry) in counted {
            regression.entries = i;
            regression.change(entry);
        }
        regression.entries = entries.len();
        Some(regression)
    }

    /// The regression after its first entry, when that is an opening.
    pub fn open(entry: &Entry) -> Option<Self> {
        let Happening::Opened(about) = &entry.what else {
            return None;
        };
        Some(Self {
            about: (**about).clone(),
            state: State::Open,
            since: entry.at,
            laid_to_rest: None,
            closing_announced: None,
            opened: entry.at,
            touched: entry.at,
            mover: None,
            fix: None,
            refuted: Vec::new(),
            landings: Vec::new(),
            taken_out: Vec::new(),
            fix_missed: None,
            duplicate_of: None,
            links: Vec::new(),
            letters: Vec::new(),
            snoozed: None,
            opted_out: Vec::new(),
            backburner: None,
            labels: BTreeMap::new(),
            unheard: None,
            last_move: None,
            entries: 1,
        })
    }

    /// Applies the next entry. An undo cannot be applied: fold the log again.
    pub fn apply(&mut self, entry: &Entry) {
        self.change(entry);
        self.entries += 1;
    }

    /// Our name for it.
    pub fn id(&self) -> &RegressionId {
        &self.about.id
    }

    /// Whether it is over: a closed state, or an answer that nobody objected to in time.
    pub fn is_closed(&self) -> bool {
        self.laid_to_rest.is_some() || self.state.standing() == Standing::Closed
    }

    fn change(&mut self, entry: &Entry) {
        if let Happening::ActivityIgnored = entry.what {
            self.unheard = entry.cause.message().map(str::to_owned);
        }
        let unheard = self.unheard.is_some() && self.unheard.as_deref() == entry.cause.message();
        if !matches!(entry.cause, Cause::Timer { .. }) && !unheard {
            self.touched = self.touched.max(entry.at);
        }
        match &entry.what {
            Happening::Moved { to, .. } => self.move_to(*to, entry),
            Happening::FixNamed(fix) => self.name_fix(fix, entry.at),
            Happening::FixForgotten => self.refute(),
            Happening::Found { .. } => self.land(entry),
            Happening::Lost { commits, tree, gone } => {
                let meant = |l: &&mut Landing| {
                    commits.contains(&l.commit) && tree.as_ref().is_none_or(|t| *t == l.tree)
                };
                let live = self.landings.iter_mut().filter(|l| l.is_live());
                live.filter(meant).for_each(|l| l.gone = Some(gone.clone()));
            }
            Happening::CulpritReverted { tree, by } => self.taken_out.push(TakenOut {
                tree: tree.clone(),
                by: by.clone(),
                undone_by: None,
            }),
            Happening::CulpritReapplied { revert, by, .. } => {
                let undone = self.taken_out.iter_mut().filter(|t| t.by == *revert);
                undone.for_each(|t| t.undone_by = Some(by.clone()));
            }
            Happening::FixMissed { .. } => self.fix_missed = Some(entry.at),
            Happening::DuplicateOf { of } => self.duplicate_of = Some(of.clone()),
            Happening::Titled { title } => self.about.title.clone_from(title),
            Happening::Introduced { commit } => self.about.commit = Some(commit.clone()),
            Happening::Linked { url, text, followed } => {
                self.links.retain(|l| l.url != *url);
                self.links.push(Link { url: url.clone(), text: text.clone(), followed: *followed });
            }
            Happening::Unlinked { url } => self.links.retain(|l| l.url != *url),
            Happening::Wrote { key } => self.letters.push(key.clone()),
            Happening::ClosingAnnounced => self.closing_announced = Some(entry.at),
            Happening::LaidToRest => self.laid_to_rest = Some(entry.at),
            Happening::Snoozed { until } => self.snoozed = Some(*until),
            Happening::OptedOut { email, .. } => self.opted_out.push(email.clone()),
            Happening::ReportedBy { reporter } => self.about.reporter = Some(reporter.clone()),
            Happening::Backburned { why } => self.backburner = Some(why.clone()),
            Happening::Unbackburned => self.backburner = None,
            Happening::Labelled { label, values } => {
                self.labels.insert(label.clone(), values.clone());
            }
            Happening::Unlabelled { label } => {
                self.labels.remove(label);
            }
            Happening::Opened(_)
            | Happening::ActivityIgnored
            | Happening::Kept { .. }
            | Happening::Measured { .. }
            | Happening::Noted { .. }
            | Happening::Undone { .. } => {}
        }
    }

    /// A fix that is named again keeps the day of its first naming.
    fn name_fix(&mut self, fix: &Fix, at: Timestamp) {
        match &mut self.fix {
            Some((known, _)) if known.is_same(fix) => known.fill(fix),
            _ => {
                self.fix = Some((fix.clone(), at));
                self.fix_missed = None;
            }
        }
    }

    fn refute(&mut self) {
        self.refuted.extend(self.fix.take().and_then(|(fix, _)| fix.commit));
        let live = self.landings.iter_mut().filter(|l| l.is_live());
        live.for_each(|l| l.gone = Some(Gone::Refuted));
    }

    fn land(&mut self, entry: &Entry) {
        let Happening::Found { tree, order, commit, subject, author, instead_of } = &entry.what
        else {
            return;
        };
        let known = self.landings.iter().any(Landing::is_live);
        let is = |l: &Landing, id: &String| l.tree == *tree && l.commit == *id;
        for landing in &mut self.landings {
            if instead_of.as_ref().is_some_and(|old| is(landing, old)) {
                landing.gone = Some(Gone::Rewritten);
            }
        }
        self.landings.retain(|l| !is(l, commit));
        self.landings.push(Landing {
            tree: tree.clone(),
            order: *order,
            commit: commit.clone(),
            subject: subject.clone(),
            since: entry.at,
            gone: None,
        });
        let found = Fix {
            commit: Some(commit.clone()),
            subject: Some(subject.clone()),
            patch: None,
            author: author.clone(),
        };
        // What landed is the fix, whatever was announced; the first of several keeps its place.
        let same = self.fix.as_ref().is_some_and(|(fix, _)| {
            fix.is_same(&found) || instead_of.is_some() && fix.commit == *instead_of
        });
        match &mut self.fix {
            Some((fix, _)) if same => fix.fill(&found),
            _ if known => {}
            _ => self.name_fix(&found, entry.at),
        }
        // The id that was named may stand nowhere any more.
        if let Some((fix, _)) = self.fix.as_mut().filter(|_| same)
            && !self.landings.iter().any(|l| l.is_live() && Some(&l.commit) == fix.commit.as_ref())
        {
            fix.commit = found.commit;
            fix.subject = found.subject;
        }
    }

    fn move_to(&mut self, to: State, entry: &Entry) {
        self.state = to;
        self.last_move = Some(self.entries + 1);
        self.since = entry.at;
        self.laid_to_rest = None;
        self.closing_announced = None;
        if to.standing() != Standing::Active {
            self.backburner = None;
        }
        if to != State::Duplicate {
            self.duplicate_of = None;
        }
        if let Some(mover) = Mover::of(&entry.cause) {
            self.mover = mover;
        }
    }
}
