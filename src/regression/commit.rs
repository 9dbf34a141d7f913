//! A commit of a watched tree, and what its message says about others: links, credits, what it mends, undoes or copies.

use std::sync::LazyLock;

use jiff::Timestamp;
use regex::Regex;

use crate::mail::{Address, Trailer, commit_trailers};

/// A commit as the history of a branch has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeCommit {
    /// Full id, lower-case hex.
    pub id: String,
    /// First line of its message.
    pub subject: String,
    /// Who wrote it.
    pub author: Address,
    /// When it was written; survives a rebase.
    pub authored: Timestamp,
    /// Closes, Link, Resolves, Message-ID, and Fixes with an address, as they stand.
    pub links: Vec<Trailer>,
    /// `Reported-by` and the like, as they stand.
    pub credits: Vec<Trailer>,
    /// What it says to mend: `Fixes:`, or a commit that it reverts in part.
    pub fixes: Vec<Mended>,
    /// Commits that it takes out, as long as printed.
    pub reverts: Vec<String>,
    /// The commit that it is a copy of, as long as printed.
    pub copy_of: Option<String>,
}

/// A commit that another one mends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mended {
    /// Its id, 7 to 64 hex digits, lower case.
    pub commit: String,
    /// Its subject, where it stands beside.
    pub subject: Option<String>,
    /// The line that says so.
    pub line: String,
}

/// Links and credits of one commit that are kept.
const MOST: usize = 40;

static REVERTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\bthis\s+(?:commit\s+)?(?:effectively\s+)?reverts\s+commits?:?\s+([0-9a-f]{7,64}(?:(?:\s*,|\s+and)*\s+[0-9a-f]{7,64})*)\b",
    )
});
/// `Revert commit 0123456789ab ("subject") ...`, of a commit whose subject says that it is a revert.
static REVERT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?im)^revert\s+commit\s+([0-9a-f]{7,64})\b"));
static PARTLY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\bthis\s+(?:partially|partly)\s+reverts\s+commit\s+([0-9a-f]{7,64})\b|\bpartial\s+revert\s+of\s+commit\s+([0-9a-f]{7,64})\b",
    )
});
/// How stable trees, cherry-pick and distributions name the original.
static COPY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?im)^\[?\s*upstream\s+commit:?\s+([0-9a-f]{7,64})\s*\]?\s*$|^commit\s+([0-9a-f]{7,64})\s+upstream\b|^\((?:cherry[ -]picked|backported|adapted)\s+from\s+(?:commit\s+)?([0-9a-f]{7,64})\b",
    )
});
static MENDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)^\W{0,3}(?:commit\s+)?([0-9a-f]{7,64})\b[\s,:]*(?:\(?\s*["“'](.+?)["”']\s*\)?)?"#,
    )
});

fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| unreachable!("{error}"))
}

impl TreeCommit {
    /// Reads a whole message (`git log --format=%B`).
    pub fn read(id: &str, author: Address, authored: Timestamp, message: &str) -> Self {
        let subject = message.lines().next().unwrap_or_default().trim().to_owned();
        let mut commit = Self {
            id: id.to_ascii_lowercase(),
            author,
            authored,
            links: Vec::new(),
            credits: Vec::new(),
            fixes: Vec::new(),
            reverts: Vec::new(),
            copy_of: None,
            subject,
        };
        for trailer in commit_trailers(message).into_iter().take(400) {
            commit.take(trailer);
        }
        commit.about_others(message);
        commit
    }

    fn take(&mut self, trailer: Trailer) {
        let is = |name: &str| trailer.name.eq_ignore_ascii_case(name);
        if is("closes") || is("link") || is("resolves") || is("message-id") {
            self.link(trailer);
        } else if is("fixes") {
            match MENDS.captures(&trailer.value) {
                Some(found) if self.fixes.len() < MOST => self.fixes.push(Mended {
                    commit: found[1].to_ascii_lowercase(),
                    subject: found.get(2).map(|s| s.as_str().to_owned()),
                    line: format!("Fixes: {}", trailer.value),
                }),
                None if trailer.value.contains("://") => self.link(trailer),
                _ => {}
            }
        } else if trailer.name.to_ascii_lowercase().starts_with("reported")
            && self.credits.len() < MOST
        {
            self.credits.push(trailer);
        }
    }

