//! The tracked regression: its states, its events, who may do what.

mod claim;
pub mod command;
mod entry;
mod id;
#[expect(clippy::module_inception, reason = "the room and its one noun share the name")]
mod regression;
mod role;
mod state;
pub mod thread;

pub use claim::{Claim, Step};
pub use entry::{Cause, Entry, Fix, Happening, Opening};
pub use id::RegressionId;
pub use regression::{Link, Mover, Regression};
pub use role::Role;
pub use state::{Standing, State};
