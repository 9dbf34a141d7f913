//! The tracked regression: its states, its events, who may do what.

mod id;
mod role;
mod state;

pub use id::RegressionId;
pub use role::Role;
pub use state::{State, Standing};
