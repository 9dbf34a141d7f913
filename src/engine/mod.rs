//! `decide(event, snapshot, policy, now) -> effects`: pure, replayable.

mod letter;

pub use letter::{Answer, Draft, FollowUp, Letter, News, Recipient, RunRequest};
