//! The one place where the daemon reads the clock.

use jiff::Timestamp;

#[expect(clippy::disallowed_methods, reason = "the daemon is an edge: time comes in here")]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}
