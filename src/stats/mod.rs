//! Samples in, [`Change`] out: significance, effect and confidence (`docs/statistics.md`).

mod change;

pub use change::{Change, Class, Kind, Summary};
