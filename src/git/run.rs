//! One call of `git`: bounded in time and output, untouched by the user's environment.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::GitError;

/// Longest call.
pub(super) const LIMIT: Duration = Duration::from_secs(60);

/// What a call gave.
#[derive(Debug)]
pub(super) struct Output {
    /// Whether it ended well.
    pub(super) ok: bool,
    /// Standard output, cut at the limit; UTF-8, foreign bytes replaced.
    pub(super) text: String,
    /// Last words on standard error.
    pub(super) said: String,
}

/// Runs `git -C dir args...`; at most `most` bytes of output are kept.
pub(super) fn git(dir: &Path, args: &[&str], most: u64) -> Result<Output, GitError> {
    within(LIMIT, dir, args, most)
}

/// The same with another limit of time.
pub(super) fn within(
    limit: Duration,
    dir: &Path,
    args: &[&str],
    most: u64,
) -> Result<Output, GitError> {
    let mut child = command(dir, args).spawn().map_err(GitError::Start)?;
    let (send, receive) = mpsc::channel();
    let pipes = (child.stdout.take(), child.stderr.take());
    thread::spawn(move || {
        let (out, err) = pipes;
        // A full pipe would stop git: both are drained, beyond what is kept.
        let said = thread::spawn(move || read(err, 10_000));
        let text = read(out, most);
        let _ = send.send((text, said.join().unwrap_or_default()));
    });
    let answer = receive.recv_timeout(limit);
    if answer.is_err() {
        let _ = child.kill();
    }
    let status = child.wait().map_err(GitError::Start)?;
    let Ok((text, said)) = answer else { return Err(slow(args, limit)) };
    Ok(Output { ok: status.success(), said: last_words(&said), text })
}

/// Hands the output to `take` as it comes, so that no more of it is held than `take` wants.
pub(super) fn stream<T>(
    limit: Duration,
    dir: &Path,
    args: &[&str],
    take: impl FnOnce(&mut dyn BufRead) -> std::io::Result<T>,
) -> Result<T, GitError> {
    let mut child = command(dir, args).spawn().map_err(GitError::Start)?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let said = thread::spawn(move || read(err, 10_000));
    let child = Arc::new(Mutex::new(child));
    let (done, wait) = mpsc::channel::<()>();
    let watched = Arc::clone(&child);
    let guard = thread::spawn(move || {
        let late = wait.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
        if late {
            let _ = lock(&watched).kill();
        }
        late
    });
    let taken = match out {
        Some(out) => take(&mut BufReader::with_capacity(1 << 16, out)),
        None => Err(std::io::ErrorKind::BrokenPipe.into()),
    };
    drop(done);
    let late = guard.join().unwrap_or(false);
    let status = lock(&child).wait().map_err(GitError::Start)?;
    let failed = |said: &str| GitError::Failed { command: name(args), said: last_words(said) };
    match taken {
        _ if late => Err(slow(args, limit)),
        Ok(value) if status.success() => Ok(value),
        Ok(_) => Err(failed(&said.join().unwrap_or_default())),
        Err(e) => Err(failed(&e.to_string())),
    }
}

/// `git first... | git second...`; the output of the second.
pub(super) fn piped(
    limit: Duration,
    dir: &Path,
    first: &[&str],
    second: &[&str],
    most: u64,
) -> Result<Output, GitError> {
    let mut source = command(dir, first).stderr(Stdio::null()).spawn().map_err(GitError::Start)?;
    let input = source.stdout.take().map_or_else(Stdio::null, Stdio::from);
    let child = command(dir, second).stdin(input).spawn();
    let (send, receive) = mpsc::channel();
    let reader = child.map_err(GitError::Start).map(|mut child| {
        let (out, err) = (child.stdout.take(), child.stderr.take());
        thread::spawn(move || {
            let said = thread::spawn(move || read(err, 10_000));
            let text = read(out, most);
            let _ = send.send((text, said.join().unwrap_or_default()));
        });
        child
    });
    let answer = receive.recv_timeout(limit);
    let _ = source.kill();
    let _ = source.wait();
    let mut child = reader?;
    if answer.is_err() {
        let _ = child.kill();
    }
    let status = child.wait().map_err(GitError::Start)?;
    let Ok((text, said)) = answer else { return Err(slow(second, limit)) };
    Ok(Output { ok: status.success(), said: last_words(&said), text })
}

fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(dir)
        .args([
            "--no-pager",
            "--no-optional-locks",
            "--no-replace-objects",
            "--literal-pathspecs",
            "-c",
            "core.quotePath=false",
            "-c",
            "log.showSignature=false",
            "-c",
            "i18n.logOutputEncoding=UTF-8",
        ])
        .args(args)
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // A folder inside somebody else's repository is not that repository.
    if let Some(above) = dir.canonicalize().ok().as_deref().and_then(Path::parent) {
        command.env("GIT_CEILING_DIRECTORIES", above);
    }
    // Nobody is there to answer a question about a password or a host key.
    if std::env::var_os("GIT_SSH_COMMAND").is_none() {
        command.env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes");
    }
    command
}

fn lock(child: &Mutex<Child>) -> std::sync::MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

fn name(args: &[&str]) -> String {
    args.iter().take(2).copied().collect::<Vec<_>>().join(" ")
}

fn slow(args: &[&str], limit: Duration) -> GitError {
    GitError::Slow { command: name(args), limit }
}

fn last_words(said: &str) -> String {
    let last = said.lines().map(str::trim).rfind(|line| !line.is_empty());
    last.unwrap_or("no reason given").to_owned()
}

fn read(pipe: Option<impl Read>, most: u64) -> String {
    let Some(mut pipe) = pipe else { return String::new() };
    let mut bytes = Vec::new();
    let _ = pipe.by_ref().take(most).read_to_end(&mut bytes);
    let _ = std::io::copy(&mut pipe, &mut std::io::sink());
    String::from_utf8_lossy(&bytes).into_owned()
}
