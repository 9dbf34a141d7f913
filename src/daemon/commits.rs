//! What git tells of a reported commit: the trees of the configuration are asked for what the lab left out.

use crate::bench::{Commit, Notification};
use crate::config::Tree;
use crate::git::{self, GitError};
use crate::regression::Regression;
use crate::report::maintainers::Maintainers;

/// The repositories that can be asked.
#[derive(Debug, Clone, Default)]
pub struct Commits {
    trees: Vec<Tree>,
}

impl Commits {
    /// Of a configuration.
    pub fn new(trees: &[Tree]) -> Self {
        Self { trees: trees.to_vec() }
    }

    /// The repositories of a tree, as far as they are there: a mirror may not be fetched yet.
    fn of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = git::Tree> + 'a {
        let named = self.trees.iter().filter(move |t| t.watched.name == name);
        named.filter(|t| t.path.is_dir()).filter_map(|t| told(git::Tree::open(&t.path)))
    }

    /// Fills in what the lab did not tell of its two commits: subject and date, and of a culprit also the author, the people of its
    /// trailers, its lists, its files and the posted patch. What the lab tells stands.
    ///
    /// Without a bisection the end of the range is nobody's fault, and nobody is looked up.
    pub fn complete(&self, n: &mut Notification) {
        let name = n.tree.name.clone();
        for tree in self.of(&name) {
            let look = |id: &str| told(tree.commit(id)).flatten();
            let (base, head) = (&mut n.base, &mut n.head);
            if let Some(known) = (lacks(base, false)).then(|| look(&base.commit)).flatten() {
                fill(base, known, false);
            }
            if let Some(known) = (lacks(head, n.bisected)).then(|| look(&head.commit)).flatten() {
                fill(head, known, n.bisected);
            }
        }
    }

    /// Message and patch of a culprit, for the `K:` patterns of a MAINTAINERS file; empty where no tree has it.
    pub fn patch(&self, n: &Notification) -> String {
        let mut patches = self.of(&n.tree.name).filter_map(|t| told(t.patch(&n.head.commit)));
        if n.bisected { patches.find(|p| !p.is_empty()).unwrap_or_default() } else { String::new() }
    }

    /// Who looks after the files of a tree, read at its tip.
    pub fn maintainers(&self, tree: &Tree) -> Option<Maintainers> {
        let repository = tree.path.is_dir().then(|| told(git::Tree::open(&tree.path))).flatten()?;
        let branch = tree.branch.as_deref();
        let tip = match &tree.url {
            Some(_) => repository.id(&git::mirrored(&tree.watched.name, branch)),
            None => repository.tip(branch),
        };
        let tip = told(tip).flatten()?;
        match &tree.maintainers {
            Some(path) => told(repository.file(&tip, path))
                .flatten()
                .map(|text| Maintainers::read(path, &text).0),
            None => told(repository.maintainers(&tip)).map(|(read, _)| read),
        }
    }

    /// Whether the range of a tracked regression and that of new results share a commit, as far as the tree knows all four ends.
    pub fn overlap(&self, n: &Notification, regression: &Regression) -> bool {
        let about = &regression.about;
        let (Some(base), Some(head)) = (about.base.as_deref(), about.commit.as_deref()) else {
            return false;
        };
        let ends = [base, head, n.base.commit.as_str(), n.head.commit.as_str()];
        if ends.iter().any(|end| end.is_empty()) {
            return false;
        }
        self.of(&n.tree.name).any(|tree| {
            let known = |end: &&str| told(tree.id(end)).flatten().is_some();
            // One ends before the other begins, or they share something.
            let before = |end: &str, begin: &str| told(tree.contains(begin, end)) != Some(false);
            ends.iter().all(known) && !before(head, &n.base.commit) && !before(&n.head.commit, base)
        })
    }
}

fn lacks(commit: &Commit, whole: bool) -> bool {
    let named = commit.subject.is_some() && commit.date.is_some();
    let people = commit.author.is_some() && !commit.people.is_empty();
    !commit.is_unknown() && !(named && (!whole || people && !commit.files.is_empty()))
}

fn fill(commit: &mut Commit, known: Commit, whole: bool) {
    let Commit { subject, author, date, people, message_id, lists, files, commit: _ } = known;
    commit.subject = commit.subject.take().or(subject);
    commit.date = commit.date.take().or(date);
    if !whole {
        return;
    }
    commit.author = commit.author.take().or(author);
    commit.message_id = commit.message_id.take().or(message_id);
    let several = [(&mut commit.lists, lists), (&mut commit.files, files)];
    for (own, found) in several {
        if own.is_empty() {
            *own = found;
        }
    }
    if commit.people.is_empty() {
        commit.people = people;
    }
}

/// A tree that cannot be asked is no reason to hold up results.
fn told<T>(answer: Result<T, GitError>) -> Option<T> {
    answer.inspect_err(|e| tracing::warn!("a tree was not asked: {e}")).ok()
}
