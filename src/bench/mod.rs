//! Result notifications and result formats: everything that turns a producer's file into samples.
//!
//! The native format is [`Notification`] (JSON, `docs/notification.md`). One file per further format.

mod notification;

pub use notification::{
    Commit, Direction, Environment, FailureCount, Metric, Notification, Person, Side, StillOn,
    Test, Tree,
};
