//! A repository.

use std::path::{Path, PathBuf};

use super::{GitError, commit, run};
use crate::bench::Commit;
use crate::report::maintainers::{Defect, Maintainers};

/// Where trees keep the file that names their people.
const KEEPERS: [&str; 5] =
    ["MAINTAINERS", "CODEOWNERS", ".github/CODEOWNERS", ".gitlab/CODEOWNERS", "docs/CODEOWNERS"];
/// Largest file of a tree that is read.
const FILE: u64 = 8 << 20;
/// Largest patch that is looked at.
const PATCH: u64 = 4 << 20;

/// A repository, bare or checked out.
#[derive(Debug, Clone)]
pub struct Tree {
    dir: PathBuf,
}

impl Tree {
    /// Opens the repository in `dir`.
    ///
    /// # Errors
    ///
    /// When there is none, or no `git`.
    pub fn open(dir: &Path) -> Result<Self, GitError> {
        let found = run::git(dir, &["rev-parse", "--git-dir"], 4096)?;
        if found.ok {
            return Ok(Self { dir: dir.to_owned() });
        }
        Err(GitError::NoRepository { dir: dir.to_owned(), said: found.said })
    }

    /// The full id of a commit; `None` when the tree does not have it (or an abbreviation fits several).
    ///
    /// # Errors
    ///
    /// When `revision` is none, or git cannot be run.
    pub fn id(&self, revision: &str) -> Result<Option<String>, GitError> {
        let named = format!("{}^{{commit}}", name(revision)?);
        let found = run::git(
            &self.dir,
            &["rev-parse", "--verify", "--quiet", "--end-of-options", &named],
            4096,
        )?;
        Ok(found.ok.then(|| found.text.trim().to_owned()).filter(|id| !id.is_empty()))
    }

    /// A commit with everything that a report needs: subject, author, date, people of its trailers, touched files, and the
    /// Message-ID of the posted patch where its trailers tell. `None` when the tree does not have it.
    ///
    /// # Errors
    ///
    /// When `revision` is none, or git fails.
    pub fn commit(&self, revision: &str) -> Result<Option<Commit>, GitError> {
        let Some(id) = self.id(revision)? else { return Ok(None) };
        let format = format!("--format={}", commit::FORMAT);
        let told = self.run(&["log", "-1", "--no-show-signature", &format, &id], PATCH)?;
        let files = self.run(
            &[
                "diff-tree",
                "--no-commit-id",
                "--name-only",
                "-r",
                "-z",
                "--root",
                "-m",
                "--first-parent",
                &id,
            ],
            FILE,
        )?;
        let files = files.split('\0').filter(|f| !f.is_empty()).map(str::to_owned).collect();
        Ok(Some(commit::read(&told, files)))
    }

    /// Message and patch of a commit, as `K:` patterns of MAINTAINERS look at it; empty when the tree does not have it.
    ///
    /// # Errors
    ///
    /// When `revision` is none, or git fails.
    pub fn patch(&self, revision: &str) -> Result<String, GitError> {
        let Some(id) = self.id(revision)? else { return Ok(String::new()) };
        self.run(
            &["show", "--no-color", "--no-ext-diff", "--no-textconv", "--format=%B", &id],
            PATCH,
        )
    }

    /// A file of a revision; `None` when there is none.
    ///
    /// # Errors
    ///
    /// When a name makes no sense, or git cannot be run.
    pub fn file(&self, revision: &str, path: &str) -> Result<Option<String>, GitError> {
        let Some(id) = self.id(revision)? else { return Ok(None) };
        let named = format!("{id}:{}", name(path)?);
        let found = run::git(&self.dir, &["cat-file", "blob", &named], FILE)?;
        Ok(found.ok.then_some(found.text))
    }

    /// The maintainers file of a revision, wherever the tree keeps it; [`Maintainers::None`] when it has none.
    ///
    /// # Errors
    ///
    /// When `revision` is none, or git cannot be run.
    pub fn maintainers(&self, revision: &str) -> Result<(Maintainers, Vec<Defect>), GitError> {
        for path in KEEPERS {
            if let Some(text) = self.file(revision, path)? {
                return Ok(Maintainers::read(path, &text));
            }
        }
        Ok((Maintainers::None, Vec::new()))
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    fn run(&self, args: &[&str], most: u64) -> Result<String, GitError> {
        let done = run::git(&self.dir, args, most)?;
        if done.ok {
            return Ok(done.text);
        }
        Err(GitError::Failed {
            command: args.iter().take(2).copied().collect::<Vec<_>>().join(" "),
            said: done.said,
        })
    }
}

/// Refuses what git would take for an option, a range or a search.
fn name(text: &str) -> Result<&str, GitError> {
    let plain = |c: char| !c.is_control() && !" ~^:?*[\\{}".contains(c);
    let fits = !text.is_empty()
        && text.len() <= 400
        && !text.starts_with('-')
        && !text.contains("..")
        && text.chars().all(plain);
    if fits { Ok(text) } else { Err(GitError::Name(text.chars().take(80).collect())) }
}
