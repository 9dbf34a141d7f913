//! A mailbox: display name and address.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A person's (or a list's) mailbox.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Address {
    /// Display name, decoded, without controls; empty when none was given.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// `local@domain` as written.
    pub email: String,
}

impl Address {
    /// Lower case and without a `+tag`: two spellings of one mailbox compare equal.
    pub fn canonical(&self) -> String {
        let email = self.email.to_ascii_lowercase();
        match email.rsplit_once('@') {
            Some((local, domain)) => {
                let local = local.split_once('+').map_or(local, |(base, _)| base);
                format!("{local}@{domain}")
            }
            None => email,
        }
    }

    /// The `+tag` of the local part (`bot+TOKEN@host` gives `TOKEN`), as written.
    pub fn tag(&self) -> Option<&str> {
        let (local, _) = self.email.rsplit_once('@')?;
        local.split_once('+').map(|(_, tag)| tag).filter(|tag| !tag.is_empty())
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.email.is_empty() {
            f.write_str(&self.name)
        } else if self.name.is_empty() {
            f.write_str(&self.email)
        } else {
            write!(f, "{} <{}>", self.name, self.email)
        }
    }
}
