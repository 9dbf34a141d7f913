//! What a tree answers. Runs git, touches no store.

use jiff::Timestamp;

use super::question::{Needle, Question, Relied};
use super::{LOOK_BACK, TreeError};
use crate::config::Tree;
use crate::git::{self, Span, mirrored};
use crate::regression::TreeCommit;
use crate::report::maintainers::Maintainers;

/// Commits that one look reads at most; a year of the largest trees has fewer.
const MOST: usize = 200_000;
/// Fixes whose place is looked up in one look.
const RELIED: usize = 500;

/// What one look at a tree brought.
#[derive(Debug, Clone)]
pub struct Haul {
    /// The tree.
    pub tree: Tree,
    /// Its tip.
    pub tip: String,
    /// New commits, and old ones that were looked for; parents before children.
    pub commits: Vec<TreeCommit>,
    /// Fixes that were made anew when the branch was rewritten.
    pub remade: Vec<(String, TreeCommit)>,
    /// Fixes that the rewritten branch does not have.
    pub missing: Vec<String>,
    /// Fixes that it has, after some doubt.
    pub present: Vec<String>,
    /// What was looked for.
    pub looked: Vec<Needle>,
    /// Who looks after its files, where that is news.
    pub maintainers: Option<Maintainers>,
}

/// Brings a mirror up to date, and reads what is new in a tree.
///
/// # Errors
/// When the tree cannot be fetched or read.
pub fn survey(tree: &Tree, question: &Question, now: Timestamp) -> Result<Haul, TreeError> {
    let branch = tree.branch.as_deref();
    let (repository, tip) = match &tree.url {
        Some(url) => {
            let mirror = git::Tree::mirror(&tree.path, url, &tree.watched.name, branch)?;
            let tip = mirror.id(&mirrored(&tree.watched.name, branch))?;
            (mirror, tip)
        }
        None => {
            let repository = git::Tree::open(&tree.path)?;
            let tip = repository.tip(branch)?;
            (repository, tip)
        }
    };
    let tip = tip.ok_or_else(|| TreeError::Branch {
        tree: tree.watched.label.clone(),
        branch: branch.unwrap_or("HEAD").to_owned(),
    })?;
    let old = question.cursor.as_ref().map(|c| c.tip.as_str());
    let look = Look { repository, tip: &tip, since: now - LOOK_BACK };
    let moved = old != Some(tip.as_str());
    let mut commits = look.earlier(&question.needles, old.is_some())?;
    let mut haul = Haul {
        tree: tree.clone(),
        commits: Vec::new(),
        remade: Vec::new(),
        missing: Vec::new(),
        present: Vec::new(),
        looked: question.needles.clone(),
        maintainers: None,
        tip: tip.clone(),
    };
    let mut rewritten = false;
    if moved {
        let (new, was_rewritten) = look.fresh(old)?;
        rewritten = was_rewritten;
        commits.retain(|c| !new.iter().any(|n| n.id == c.id));
        commits.extend(new);
    }
    if moved || !question.knows_keepers {
        haul.maintainers = Some(keepers(&look.repository, &tip, tree)?);
    }
    haul.commits = commits;
    if rewritten || !question.missing.is_empty() {
        look.relied(question, rewritten, &mut haul)?;
    }
    Ok(haul)
}

fn keepers(repository: &git::Tree, tip: &str, tree: &Tree) -> Result<Maintainers, git::GitError> {
    let (keepers, defects) = match &tree.maintainers {
        Some(path) => match repository.file(tip, path)? {
            Some(text) => Maintainers::read(path, &text),
            None => {
                tracing::warn!(tree = tree.watched.label, path, "no such file at the tip");
                return Ok(Maintainers::None);
            }
        },
        None => repository.maintainers(tip)?,
    };
    for defect in defects.iter().take(5) {
        let line = defect.line;
        tracing::warn!(tree = tree.watched.label, line, "maintainers: {}", defect.what);
    }
    Ok(keepers)
}

struct Look<'a> {
    repository: git::Tree,
    tip: &'a str,
    since: Timestamp,
}

impl Look<'_> {
    /// What came since `old`, and whether the branch was rewritten meanwhile.
    fn fresh(&self, old: Option<&str>) -> Result<(Vec<TreeCommit>, bool), git::GitError> {
        let known = old.map(|old| self.repository.id(old)).transpose()?.flatten();
        let span = Span {
            tip: self.tip,
            without: known.as_deref(),
            // Without a place to begin at: the last year.
            since: known.is_none().then_some(self.since),
            most: MOST,
        };
        let commits = self.repository.history(span)?;
        let rewritten = match &known {
            Some(known) => !self.repository.contains(self.tip, known)?,
            None => old.is_some(),
        };
        Ok((commits, rewritten))
    }

    /// Commits of the past that name what was learned since. The first look reads the year whole.
    fn earlier(
        &self,
        needles: &[Needle],
        read_before: bool,
    ) -> Result<Vec<TreeCommit>, git::GitError> {
        let mut found: Vec<TreeCommit> = Vec::new();
        for needle in needles {
            if let Needle::Commit(id) = needle
                && self.repository.contains(self.tip, id)?
            {
                found.extend(self.repository.one(id)?);
            }
        }
        if read_before {
            let texts: Vec<String> = needles
                .iter()
                .filter_map(|n| match n {
                    Needle::Text(text) => Some(text.clone()),
                    Needle::Commit(_) => None,
                })
                .collect();
            let span = Span { tip: self.tip, without: None, since: Some(self.since), most: MOST };
            let mut hits = self.repository.search(span, &texts)?;
            hits.retain(|hit| !found.iter().any(|f| f.id == hit.id));
            found.extend(hits);
        }
        Ok(found)
    }

    /// Whether the fixes that we rely on are still there; what came in their place, where they are not.
    fn relied(
        &self,
        question: &Question,
        rewritten: bool,
        haul: &mut Haul,
    ) -> Result<(), git::GitError> {
        let doubted = |r: &&Relied| rewritten || question.missing.contains(&r.commit);
        for relied in question.relied.iter().filter(doubted).take(RELIED) {
            if self.repository.contains(self.tip, &relied.commit)? {
                haul.present.push(relied.commit.clone());
                continue;
            }
            let was = self.repository.one(&relied.commit)?;
            let mut anew = haul.commits.iter().find(|c| relied.is_remade(was.as_ref(), c)).cloned();
            if anew.is_none() && rewritten {
                let same = self.repository.same_patch(&relied.commit, self.tip)?;
                anew = same.map(|id| self.repository.one(&id)).transpose()?.flatten();
            }
            match anew {
                Some(commit) => haul.remade.push((relied.commit.clone(), commit)),
                None => haul.missing.push(relied.commit.clone()),
            }
        }
        Ok(())
    }
}