    fn link(&mut self, trailer: Trailer) {
        if self.links.len() < MOST {
            self.links.push(trailer);
        }
    }

    /// What the prose says of other commits.
    fn about_others(&mut self, message: &str) {
        let hex = |text: &str| text.to_ascii_lowercase();
        for part in PARTLY.captures_iter(message).take(MOST) {
            if let Some(id) = part.get(1).or(part.get(2)) {
                let line = part[0].split_whitespace().collect::<Vec<_>>().join(" ");
                self.fixes.push(Mended { commit: hex(id.as_str()), subject: None, line });
            }
        }
        let mut reverts: Vec<String> = Vec::new();
        for whole in REVERTS.captures_iter(message).take(MOST) {
            let ids = whole[1].split(|c: char| !c.is_ascii_hexdigit());
            reverts.extend(ids.filter(|id| id.len() >= 7).map(hex));
        }
        if self.undoes().is_some() {
            reverts.extend(REVERT.captures_iter(message).take(MOST).map(|found| hex(&found[1])));
        }
        reverts.dedup();
        reverts.truncate(MOST);
        self.reverts = reverts;
        self.copy_of = COPY
            .captures(message)
            .and_then(|c| c.get(1).or(c.get(2)).or(c.get(3)))
            .map(|id| hex(id.as_str()))
            .filter(|id| *id != self.id);
    }

    /// What its subject undoes: `Revert "X"`. Undoing twice is doing: `Revert "Revert "X""` gives nothing.
    pub fn undoes(&self) -> Option<&str> {
        let (core, depth) = core(&self.subject);
        (depth % 2 == 1).then_some(core)
    }

    /// What its subject brings back: `Reapply "X"`, or `Revert "Revert "X""`.
    pub fn reapplies(&self) -> Option<&str> {
        let (core, depth) = core(&self.subject);
        (depth > 0 && depth % 2 == 0).then_some(core)
    }
}

/// What stands inside all `Revert "..."` and `Reapply "..."`, and how many reverts that are.
fn core(subject: &str) -> (&str, u32) {
    let mut rest = subject.trim();
    let mut depth = 0;
    // A hostile subject may nest for ever; nobody reverts a tenth time.
    for _ in 0..10 {
        let (more, reverts) = match rest.split_once(['"', '“']) {
            Some((word, more)) if word.trim().eq_ignore_ascii_case("revert") => (more, 1),
            Some((word, more)) if word.trim().eq_ignore_ascii_case("reapply") => (more, 2),
            _ => break,
        };
        depth += reverts;
        rest = more.trim_end_matches(['.', ' ']);
        rest = rest.strip_suffix(['"', '”']).unwrap_or(rest);
    }
    (rest, depth)
}

/// A subject as it is compared: without `Re:`, `[PATCH v2 1/3]`, quotes, case and spacing. Empty when nothing remains.
pub fn subject_key(subject: &str) -> String {
    let mut rest = crate::mail::bare_subject(subject).trim();
    while let Some(inner) = rest.strip_prefix('[')
        && let Some((_, after)) = inner.split_once(']')
    {
        rest = after.trim_start();
    }
    let rest = rest.trim_matches(|c: char| "\"'“”()`".contains(c) || c.is_whitespace());
    let words: Vec<String> =
        rest.trim_end_matches(['.', ' ']).split_whitespace().map(str::to_lowercase).collect();
    words.join(" ").chars().take(300).collect()
}

/// The commit that a page of a forge, of cgit or of gitweb shows: `/commit/ID`, `/c/ID`, `?id=ID`, `;h=ID`.
pub fn commit_of_url(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let hex =
        |part: &&str| (8..=64).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_hexdigit());
    let mut parts = rest.split(['/', '?', '&', ';', '=', '#', '.']).peekable();
    while let Some(part) = parts.next() {
        if matches!(part, "commit" | "commits" | "c" | "id" | "h")
            && let Some(id) = parts.peek().filter(|next| hex(next))
        {
            return Some(id.to_ascii_lowercase());
        }
    }
    None
}

/// Whether two ids, each as long as somebody printed it, may mean one commit: 8 digits must agree.
pub fn same_commit(a: &str, b: &str) -> bool {
    let hex = |id: &str| id.len() >= 8 && id.bytes().all(|b| b.is_ascii_hexdigit());
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    hex(&a) && hex(&b) && (a.starts_with(&b) || b.starts_with(&a))
}
