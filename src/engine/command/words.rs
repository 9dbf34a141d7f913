//! What values mean, and what is answered.

use jiff::{SignedDuration, Timestamp};

use super::super::said::Said;
use super::super::tick::day;
use crate::mail::Address;
use crate::regression::command::{Reference, VERBS};
use crate::regression::{Fix, Regression};

/// What a reference says, as the desk looked it up.
pub(crate) fn text_of(reference: &Reference) -> String {
    match reference {
        Reference::Commit(id, _) => id.clone(),
        Reference::Url(url) => url.clone(),
        Reference::Message(id) => id.to_string(),
        Reference::Subject(subject) => subject.clone(),
    }
}

pub(super) fn fix(reference: &Reference) -> Fix {
    match reference {
        Reference::Commit(id, subject) => {
            Fix { commit: Some(id.clone()), subject: subject.clone(), ..Fix::default() }
        }
        Reference::Message(id) => Fix { patch: Some(id.as_str().to_owned()), ..Fix::default() },
        Reference::Url(url) => {
            let commit = crate::regression::commit_of_url(url);
            if commit.is_some() {
                return Fix { commit, ..Fix::default() };
            }
            let ids = crate::regression::thread::named_ids(url);
            match ids.into_iter().next() {
                Some(id) => Fix { patch: Some(id.as_str().to_owned()), ..Fix::default() },
                None => Fix { subject: Some(url.clone()), ..Fix::default() },
            }
        }
        Reference::Subject(subject) => Fix { subject: Some(subject.clone()), ..Fix::default() },
    }
}

/// `Name <name@host>`, or an address alone.
pub(super) fn person(text: &str) -> Option<Address> {
    let (name, email) = match text.split_once('<') {
        Some((name, rest)) => (name.trim().trim_matches('"').trim(), rest.split('>').next()?),
        None => ("", text),
    };
    let email = email.trim();
    let (local, host) = email.split_once('@')?;
    let plain = !local.is_empty() && !host.is_empty() && !email.contains(char::is_whitespace);
    plain.then(|| Address { name: name.to_owned(), email: email.to_owned() })
}

/// A date, or a number of days.
pub(super) fn until(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(date) = text.parse::<jiff::civil::Date>() {
        let at = jiff::tz::TimeZone::UTC.to_timestamp(date.at(0, 0, 0, 0)).ok()?;
        return (at > now).then_some(at);
    }
    let days: i64 = text
        .trim_end_matches("days")
        .trim_end_matches("day")
        .trim_end_matches('d')
        .trim()
        .parse()
        .ok()?;
    (1..=3650).contains(&days).then(|| now + SignedDuration::from_hours(24 * days))
}

pub(super) fn status(r: &Regression) -> Said {
    Said::Status {
        title: r.about.title.clone(),
        state: r.state.to_string(),
        since: day(r.since),
        by: r.mover.as_ref().map(|m| (m.name.clone(), m.words.clone())),
        fix: r.fix.as_ref().map(|(fix, _)| fix.name()),
    }
}

pub(super) fn help() -> Vec<(String, String)> {
    VERBS
        .iter()
        .filter(|v| v.name != "regenerate")
        .map(|v| (v.name.to_owned(), v.does.to_owned()))
        .collect()
}
