//! From an event to its effects.

use jiff::Timestamp;

use super::{Effect, Event, Policy, Snapshot, malformed, reply, reported, results, tick};

/// Decides. Pure: the same event, snapshot, policy and time always give the same effects, so any day can be replayed.
pub fn decide(event: &Event, snapshot: &Snapshot, policy: &Policy, now: Timestamp) -> Vec<Effect> {
    match event {
        Event::Results { mail, finding } => results::decide(mail, finding, snapshot, policy, now),
        Event::Malformed {
            mail,
            part,
            problems,
        } => malformed::decide(mail, part, problems, snapshot, policy),
        Event::Reported { mail, report } => reported::decide(mail, report, snapshot, policy, now),
        Event::Reply {
            mail,
            reading,
            tags,
        } => reply::decide(mail, reading, tags, snapshot, policy, now),
        Event::Tick => tick::decide(snapshot, policy, now),
    }
}
