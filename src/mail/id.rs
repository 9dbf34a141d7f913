//! Message-IDs, cleaned (RFC 5322 section 3.6.4, and what mailers really send).

use std::fmt;

use serde::{Deserialize, Serialize};

/// A Message-ID without its angle brackets, free of white space and controls, at most 900 bytes.
///
/// `Display` prints it with `<>`, as it stands in a header.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MessageId(String);

impl MessageId {
    /// Cleans `text`: brackets and all white space are dropped (folded ids come with CRLF inside).
    ///
    /// `None` when nothing remains, when it is longer than 900 bytes, or when it holds controls, non-ASCII or a bracket
    /// in the middle.
    pub fn clean(text: &str) -> Option<Self> {
        let id: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let id = id.trim_start_matches('<').trim_end_matches('>');
        let fits = !id.is_empty()
            && id.len() <= 900
            && id.bytes().all(|b| (33..127).contains(&b) && b != b'<' && b != b'>');
        fits.then(|| Self(id.to_owned()))
    }

    /// The id without `<>`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}>", self.0)
    }
}
