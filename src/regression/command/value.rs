//! What a command speaks of.

use serde::Serialize;

use crate::mail::MessageId;

/// A commit, a report, a subject: whatever a value names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reference {
    /// A commit id, 7 to 40 hex digits, with its subject where it was given.
    Commit(String, Option<String>),
    /// A URL.
    Url(String),
    /// A Message-ID.
    Message(MessageId),
    /// A title or subject, quotes, `Re:` and the like removed.
    Subject(String),
}

/// Which mail is meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// This mail.
    This,
    /// The mail that this one answers (`^`).
    Parent,
    /// The first mail of the thread (`/` or `~`).
    Root,
    /// That one.
    Url(String),
}

impl Reference {
    /// Reads a value. `None` when it is empty or a template's placeholder.
    pub(super) fn read(value: &str) -> Option<Self> {
        let value = unquoted(value);
        if value.is_empty() || is_placeholder(value) {
            return None;
        }
        let first = value.split_whitespace().next().unwrap_or_default();
        if first.contains("://") {
            return Some(Reference::Url(
                first.trim_end_matches(['.', ',', ';', '>']).trim_start_matches('<').to_owned(),
            ));
        }
        if first.starts_with('<')
            && first.contains('@')
            && let Some(id) = MessageId::clean(first)
        {
            return Some(Reference::Message(id));
        }
        let word = first.trim_end_matches([',', '.', ';', ':']);
        let bare = if word == "commit" { value[first.len()..].trim_start() } else { value };
        let word = bare.split_whitespace().next().unwrap_or_default();
        let hex = word.trim_end_matches([',', '.', ';', ':']);
        if is_commit(hex) {
            let rest = unquoted(bare[word.len()..].trim());
            return Some(Reference::Commit(
                hex.to_ascii_lowercase(),
                (!rest.is_empty()).then(|| rest.to_owned()),
            ));
        }
        if !value.contains(' ')
            && value.contains('@')
            && let Some(id) = MessageId::clean(value)
        {
            return Some(Reference::Message(id));
        }
        Some(Reference::Subject(title(value).to_owned()))
    }
}

/// A title without quotes, `Re:` and leading `[tags]` of a list.
pub(super) fn title(value: &str) -> &str {
    let mut value = crate::mail::bare_subject(unquoted(value));
    while let Some((_, rest)) = value.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        value = rest.trim_start();
    }
    unquoted(value)
}

pub(super) fn is_commit(word: &str) -> bool {
    (7..=40).contains(&word.len())
        && word.bytes().all(|b| b.is_ascii_hexdigit())
        && word.bytes().any(|b| b.is_ascii_digit())
}

/// Strips `("...")`, `"..."` and the like around a value.
pub(super) fn unquoted(value: &str) -> &str {
    let mut value = value.trim();
    for (open, close) in [('(', ')'), ('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”')] {
        if let Some(inner) = value.strip_prefix(open).and_then(|v| v.strip_suffix(close)) {
            value = inner.trim();
        }
    }
    value
}

/// `<subject>`, `exact-commit-title`, `...`: a template was sent back unfilled.
pub(super) fn is_placeholder(value: &str) -> bool {
    let value = value.trim();
    let bracketed = value.starts_with('<')
        && value.ends_with('>')
        && !value.contains('@')
        && !value.contains("://");
    let square = value.starts_with('[') && value.ends_with(']') && !value.contains(": ");
    let lower = value.to_ascii_lowercase();
    let known = [
        "exact-commit-title",
        "exact-subject-of-another-report",
        "commit-title",
        "title-of-the-fix",
        "...",
        "…",
        "xxx",
        "sha",
        "subject",
        "reason",
        "url",
        "your-reason",
    ];
    bracketed || square || known.contains(&lower.as_str())
}

impl Target {
    pub(super) fn read(value: &str) -> Option<Self> {
        match value.trim() {
            "" => Some(Target::This),
            "^" => Some(Target::Parent),
            "/" | "~" => Some(Target::Root),
            url if url.contains("://") => {
                Some(Target::Url(url.split_whitespace().next().unwrap_or_default().to_owned()))
            }
            _ => None,
        }
    }
}
