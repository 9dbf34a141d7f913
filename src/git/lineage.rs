//! What a branch holds, and what came in place of what it lost.

use std::time::Duration;

use super::{GitError, Tree, run};

/// Longest comparison of patches.
const LIMIT: Duration = Duration::from_secs(120);
/// A patch that touches more files is not compared.
const FILES: usize = 200;

impl Tree {
    /// The tip of a branch: `refs/heads/NAME` where there is one, else whatever git takes the name for; HEAD for none.
    ///
    /// # Errors
    /// When the name is none, or git cannot be run.
    pub fn tip(&self, branch: Option<&str>) -> Result<Option<String>, GitError> {
        let Some(branch) = branch else { return self.id("HEAD") };
        match self.id(&format!("refs/heads/{branch}"))? {
            Some(id) => Ok(Some(id)),
            None => self.id(branch),
        }
    }

    /// Whether `commit` is `tip` or one of its ancestors; `false` when the tree does not have it.
    ///
    /// # Errors
    /// When a name is none, or git cannot be run.
    pub fn contains(&self, tip: &str, commit: &str) -> Result<bool, GitError> {
        let (Some(tip), Some(commit)) = (self.id(tip)?, self.id(commit)?) else {
            return Ok(false);
        };
        Ok(run::git(self.dir(), &["merge-base", "--is-ancestor", &commit, &tip], 4096)?.ok)
    }

    /// The commit of `tip` that makes the same change as `lost` did, as far as the history that they do not share goes.
    ///
    /// # Errors
    /// When a name is none, or git fails.
    pub fn same_patch(&self, lost: &str, tip: &str) -> Result<Option<String>, GitError> {
        let Some(old) = self.commit(lost)? else { return Ok(None) };
        let Some(tip) = self.id(tip)? else { return Ok(None) };
        if old.files.is_empty() || old.files.len() > FILES {
            return Ok(None);
        }
        let show = ["log", "-p", "--no-color", "--no-ext-diff", "--format=commit %H"];
        let wanted = self.patch_ids(&[&show[..], &["-1", &old.commit]].concat())?;
        let Some((wanted, _)) = wanted.into_iter().next() else { return Ok(None) };
        let without = format!("^{}", old.commit);
        let range = ["--full-diff", "--no-merges", "-n", "2000", &tip, &without, "--"];
        let files: Vec<&str> = old.files.iter().map(String::as_str).collect();
        let found = self.patch_ids(&[&show[..], &range, &files].concat())?;
        Ok(found.into_iter().find(|(id, _)| *id == wanted).map(|(_, commit)| commit))
    }

    /// `(patch id, commit)` of what `git log -p ...` prints.
    fn patch_ids(&self, log: &[&str]) -> Result<Vec<(String, String)>, GitError> {
        let done = run::piped(LIMIT, self.dir(), log, &["patch-id", "--stable"], 1 << 20)?;
        let pair = |line: &str| {
            line.split_once(' ').map(|(id, commit)| (id.to_owned(), commit.trim().to_owned()))
        };
        Ok(done.text.lines().filter_map(pair).collect())
    }
}
