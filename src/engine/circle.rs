//! A set of addresses that a person wrote down: whole addresses, and `*@host`.

use crate::mail::Address;

/// Who belongs to a group (labs, operators, allowed recipients).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Circle(Vec<String>);

impl Circle {
    /// Takes patterns as written: `ops@example.org`, `*@example.org`.
    ///
    /// # Errors
    /// The first pattern that is neither.
    pub fn new<S: AsRef<str>>(patterns: impl IntoIterator<Item = S>) -> Result<Self, String> {
        let mut circle = Vec::new();
        for pattern in patterns {
            let text = pattern.as_ref().trim().to_ascii_lowercase();
            match text.split_once('@') {
                Some((local, host))
                    if !local.is_empty() && !host.is_empty() && !host.contains('@') =>
                {
                    circle.push(if local == "*" { format!("@{host}") } else { canonical(&text) });
                }
                _ => return Err(pattern.as_ref().to_owned()),
            }
        }
        Ok(Self(circle))
    }

    /// Whether the address belongs to it; case and `+tag` do not matter.
    pub fn contains(&self, address: &Address) -> bool {
        let email = address.canonical();
        self.0
            .iter()
            .any(|p| if p.starts_with('@') { email.ends_with(p.as_str()) } else { *p == email })
    }

    /// Whether nobody was written down.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The whole addresses of it (patterns left out).
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|p| !p.starts_with('@')).map(String::as_str)
    }
}

fn canonical(email: &str) -> String {
    Address { name: String::new(), email: email.to_owned() }.canonical()
}
