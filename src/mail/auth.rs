//! What our own mail server found out about the sender (Authentication-Results, RFC 8601).

use super::Message;

/// Results that a trusted server vouches for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Auth {
    /// Domains whose DKIM signature verified (`header.d`, or the domain of `header.i`), lower case.
    pub dkim: Vec<String>,
    /// Domain that DMARC passed for (`header.from`), lower case.
    pub dmarc: Option<String>,
    /// Domain that SPF passed for (`smtp.mailfrom` or `smtp.helo`), lower case.
    pub spf: Option<String>,
}

impl Auth {
    /// Whether the author's address is proven: DMARC passed for its domain, or a DKIM signature of that domain (or of a
    /// parent of it) verified. SPF alone proves the envelope only.
    pub fn proves(&self, email: &str) -> bool {
        let Some((_, domain)) = email.rsplit_once('@') else {
            return false;
        };
        let domain = domain.to_ascii_lowercase();
        let aligned = |signer: &String| {
            *signer == domain
                || signer.contains('.')
                    && domain.strip_suffix(signer.as_str()).is_some_and(|d| d.ends_with('.'))
        };
        self.dmarc.as_ref() == Some(&domain) || self.dkim.iter().any(aligned)
    }
}

/// The topmost Authentication-Results of `authserv_id`; later ones may be forged by the sender. `None` when there is
/// none.
pub fn auth(message: &Message, authserv_id: &str) -> Option<Auth> {
    let value =
        message.headers.iter().filter(|(name, _)| name == "authentication-results").find_map(
            |(_, value)| {
                let value = without_comments(value);
                let (server, rest) = value.split_once(';')?;
                let server = server.split_whitespace().next()?.to_owned();
                server.eq_ignore_ascii_case(authserv_id).then(|| rest.to_owned())
            },
        )?;
    let mut auth = Auth::default();
    for result in value.split(';') {
        let mut words = result.split_whitespace();
        let Some((method, "pass")) = words.next().and_then(|w| w.split_once('=')) else {
            continue;
        };
        let property = |names: &[&str]| {
            let found = result
                .split_whitespace()
                .filter_map(|w| w.split_once('='))
                .find(|(name, _)| names.contains(name));
            found.map(|(_, value)| domain_of(value.trim_matches('"')))
        };
        match method.split('/').next().unwrap_or(method) {
            "dkim" => auth.dkim.extend(property(&["header.d"]).or_else(|| property(&["header.i"]))),
            "dmarc" => auth.dmarc = property(&["header.from"]),
            "spf" => auth.spf = property(&["smtp.mailfrom", "smtp.helo"]),
            _ => {}
        }
    }
    Some(auth)
}

fn domain_of(value: &str) -> String {
    value.rsplit('@').next().unwrap_or(value).to_ascii_lowercase()
}

/// Drops `(comments)`, nested ones too.
fn without_comments(value: &str) -> String {
    let mut depth = 0usize;
    let mut out = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}
