//! Result notifications and result formats: everything that turns a producer's file into samples.
//!
//! The native format is [`Notification`] (JSON, `docs/notification.md`). One file per further format.

mod content;
mod decode;
mod environment;
mod format;
mod inflate;
mod input;
mod job;
mod json;
mod knowledge;
mod locate;
mod notification;
mod problem;
mod reading;
mod shape;
mod side;
mod tree;
mod unit;
mod yaml;

pub use decode::{MAX_BYTES, MAX_METRICS, MAX_RUNS, MAX_VALUE, decode, is_native, schema, sense};
pub use format::{FORMATS, Format, by_id};
pub use inflate::{MAX_INFLATED, inflate};
pub use input::{Input, load, pair, two_sides};
pub use job::Job;
pub use knowledge::{Knowledge, Resolved, Source};
pub use notification::{
    Commit, Direction, Environment, FailureCount, Metric, Notification, Person, Side, StillOn,
    Test, Tree,
};
pub use problem::Problem;
pub use reading::{Column, Reading, Row};
pub use side::{File, Side as Runs, natural, read, side};
pub use unit::Unit;
