//! Wiring: mail in, decided, kept, written, sent. The only room, beside the command line, that reads the clock.

mod apply;
mod desk;
mod gather;
mod mind;
mod post;
mod rehearsal;
mod results;
mod story;

pub use desk::{Desk, Incoming};
pub use mind::Mind;
pub use post::{Post, PostError};
pub use rehearsal::{Rehearsal, Scene};
pub use story::{Story, Understood};
