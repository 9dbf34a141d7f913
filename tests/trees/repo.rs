//! A git repository whose commit ids are the same on every machine: names and times are given.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Midnight of 1 March 2026.
pub(crate) const START: i64 = 1_772_323_200;

pub(crate) struct Repo {
    dir: tempfile::TempDir,
    clock: Cell<i64>,
}

impl Repo {
    /// An empty repository on `master`, with one commit.
    pub(crate) fn new() -> Self {
        let repo = Self { dir: tempfile::tempdir().unwrap(), clock: Cell::new(START) };
        repo.git(&["init", "-q", "-b", "master"]);
        repo.commit("the beginning\n");
        repo
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Runs git; what it printed, trimmed. Every call is an hour later than the one before.
    pub(crate) fn git(&self, args: &[&str]) -> String {
        self.clock.set(self.clock.get() + 3600);
        self.git_at(self.clock.get(), args, "")
    }

    fn git_at(&self, at: i64, args: &[&str], input: &str) -> String {
        use std::io::Write;
        let date = format!("{at} +0000");
        let mut child = Command::new("git")
            .arg("-C")
            .arg(self.path())
            .args(args)
            .envs([("GIT_AUTHOR_NAME", "Mira Okafor"), ("GIT_AUTHOR_EMAIL", "mira@example.org")])
            .envs([("GIT_COMMITTER_NAME", "Teo Dor"), ("GIT_COMMITTER_EMAIL", "teo@example.org")])
            .envs([("GIT_AUTHOR_DATE", &date), ("GIT_COMMITTER_DATE", &date)])
            .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let done = child.wait_with_output().unwrap();
        assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    /// A commit that changes nothing; its id.
    pub(crate) fn commit(&self, message: &str) -> String {
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.head()
    }

    /// A commit that changes a file; its id.
    pub(crate) fn change(&self, file: &str, text: &str, message: &str) -> String {
        std::fs::write(self.path().join(file), text).unwrap();
        self.git(&["add", "."]);
        self.commit(message)
    }

    /// Reverts a commit, of this repository or another; the id of the revert.
    pub(crate) fn revert(&self, id: &str, subject: &str) -> String {
        self.commit(&format!(
            "Revert \"{subject}\"\n\nThis reverts commit {id}.\n\nIt deadlocks on hotplug.\n"
        ))
    }

    pub(crate) fn head(&self) -> String {
        self.git_at(self.clock.get(), &["rev-parse", "HEAD"], "")
    }

    /// Many commits at once: `message(n)` for each.
    pub(crate) fn import(&self, count: usize, message: impl Fn(usize) -> String) {
        let mut stream = String::new();
        let tip = self.head();
        for n in 0..count {
            let text = message(n);
            let at = self.clock.get() + i64::try_from(n).unwrap();
            stream += &format!(
                "commit refs/heads/master\nauthor Mira Okafor <mira@example.org> {at} +0000\n\
                 committer Teo Dor <teo@example.org> {at} +0000\ndata {}\n{text}\n",
                text.len()
            );
            if n == 0 {
                stream += &format!("from {tip}\n");
            }
        }
        self.git_at(self.clock.get(), &["fast-import", "--quiet"], &stream);
        self.git(&["reset", "-q", "--hard", "master"]);
    }

    /// A bare copy beside it.
    pub(crate) fn bare(&self, to: &Path) -> PathBuf {
        let bare = to.join("mirror.git");
        let (from, into) = (self.path().to_str().unwrap(), bare.to_str().unwrap());
        self.git(&["clone", "-q", "--mirror", from, into]);
        bare
    }
}
