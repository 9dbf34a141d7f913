//! A commit as `git log` tells it.

use crate::bench::{Commit, Person};
use crate::mail::{Address, MessageId, percent_decoded};

/// Fields parted by NUL: id, subject, author's name and address, author date, trailers (one a line).
pub(super) const FORMAT: &str = "%H%x00%s%x00%aN%x00%aE%x00%aI%x00%(trailers:only,unfold)";

/// Reads one commit in [`FORMAT`]; fields that are missing stay empty.
pub(super) fn read(text: &str, files: Vec<String>) -> Commit {
    let mut fields = text.trim_end_matches('\n').split('\0');
    let mut next = || fields.next().unwrap_or_default().to_owned();
    let (id, subject) = (next(), next());
    let author = Address { name: next(), email: next() };
    let date = next();
    let trailers = next();
    let trailers: Vec<(&str, &str)> = trailers
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(k, v)| (k.trim(), v.trim()))
        .collect();
    let some = |text: String| Some(text).filter(|t| !t.is_empty());
    let mut commit = Commit {
        commit: id,
        subject: some(subject),
        message_id: posted(&trailers, &author.email),
        date: some(date),
        files,
        ..Commit::default()
    };
    for person in trailers.iter().filter_map(|(role, value)| person(role, value)) {
        let list = person.role.eq_ignore_ascii_case("cc") && is_list(&person.email);
        match list {
            true if !commit.lists.contains(&person.email) => commit.lists.push(person.email),
            true => {}
            false => commit.people.push(person),
        }
    }
    commit.author = Some(author).filter(|a| a.email.contains('@'));
    commit
}

/// `Reviewed-by: Bo Berg <bo@example.org> # fair.c`.
fn person(role: &str, value: &str) -> Option<Person> {
    let by = role.len() >= 4 && role.to_ascii_lowercase().ends_with("-by");
    if !by && !role.eq_ignore_ascii_case("cc") {
        return None;
    }
    let (name, email) = match value.split_once('<') {
        Some((name, rest)) => (name.trim().trim_matches('"'), rest.split_once('>')?.0.trim()),
        None => ("", value.split_whitespace().next()?),
    };
    let person = Person { role: role.to_owned(), name: name.to_owned(), email: email.to_owned() };
    (email.split('@').count() == 2 && !email.contains(char::is_whitespace)).then_some(person)
}

fn is_list(email: &str) -> bool {
    let (local, domain) = email.split_once('@').unwrap_or((email, ""));
    domain.starts_with("lists.")
        || domain.starts_with("vger.")
        || local.ends_with("-list")
        || local.ends_with("-devel")
}

/// The Message-ID of the posting: a `Message-ID:` trailer, a `Link:` to patch.msgid.link, or a `Link:` to an id that `git send-email` made
/// from the author's address. Other links may lead to a bug report: an answer there would miss everybody.
fn posted(trailers: &[(&str, &str)], author: &str) -> Option<String> {
    let named = trailers.iter().find(|(name, _)| name.eq_ignore_ascii_case("message-id"));
    let linked = || {
        let links = trailers.iter().rev().filter(|(name, _)| name.eq_ignore_ascii_case("link"));
        links
            .filter_map(|(_, url)| {
                let url =
                    url.split(['#', ' ', '?']).next().unwrap_or_default().trim_end_matches('/');
                let id = percent_decoded(url.rsplit_once('/')?.1);
                let own = url.contains("//patch.msgid.link/")
                    || (!author.is_empty() && id.ends_with(author));
                (own && id.contains('@')).then_some(id)
            })
            .next()
    };
    let id = named.map(|(_, id)| (*id).to_owned()).or_else(linked)?;
    MessageId::clean(&id).map(|id| id.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_the_posting_only() {
        let cases = [
            (vec![("Message-ID", "<a@example.org>")], Some("<a@example.org>")),
            (vec![("Link", "https://patch.msgid.link/x.y@example.net")], Some("<x.y@example.net>")),
            (
                vec![("Link", "https://lore.example.org/r/2026.1-2-ada@example.org")],
                Some("<2026.1-2-ada@example.org>"),
            ),
            (
                vec![("Link", "https://lore.example.org/all/a%2Fada@example.org/#t")],
                Some("<a/ada@example.org>"),
            ),
            (vec![("Link", "https://lore.example.org/r/bug-report@example.net")], None),
            (vec![("Closes", "https://lore.example.org/r/2026-ada@example.org")], None),
            (vec![("Link", "https://bugs.example.org/123")], None),
        ];
        for (trailers, id) in cases {
            assert_eq!(posted(&trailers, "ada@example.org").as_deref(), id, "{trailers:?}");
        }
    }
}
