//! The one desk that all threads share.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::Desk;

/// A desk, and a bell that rings when there may be something to send.
#[derive(Debug)]
pub(super) struct Shared {
    desk: Mutex<Desk>,
    pub(super) bell: Notify,
}

impl Shared {
    pub(super) fn new(desk: Desk) -> Self {
        Self { desk: Mutex::new(desk), bell: Notify::new() }
    }

    /// Waits for the desk. A panic at it was caught mail by mail and left no half-done work: transactions roll back.
    pub(super) fn sit(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
