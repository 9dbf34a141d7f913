//! The author behind a From that list software rewrote for DMARC.

use super::{Address, Message};

/// Undoes `Jane Doe via list <list@host>`: X-Original-From (Google Groups), else the Reply-To or Cc address with the
/// same name (Mailman), else a lone Reply-To that is not the list.
pub(super) fn restore_author(message: &mut Message) {
    let Some(from) = &message.from else { return };
    let Some(name) = author_name(from) else {
        return;
    };
    let original = ["x-original-from", "x-original-sender"]
        .iter()
        .find_map(|h| message.header(h))
        .and_then(one_address);
    let same_name =
        |a: &&Address| a.canonical() != from.canonical() && plain(&a.name) == plain(&name);
    let others = |a: &&Address| a.canonical() != from.canonical();
    let author = original
        .map(|a| if a.name.is_empty() { Address { name: name.clone(), ..a } } else { a })
        .or_else(|| message.reply_to.iter().chain(&message.cc).find(same_name).cloned())
        .or_else(|| {
            let mut candidates = message.reply_to.iter().filter(others);
            let only = candidates.next().filter(|a| a.name.is_empty())?;
            candidates
                .next()
                .is_none()
                .then(|| Address { name: name.clone(), email: only.email.clone() })
        });
    if let Some(author) = author {
        message.munged_from = message.from.replace(author);
    }
}

/// `Jane Doe` of `Jane Doe via perf`; `None` when the name shows no sign of munging.
fn author_name(from: &Address) -> Option<String> {
    let (name, list) = from.name.rsplit_once(" via ")?;
    let name = name.trim_matches(|c: char| c == '\'' || c == '"' || c.is_whitespace());
    (!name.is_empty() && !list.is_empty()).then(|| name.to_owned())
}

fn plain(name: &str) -> String {
    let mut words: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase)
        .collect();
    // `Doe, Jane` and `Jane Doe` are one person.
    words.sort();
    words.join(" ")
}

fn one_address(text: &str) -> Option<Address> {
    let (name, email) = match text.rsplit_once('<') {
        Some((name, rest)) => {
            (name.trim().trim_matches('"').trim(), rest.split('>').next().unwrap_or(rest))
        }
        None => ("", text),
    };
    let email = email.trim();
    let is_address = email.contains('@') && !email.contains(char::is_whitespace);
    is_address.then(|| Address { name: name.to_owned(), email: email.to_owned() })
}
