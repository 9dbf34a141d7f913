//! The name of a tracked regression: short enough to type, stable across restarts.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Eight characters of Crockford's base 32 (lower case), derived from the report's Message-ID.
///
/// It travels in our own address (`bot+ID@host`), so a reply that lost its References still finds its regression.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RegressionId(String);

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

impl RegressionId {
    /// Derives the id from a seed (the report's Message-ID, or the key of what opened it).
    pub fn derive(seed: &str) -> Self {
        let hash = Sha256::digest(seed.as_bytes());
        Self(hash.iter().take(8).map(|b| char::from(ALPHABET[usize::from(b & 31)])).collect())
    }

    /// Reads an id that a person typed: any case, `o` for `0`, `i` and `l` for `1`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        let id: String = text
            .chars()
            .map(|c| match c {
                'o' => '0',
                'i' | 'l' => '1',
                c => c,
            })
            .collect();
        (id.len() == 8 && id.bytes().all(|b| ALPHABET.contains(&b))).then_some(Self(id))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RegressionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
