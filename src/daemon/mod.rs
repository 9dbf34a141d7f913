//! Wiring: mail in, decided, kept, written, sent. The only room, beside the command line, that reads the clock.

mod apply;
pub(crate) mod clock;
mod commits;
mod desk;
pub mod edges;
mod gather;
mod history;
mod inbox;
mod index;
mod mind;
mod open;
mod post;
mod rehearsal;
pub(crate) mod reply;
mod results;
mod ruling;
mod run;
mod sender;
mod shared;
mod step;
mod story;
mod trees;

pub use commits::Commits;
pub use desk::{Desk, Incoming};
pub use mind::Mind;
pub(crate) use open::files;
pub use open::{keepers, knowledge, minds};
pub use post::{Post, PostError};
pub use rehearsal::{Rehearsal, Scene};
pub use ruling::Ruling;
pub use run::run;
pub use story::{Story, Understood};
pub use trees::{Haul, Needle, Question, TreeError, survey};
