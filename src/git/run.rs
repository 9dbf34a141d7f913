//! One call of `git`: bounded in time and output, untouched by the user's environment.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
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
    let mut child = Command::new("git")
        .arg("-C")
        .arg(dir)
        .args([
            "--no-pager",
            "--no-optional-locks",
            "-c",
            "core.quotePath=false",
            "-c",
            "log.showSignature=false",
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
        .stderr(Stdio::piped())
        .spawn()
        .map_err(GitError::Start)?;
    let (send, receive) = mpsc::channel();
    let pipes = (child.stdout.take(), child.stderr.take());
    thread::spawn(move || {
        let (out, err) = pipes;
        // A full pipe would stop git: both are drained, beyond what is kept.
        let said = thread::spawn(move || read(err, 10_000));
        let text = read(out, most);
        let _ = send.send((text, said.join().unwrap_or_default()));
    });
    let answer = receive.recv_timeout(LIMIT);
    if answer.is_err() {
        let _ = child.kill();
    }
    let status = child.wait().map_err(GitError::Start)?;
    let command = || args.iter().take(2).copied().collect::<Vec<_>>().join(" ");
    let Ok((text, said)) = answer else {
        return Err(GitError::Slow { command: command(), limit: LIMIT });
    };
    let last =
        said.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("no reason given");
    Ok(Output { ok: status.success(), said: last.to_owned(), text })
}

fn read(pipe: Option<impl Read>, most: u64) -> String {
    let Some(mut pipe) = pipe else { return String::new() };
    let mut bytes = Vec::new();
    let _ = pipe.by_ref().take(most).read_to_end(&mut bytes);
    let _ = std::io::copy(&mut pipe, &mut std::io::sink());
    String::from_utf8_lossy(&bytes).into_owned()
}
