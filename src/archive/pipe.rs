//! public-inbox repositories, streamed through `git rev-list | git cat-file --batch`.

use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;

use super::mbox::LARGEST;
use super::{ArchiveError, Raw};

/// The mails of one repository, oldest first.
pub(super) struct GitMails {
    path: PathBuf,
    lister: Child,
    reader: Child,
    blobs: BufReader<ChildStdout>,
    feeder: Option<JoinHandle<()>>,
    /// Whether the names are commits, so that a later pass can start behind them.
    marked: bool,
    done: bool,
}

/// How the repository keeps its mail.
enum Layout {
    /// v2: each commit holds the mail as `m`.
    Epoch,
    /// v1: each mail is a file of its own.
    Tree,
}

impl GitMails {
    pub(super) fn open(path: &Path, after: Option<String>) -> Result<Self, ArchiveError> {
        let layout = match says(path, &["cat-file", "-e", "HEAD:m"])
            || says(path, &["cat-file", "-e", "HEAD:d"])
        {
            true => Layout::Epoch,
            false => Layout::Tree,
        };
        let range = match after {
            Some(mark) if says(path, &["merge-base", "--is-ancestor", &mark, "HEAD"]) => {
                format!("{mark}..HEAD")
            }
            _ => "HEAD".to_owned(),
        };
        let listing: Vec<&str> = match layout {
            Layout::Epoch => vec!["rev-list", "--reverse", &range],
            Layout::Tree => vec!["ls-tree", "-r", "--object-only", "HEAD"],
        };
        let failed = |error| ArchiveError::io(path, error);
        let mut lister = git(path, &listing).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let mut reader =
            git(path, &["cat-file", "--batch=%(objecttype) %(objectsize) %(rest)", "--buffer"])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .map_err(failed)?;
        let pipes = (lister.stdout.take(), reader.stdin.take(), reader.stdout.take());
        let (Some(names), Some(asks), Some(answers)) = pipes else {
            return Err(ArchiveError::Git {
                path: path.display().to_string(),
                verb: "cat-file",
                what: "no pipe".to_owned(),
            });
        };
        let marked = matches!(layout, Layout::Epoch);
        let feeder = std::thread::spawn(move || feed(names, asks, &layout));
        Ok(Self {
            path: path.to_owned(),
            lister,
            reader,
            blobs: BufReader::with_capacity(256 << 10, answers),
            feeder: Some(feeder),
            marked,
            done: false,
        })
    }

    pub(super) fn next(&mut self) -> Option<Result<Raw, ArchiveError>> {
        while !self.done {
            match self.read_one() {
                Ok(Some(raw)) => return Some(Ok(raw)),
                Ok(None) => {}
                Err(error) => {
                    self.done = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }

    /// One answer of cat-file. `None` for commits without a mail, and at the end.
    fn read_one(&mut self) -> Result<Option<Raw>, ArchiveError> {
        let mut head = String::new();
        let read = self.blobs.read_line(&mut head).map_err(|e| ArchiveError::io(&self.path, e))?;
        if read == 0 {
            self.done = true;
            return self.finish().map(|()| None);
        }
        let words: Vec<&str> = head.split_whitespace().collect();
        // `<name> missing`: a commit that removes a mail.
        let &[kind, size, commit] = words.as_slice() else { return Ok(None) };
        let size: u64 = size.parse().map_err(|_| self.broken(&head))?;
        let kept = size.min(LARGEST as u64);
        let mut bytes = Vec::with_capacity(usize::try_from(kept).unwrap_or(0));
        let failed = |error| ArchiveError::io(&self.path, error);
        self.blobs.by_ref().take(kept).read_to_end(&mut bytes).map_err(failed)?;
        let rest = size - kept + 1;
        std::io::copy(&mut self.blobs.by_ref().take(rest), &mut std::io::sink()).map_err(failed)?;
        if kind != "blob" {
            return Ok(None);
        }
        let path = self.path.display();
        let mark = self.marked.then(|| (path.to_string(), commit.to_owned()));
        Ok(Some(Raw { label: format!("{path}@{commit}"), bytes, mark }))
    }

    /// The end of the stream is an end only if git says that all went well.
    fn finish(&mut self) -> Result<(), ArchiveError> {
        for (child, verb) in [(&mut self.lister, "rev-list"), (&mut self.reader, "cat-file")] {
            let status = child.wait().map_err(|e| ArchiveError::io(&self.path, e))?;
            if !status.success() {
                let path = self.path.display().to_string();
                return Err(ArchiveError::Git { path, verb, what: status.to_string() });
            }
        }
        Ok(())
    }

    fn broken(&self, answer: &str) -> ArchiveError {
        let what = format!("unexpected answer `{}`", answer.trim());
        ArchiveError::Git { path: self.path.display().to_string(), verb: "cat-file", what }
    }
}

impl Drop for GitMails {
    fn drop(&mut self) {
        // Whoever stops half-way leaves no process behind.
        for child in [&mut self.lister, &mut self.reader] {
            let _ = child.kill();
            let _ = child.wait();
        }
        if let Some(feeder) = self.feeder.take() {
            let _ = feeder.join();
        }
    }
}

fn git(path: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("--git-dir").arg(if path.join(".git").is_dir() {
        path.join(".git")
    } else {
        path.to_owned()
    });
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn says(path: &Path, arguments: &[&str]) -> bool {
    git(path, arguments).status().is_ok_and(|status| status.success())
}

/// Turns each listed name into a question for cat-file; the commit comes back with the answer.
fn feed(names: impl Read, asks: ChildStdin, layout: &Layout) {
    let mut asks = BufWriter::with_capacity(64 << 10, asks);
    for name in BufReader::new(names).lines().map_while(Result::ok) {
        let asked = match layout {
            Layout::Epoch => writeln!(asks, "{name}:m {name}"),
            Layout::Tree => writeln!(asks, "{name} {name}"),
        };
        if asked.is_err() {
            return;
        }
    }
    let _ = asks.flush();
}
