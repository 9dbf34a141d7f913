//! A mirror that is kept current: the one place where this room writes.

use std::path::Path;
use std::time::Duration;

use super::{GitError, Tree, run};

/// Longest fetch: the first one brings a whole history.
const LIMIT: Duration = Duration::from_secs(6 * 3600);

/// The ref under which a mirror keeps a branch of a tree. Several trees may share one mirror and its objects.
pub fn mirrored(tree: &str, branch: Option<&str>) -> String {
    format!("refs/regard/{tree}/{}", branch.unwrap_or("HEAD"))
}

impl Tree {
    /// Brings one branch of `url` into the repository in `dir`, as [`mirrored`] says; an empty or missing folder becomes a bare
    /// repository first. Nothing else in it is touched.
    ///
    /// # Errors
    /// When the folder cannot be made, or git fails.
    pub fn mirror(
        dir: &Path,
        url: &str,
        tree: &str,
        branch: Option<&str>,
    ) -> Result<Self, GitError> {
        std::fs::create_dir_all(dir)
            .map_err(|source| GitError::Folder { dir: dir.to_owned(), source })?;
        let empty = std::fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none());
        if empty {
            done(
                &["init", "--quiet", "--bare"],
                run::git(dir, &["init", "--quiet", "--bare"], 4096)?,
            )?;
        }
        let mirror = Self::open(dir)?;
        let source = branch.map_or_else(|| "HEAD".to_owned(), |b| format!("refs/heads/{b}"));
        let spec = format!("+{source}:{}", mirrored(tree, branch));
        let fetch = [
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--end-of-options",
            url,
            &spec,
        ];
        done(&fetch, run::within(LIMIT, dir, &fetch, 4096)?)?;
        Ok(mirror)
    }

    /// The commit of a branch at `url`, asked over the wire; `None` when it has no such branch.
    ///
    /// # Errors
    /// When git fails.
    pub fn remote(url: &str, branch: Option<&str>) -> Result<Option<String>, GitError> {
        let wanted = branch.map_or_else(|| "HEAD".to_owned(), |b| format!("refs/heads/{b}"));
        let ask = ["ls-remote", "--quiet", "--end-of-options", url, &wanted];
        let answer = run::git(Path::new("."), &ask, 1 << 16)?;
        let id = answer.text.split_whitespace().next().map(str::to_owned);
        done(&ask, answer).map(|()| id)
    }
}

fn done(args: &[&str], output: run::Output) -> Result<(), GitError> {
    if output.ok {
        return Ok(());
    }
    let command = args.first().copied().unwrap_or_default().to_owned();
    Err(GitError::Failed { command, said: output.said })
}
