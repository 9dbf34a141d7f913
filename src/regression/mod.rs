//! The tracked regression: its states, its events, who may do what.

pub mod command;
mod id;
mod role;
mod state;
pub mod thread;

pub use id::RegressionId;
pub use role::Role;
pub use state::{Standing, State};
