//! The commits of a branch, oldest first, in one call and in bounded memory.

use std::io::{self, BufRead};
use std::time::Duration;

use jiff::Timestamp;

use super::{GitError, Tree, run};
use crate::mail::Address;
use crate::regression::TreeCommit;

/// Five fields, each ended by NUL (`-z` ends the last): id, author's name and address, author date, message.
const FORMAT: &str = "--format=%H%x00%aN%x00%aE%x00%at%x00%B";
/// Bytes of a message that are read; the rest is skipped.
const MESSAGE: usize = 64 << 10;
/// Longest walk through a history.
const LIMIT: Duration = Duration::from_secs(600);
/// Texts that one call looks for.
const NEEDLES: usize = 50;

/// Which commits are wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Span<'a> {
    /// Reachable from this commit (a full id).
    pub tip: &'a str,
    /// And not from this one.
    pub without: Option<&'a str>,
    /// Committed since.
    pub since: Option<Timestamp>,
    /// No more than the newest so many.
    pub most: usize,
}

impl Tree {
    /// The commits of a span, parents before their children.
    ///
    /// # Errors
    /// When git fails, or takes more than ten minutes.
    pub fn history(&self, span: Span<'_>) -> Result<Vec<TreeCommit>, GitError> {
        self.walk(span, &[])
    }

    /// Those of them whose message holds one of the texts, letter by letter, case aside.
    ///
    /// # Errors
    /// As [`Tree::history`].
    pub fn search(&self, span: Span<'_>, texts: &[String]) -> Result<Vec<TreeCommit>, GitError> {
        let mut found: Vec<TreeCommit> = Vec::new();
        for some in texts.chunks(NEEDLES) {
            let some: Vec<String> = some
                .iter()
                .filter(|text| text.len() >= 8 && !text.contains(['\n', '\0']))
                .map(|text| format!("--grep={text}"))
                .collect();
            if !some.is_empty() {
                let mut hits = self.walk(span, &some)?;
                hits.retain(|hit| !found.iter().any(|f| f.id == hit.id));
                found.extend(hits);
            }
        }
        Ok(found)
    }

    /// One commit; `None` when the tree does not have it.
    ///
    /// # Errors
    /// When `revision` is none, or git fails.
    pub fn one(&self, revision: &str) -> Result<Option<TreeCommit>, GitError> {
        let Some(tip) = self.id(revision)? else { return Ok(None) };
        Ok(self.walk(Span { tip: &tip, most: 1, ..Span::default() }, &[])?.pop())
    }

    fn walk(&self, span: Span<'_>, greps: &[String]) -> Result<Vec<TreeCommit>, GitError> {
        let without = span.without.map(|id| format!("^{id}"));
        let since = span.since.map(|at| format!("--since={}", at.as_second()));
        let most = format!("--max-count={}", span.most);
        let mut args = vec![
            "log",
            "-z",
            "--topo-order",
            "--reverse",
            "--no-color",
            "--no-decorate",
            "--no-show-signature",
            "--no-patch",
            FORMAT,
            &most,
        ];
        args.extend(since.as_deref());
        if !greps.is_empty() {
            args.extend(["--fixed-strings", "--regexp-ignore-case"]);
            args.extend(greps.iter().map(String::as_str));
        }
        args.push(span.tip);
        args.extend(without.as_deref());
        args.push("--");
        run::stream(LIMIT, self.dir(), &args, |out| {
            let mut commits = Vec::new();
            while let Some(commit) = read(out)? {
                commits.push(commit);
            }
            Ok(commits)
        })
    }
}

/// The next commit; `None` at the end, or where the output breaks off.
fn read(out: &mut dyn BufRead) -> io::Result<Option<TreeCommit>> {
    let mut fields = [const { String::new() }; 5];
    for field in &mut fields {
        match next(out)? {
            Some(text) => *field = text,
            None => return Ok(None),
        }
    }
    let [id, name, email, authored, message] = fields;
    let authored =
        authored.parse().ok().and_then(|s| Timestamp::from_second(s).ok()).unwrap_or_default();
    Ok(Some(TreeCommit::read(id.trim(), Address { name, email }, authored, &message)))
}

/// Bytes up to the next NUL, cut at [`MESSAGE`]; foreign ones replaced.
fn next(out: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut kept = Vec::new();
    loop {
        let chunk = match out.fill_buf() {
            Ok(chunk) => chunk,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        if chunk.is_empty() {
            return Ok(None);
        }
        let end = chunk.iter().position(|b| *b == 0);
        let piece = &chunk[..end.unwrap_or(chunk.len())];
        kept.extend_from_slice(&piece[..piece.len().min(MESSAGE - kept.len())]);
        let used = end.map_or(chunk.len(), |end| end + 1);
        out.consume(used);
        if end.is_some() {
            return Ok(Some(String::from_utf8_lossy(&kept).into_owned()));
        }
    }
}
