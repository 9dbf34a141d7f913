//! One mail, understood by all rooms together: what `explain` prints and the daemon acts on.

mod report;
mod role;
mod understood;

pub use report::{about, heads_thread};
pub use role::role;
pub use understood::{Understood, understand};
