//! Result notifications and result formats: everything that turns a producer's file into samples.
//!
//! The native format is [`Notification`] (JSON, `docs/notification.md`). One file per further format.

mod decode;
mod environment;
mod json;
mod knowledge;
mod locate;
mod notification;
mod problem;
mod shape;
mod unit;

pub use decode::{MAX_BYTES, MAX_METRICS, MAX_RUNS, MAX_VALUE, decode, schema, sense};
pub use knowledge::{Knowledge, Resolved, Source};
pub use notification::{
    Commit, Direction, Environment, FailureCount, Metric, Notification, Person, Side, StillOn,
    Test, Tree,
};
pub use problem::Problem;
pub use unit::Unit;
