//! From an event to its effects.

use jiff::Timestamp;

use super::{Effect, Event, Policy, Snapshot, commit, malformed, reply, reported, results, tick};

/// Decides. Pure: the same event, snapshot, policy and time always give the same effects, so any day can be replayed.
pub fn decide(event: &Event, snapshot: &Snapshot, policy: &Policy, now: Timestamp) -> Vec<Effect> {
    match event {
        Event::Results { mail, finding, overall } => {
            results::decide(mail, finding, overall, snapshot, policy, now)
        }
        Event::Malformed { mail, part, problems } => {
            malformed::decide(mail, part, problems, snapshot, policy)
        }
        Event::Reported { mail, report, about } => {
            reported::decide(mail, report, about, snapshot, now)
        }
        Event::Reply { mail, role, reading, commands, settled_by, .. } => reply::decide(
            &reply::Said {
                mail,
                role: *role,
                reading,
                commands,
                settled_by: settled_by.as_deref(),
            },
            snapshot,
            policy,
            now,
        ),
        Event::Commit { tree, commit: new } => commit::decide(tree, new, snapshot, policy, now),
        Event::Rewritten { tree, lost, successor } => {
            commit::rewritten(tree, lost, successor.as_deref(), snapshot, now)
        }
        Event::Tick => tick::decide(snapshot, policy, now),
    }
}
