//! What a look at a tree means: its commits are events like any mail, and its place moves with them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::{SignedDuration, Timestamp};

use super::question::key;
use super::survey::Haul;
use crate::daemon::apply::apply;
use crate::daemon::desk::{Clerk, Desk, words_of};
use crate::daemon::gather;
use crate::daemon::mind::Mind;
use crate::daemon::post::Post;
use crate::daemon::story::{Story, Understood};
use crate::engine::{self, Effect, Event, Snapshot, WatchedTree};
use crate::mail::{Address, Trailer, linked_ids};
use crate::regression::{Order, Regression, RegressionId, TreeCommit};
use crate::store::{StoreError, TreeCursor, Tx};

/// A fix that is away longer than this is lost. Trees that are assembled daily lose a whole part for a day or two.
const GRACE: SignedDuration = SignedDuration::from_hours(48);
/// Regressions that one commit is brought before.
const MOST: usize = 50;

impl Desk {
    /// Works through what a look at a tree brought, and moves the tree's cursor, all in one transaction. The same haul
    /// again changes nothing.
    ///
    /// # Errors
    /// Of the store: then nothing of it happened.
    pub fn commits(&mut self, haul: Haul, now: Timestamp) -> Result<Vec<Story>, StoreError> {
        let Self { store, mind, post } = self;
        let stories = store.transaction(|tx| {
            let reader = Reader { tree: &haul.tree.watched, mind, post, now };
            let (name, branch) = key(&haul.tree);
            let mut stories = Vec::new();
            for (lost, successor) in &haul.remade {
                stories.extend(reader.rewritten(tx, lost, Some(successor))?);
                tx.stop_missing(name, branch, lost)?;
            }
            for commit in &haul.commits {
                stories.extend(reader.commit(tx, commit)?);
            }
            for lost in &haul.missing {
                if now.duration_since(tx.miss(name, branch, lost, now)?) >= GRACE {
                    stories.extend(reader.rewritten(tx, lost, None)?);
                    tx.stop_missing(name, branch, lost)?;
                }
            }
            for back in &haul.present {
                tx.stop_missing(name, branch, back)?;
            }
            for needle in &haul.looked {
                tx.looked_for(name, branch, needle.key())?;
            }
            let cursor = TreeCursor { tip: haul.tip.clone(), scanned: now };
            tx.set_tree_cursor(name, branch, &cursor)?;
            Ok::<_, StoreError>(stories)
        })?;
        if let Some(keepers) = haul.maintainers {
            let known = &mut self.mind.policy.maintainers;
            known.retain(|(tree, _)| *tree != haul.tree.watched.name);
            known.push((haul.tree.watched.name, keepers));
        }
        Ok(stories)
    }
}

struct Reader<'a> {
    tree: &'a WatchedTree,
    mind: &'a Mind,
    post: &'a Post,
    now: Timestamp,
}

