//! `decide(event, snapshot, policy, now) -> effects`: pure, replayable.

mod circle;
mod decide;
mod effect;
mod event;
mod letter;
mod malformed;
mod policy;
mod reply;
mod reported;
mod results;
mod speaker;
mod tick;

pub use circle::Circle;
pub use decide::decide;
pub use effect::Effect;
pub use event::{Event, MailRef, Snapshot};
pub use letter::{Answer, Draft, FollowUp, Letter, News, Recipient, RunRequest};
pub use policy::{Confirm, Policy};
pub use speaker::role;
