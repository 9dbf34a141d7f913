//! What the desk wants to know of a tree.

use std::collections::BTreeSet;

use crate::config::Tree;
use crate::daemon::Desk;
use crate::regression::{Landing, Regression, TreeCommit};
use crate::store::{StoreError, TreeCursor, Tx};

/// Things that one look asks for in the past at most; the rest waits for the next.
const MOST: usize = 500;

/// What is asked of a tree.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// How far it was read.
    pub cursor: Option<TreeCursor>,
    /// What was learned since, and may stand in commits that were read already.
    pub needles: Vec<Needle>,
    /// Fixes that were found in it.
    pub relied: Vec<Relied>,
    /// Those of them that it lacked last time.
    pub missing: Vec<String>,
    /// Whether it is known who looks after its files.
    pub knows_keepers: bool,
}

/// Something to look for in the past of a tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needle {
    /// A commit id.
    Commit(String),
    /// Words of a commit message.
    Text(String),
}

/// A fix that a tree has, as far as is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relied {
    /// Full commit id.
    pub commit: String,
    /// Its subject.
    pub subject: String,
}

impl Needle {
    /// How the store remembers that it was looked for.
    pub(super) fn key(&self) -> &str {
        match self {
            Needle::Commit(text) | Needle::Text(text) => text,
        }
    }
}

impl Desk {
    /// What is to be asked of a tree.
    ///
    /// # Errors
    /// Of the store.
    pub fn question(&mut self, tree: &Tree) -> Result<Question, StoreError> {
        let Desk { store, mind, .. } = self;
        let bot = mind.policy.bot.email.as_str();
        store.look(|tx| {
            let (name, branch) = key(tree);
            let mut question = Question {
                cursor: tx.tree_cursor(name, branch)?,
                missing: tx.missing(name, branch)?,
                knows_keepers: mind.policy.maintainers.iter().any(|(tree, _)| tree == name),
                ..Question::default()
            };
            let mut needles = BTreeSet::new();
            for regression in tx.regressions(true)? {
                let live = regression.landings.iter().filter(|l| l.is_live());
                for landing in live.filter(|l| l.tree == tree.watched.label) {
                    let (commit, subject) = (landing.commit.clone(), landing.subject.clone());
                    question.relied.push(Relied { commit, subject });
                }
                if !regression.is_closed() {
                    needles.extend(wanted(&regression, bot));
                }
            }
            question.needles = unasked(tx, tree, needles)?;
            Ok(question)
        })
    }
}

/// The names under which the store keeps what it knows of a tree.
pub(super) fn key(tree: &Tree) -> (&str, &str) {
    (&tree.watched.name, tree.branch.as_deref().unwrap_or_default())
}

fn unasked(tx: &Tx<'_>, tree: &Tree, needles: BTreeSet<Needle>) -> Result<Vec<Needle>, StoreError> {
    let (name, branch) = key(tree);
    let mut found = Vec::new();
    for needle in needles {
        if found.len() < MOST && !tx.was_looked_for(name, branch, needle.key())? {
            found.push(needle);
        }
    }
    Ok(found)
}

/// What a commit that fixes it would name.
fn wanted(regression: &Regression, bot: &str) -> Vec<Needle> {
    let about = &regression.about;
    let mut needles = Vec::new();
    if let Some((fix, _)) = &regression.fix
        && !regression.landings.iter().any(Landing::is_live)
    {
        needles.extend(fix.commit.iter().cloned().map(Needle::Commit));
        // What was reverted since is named by its revert.
        needles.extend(fix.commit.iter().filter_map(|c| text(c.get(..12).unwrap_or(c))));
        needles.extend(fix.subject.iter().filter_map(|s| text(s)));
        needles.extend(fix.patch.iter().filter_map(|id| text(plain_run(id))));
    }
    needles.extend(about.report.iter().filter_map(|id| text(plain_run(id))));
    needles.extend(about.commit.iter().filter_map(|c| text(c.get(..10)?)));
    if let Some((local, host)) = bot.split_once('@') {
        needles.extend(text(&format!("{local}+{}@{host}", regression.id())));
    }
    needles
}

fn text(words: &str) -> Option<Needle> {
    let words = words.trim();
    // Shorter ones stand everywhere.
    (words.len() >= 8 && !words.contains(char::is_control)).then(|| Needle::Text(words.to_owned()))
}

/// The longest part of an id that no archive encodes.
fn plain_run(id: &str) -> &str {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    id.split(|c| !plain(c)).max_by_key(|run| run.len()).unwrap_or(id)
}

impl Relied {
    /// Whether `commit` is it, made anew: the same subject, or the same author at the same time.
    pub(super) fn is_remade(&self, was: Option<&TreeCommit>, commit: &TreeCommit) -> bool {
        let key = crate::regression::subject_key;
        let same_hand = |was: &TreeCommit| {
            was.authored == commit.authored && was.author.canonical() == commit.author.canonical()
        };
        commit.id != self.commit
            && (key(&commit.subject) == key(&self.subject) || was.is_some_and(same_hand))
    }
}
