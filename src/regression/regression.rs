//! A tracked regression: the fold of its entries.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Cause, Entry, Fix, Happening, Opening, RegressionId, Role, Standing, State};

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
    /// Who last moved the state by words or command.
    pub mover: Option<Mover>,
    /// The named fix, and when it was named.
    pub fix: Option<(Fix, Timestamp)>,
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
    /// Number of the entry that last moved the state, from 1: what `undo` takes back.
    #[serde(default)]
    pub last_move: Option<usize>,
    /// How many entries it was folded from.
    pub entries: usize,
}

/// The person whose words stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mover {
    /// Canonical address.
    pub who: String,
    /// As printed.
    pub name: String,
    /// In which role.
    pub role: Role,
    /// The words, or the command line.
    pub words: String,
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

impl Regression {
    /// Folds a whole log, leaving out what was undone. `None` unless the first entry opens it.
    pub fn fold(entries: &[Entry]) -> Option<Self> {
        let undone: Vec<usize> = entries
            .iter()
            .filter_map(|e| match e.what {
                Happening::Undone { entry } => Some(entry),
                _ => None,
            })
            .collect();
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
            duplicate_of: None,
            links: Vec::new(),
            letters: Vec::new(),
            snoozed: None,
            opted_out: Vec::new(),
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
        if !matches!(entry.cause, Cause::Timer { .. }) {
            self.touched = self.touched.max(entry.at);
        }
        match &entry.what {
            Happening::Moved { to, .. } => self.move_to(*to, entry),
            Happening::FixNamed(fix) => self.fix = Some((fix.clone(), entry.at)),
            Happening::FixForgotten => self.fix = None,
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
            Happening::OptedOut { email } => self.opted_out.push(email.clone()),
            Happening::Opened(_)
            | Happening::Kept { .. }
            | Happening::Measured { .. }
            | Happening::Noted { .. }
            | Happening::Undone { .. } => {}
        }
    }

    fn move_to(&mut self, to: State, entry: &Entry) {
        self.state = to;
        self.last_move = Some(self.entries + 1);
        self.since = entry.at;
        self.laid_to_rest = None;
        self.closing_announced = None;
        if to != State::Duplicate {
            self.duplicate_of = None;
        }
        if let Cause::Words { from, role, words, .. }
        | Cause::Command { from, role, line: words, .. } = &entry.cause
        {
            self.mover = from.as_ref().map(|a| Mover {
                who: a.canonical(),
                name: if a.name.is_empty() { a.email.clone() } else { a.name.clone() },
                role: *role,
                words: words.clone(),
            });
        }
    }
}