impl Reader<'_> {
    /// One commit, for every regression that it may mean.
    fn commit(&self, tx: &mut Tx<'_>, commit: &TreeCommit) -> Result<Vec<Story>, StoreError> {
        let pointers = self.pointers(tx, commit)?;
        let mut ids: Vec<RegressionId> = pointers.iter().map(|(_, r)| r.id().clone()).collect();
        ids.extend(meant(tx, commit)?);
        let mut seen = Vec::new();
        let mut stories = Vec::new();
        for id in ids {
            if seen.contains(&id) || seen.len() >= MOST {
                continue;
            }
            let event = Event::Commit { tree: self.tree.clone(), commit: Box::new(commit.clone()) };
            stories.extend(self.decide(tx, &id, event, &pointers, commit.into())?);
            seen.push(id);
        }
        Ok(stories)
    }

    /// A fix that the branch does not have any more, for every regression that relied on it.
    fn rewritten(
        &self,
        tx: &mut Tx<'_>,
        lost: &str,
        successor: Option<&TreeCommit>,
    ) -> Result<Vec<Story>, StoreError> {
        let mut stories = Vec::new();
        for id in tx.marked_commit(lost)? {
            let event = Event::Rewritten {
                tree: self.tree.clone(),
                lost: lost.to_owned(),
                successor: successor.map(|s| Box::new(s.clone())),
            };
            let told = successor.map_or_else(
                || Told { id: lost.to_owned(), subject: String::new(), author: None },
                Told::from,
            );
            stories.extend(self.decide(tx, &id, event, &[], told)?);
        }
        Ok(stories)
    }

    /// Decides for one regression. Its trouble is its own: only the store's passing troubles stop the whole.
    fn decide(
        &self,
        tx: &mut Tx<'_>,
        id: &RegressionId,
        event: Event,
        pointers: &[(String, Regression)],
        told: Told,
    ) -> Result<Option<Story>, StoreError> {
        let mut story = Story::new("");
        story.from = told.author;
        story.subject.clone_from(&told.subject);
        story.regression = Some(id.clone());
        story.understood.push(Understood::Commit {
            tree: self.tree.label.clone(),
            commit: told.id.clone(),
            subject: told.subject,
        });
        let outcome = tx.part(|tx| {
            let work = || {
                let regression = tx.regression(id)?;
                let canonical =
                    regression.as_ref().map(|r| canonical(tx, r)).transpose()?.flatten();
                let pointers = pointers.to_vec();
                let opened_by = match self.tree.order {
                    Order::Mainline => gather::opened_by(&self.clerk(), tx, regression.as_ref())?,
                    Order::Incoming | Order::Stable => None,
                };
                let snapshot =
                    Snapshot { regression, canonical, pointers, opened_by, ..Snapshot::default() };
                let effects = engine::decide(&event, &snapshot, &self.mind.policy, self.now);
                apply(tx, effects, &mut story, self.post, self.now)
            };
            catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
                let what = format!("processing panicked: {}", words_of(&*panic));
                Err(StoreError::Row { row: format!("commit {}", told.id), what })
            })
        });
        match outcome {
            Ok(()) => {
                let moved = story.effects.iter().any(|e| matches!(e, Effect::Append(..)));
                Ok(moved.then_some(story))
            }
            Err(e @ StoreError::Row { .. }) => {
                tracing::error!(tree = self.tree.label, regression = id.as_str(), "{e}");
                Ok(None)
            }
            Err(e) => Err(e),
        }
    }

    fn clerk(&self) -> Clerk<'_> {
        Clerk { mind: self.mind, post: self.post, now: self.now }
    }

    /// Which trailer of the commit leads to which regression: by a mail of its thread, or by our tagged address.
    fn pointers(
        &self,
        tx: &Tx<'_>,
        commit: &TreeCommit,
    ) -> Result<Vec<(String, Regression)>, StoreError> {
        let mut found = Vec::new();
        let line = |t: &Trailer| format!("{}: {}", t.name, t.value);
        for trailer in &commit.links {
            for message in linked_ids(&trailer.value) {
                if let Some(id) = tx.regression_of(message.as_str())?
                    && let Some(regression) = tx.regression(&id)?
                {
                    found.push((line(trailer), regression));
                    break;
                }
            }
        }
        let bot = self.mind.policy.bot.canonical();
        for trailer in &commit.credits {
            let email = match trailer.value.rsplit_once('<') {
                Some((_, rest)) => rest.split('>').next().unwrap_or(rest),
                None => trailer.value.as_str(),
            };
            let address = Address { name: String::new(), email: email.trim().to_owned() };
            let token = address.tag().filter(|_| address.canonical() == bot);
            if let Some(id) = token.and_then(RegressionId::parse)
                && let Some(regression) = tx.regression(&id)?
            {
                found.push((line(trailer), regression));
            }
        }
        Ok(found)
    }
}

/// Regressions that a commit means without pointing at their thread: by their culprit, their fix, or its subject.
fn meant(tx: &Tx<'_>, commit: &TreeCommit) -> Result<Vec<RegressionId>, StoreError> {
    let mut ids = tx.marked_commit(&commit.id)?;
    ids.extend(tx.marked_subject(&commit.subject)?);
    if let Some(subject) = commit.undoes().or_else(|| commit.reapplies()) {
        ids.extend(tx.marked_subject(subject)?);
    }
    for message in commit.links.iter().flat_map(|t| linked_ids(&t.value)) {
        ids.extend(tx.marked_posting(message.as_str())?);
    }
    for id in commit.reverts.iter().chain(&commit.copy_of) {
        ids.extend(tx.marked_commit(id)?);
    }
    let mended = commit.fixes.iter().map(|m| &m.commit).chain(&commit.reverts);
    for id in mended.filter(|id| id.len() >= 8) {
        ids.extend(tx.regressions_of_commit(id)?.iter().map(|r| r.id().clone()));
    }
    Ok(ids)
}

/// The one that stays, at the end of a chain of duplicates.
fn canonical(tx: &Tx<'_>, regression: &Regression) -> Result<Option<Regression>, StoreError> {
    let mut found: Option<Regression> = None;
    let mut next = regression.duplicate_of.clone();
    // Chains are short; a circle ends too.
    for _ in 0..8 {
        let Some(id) = next.filter(|id| id != regression.id()) else { break };
        let Some(other) = tx.regression(&id)? else { break };
        next = other.duplicate_of.clone();
        found = Some(other);
    }
    Ok(found)
}

/// What the log tells of a commit.
struct Told {
    id: String,
    subject: String,
    author: Option<Address>,
}

impl From<&TreeCommit> for Told {
    fn from(c: &TreeCommit) -> Self {
        let author = Some(c.author.clone());
        Self { id: c.id.clone(), subject: c.subject.clone(), author }
    }
}
