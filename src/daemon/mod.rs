//! Wiring: mail in, decided, kept, written, sent. The only room, beside the command line, that reads the clock.

mod apply;
mod desk;
mod gather;
mod post;
mod story;

pub use desk::{Desk, Incoming};
pub use post::{Post, PostError};
pub use story::{Story, Understood};
