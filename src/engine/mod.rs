//! `decide(event, snapshot, policy, now) -> effects`: pure, replayable.

mod circle;
pub(crate) mod command;
mod commit;
mod decide;
mod effect;
mod event;
mod letter;
mod malformed;
mod policy;
mod reply;
mod reported;
mod results;
mod rights;
mod said;
mod speaker;
mod tick;

pub use circle::Circle;
pub use decide::decide;
pub use effect::Effect;
pub use event::{Event, MailRef, SeenMail, Snapshot, WatchedTree};
pub use letter::{Answer, Draft, FollowUp, Letter, News, Recipient, RunRequest};
pub use policy::{Confirm, Policy};
pub use rights::{Authentication, Rights};
pub use said::Said;
pub use speaker::role;
