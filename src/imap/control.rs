//! Ends a watcher at once, whatever it is waiting for.

use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Shared by the watcher's thread and its owner.
#[derive(Debug, Default)]
pub(super) struct Control {
    stopped: Arc<AtomicBool>,
    socket: Mutex<Option<TcpStream>>,
    changed: Condvar,
}

impl Control {
    fn socket(&self) -> MutexGuard<'_, Option<TcpStream>> {
        self.socket.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends sleeps and the connection in use, and forbids new ones.
    ///
    /// Only the reading half of the connection is shut, which wakes who reads; writing a proper goodbye stays possible.
    pub(super) fn stop(&self) {
        let mut socket = self.socket();
        self.stopped.store(true, Ordering::Release);
        if let Some(socket) = socket.take() {
            let _ = socket.shutdown(Shutdown::Read);
        }
        self.changed.notify_all();
    }

    pub(super) fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// Registers the socket in use, so that `stop` can end what reads from it. Who reads from it must also look at the
    /// flag: bytes that are there already, or still arrive, can be read after all.
    pub(super) fn hold(&self, socket: TcpStream) -> Arc<AtomicBool> {
        let mut held = self.socket();
        if self.stopped() {
            let _ = socket.shutdown(Shutdown::Read);
        } else {
            *held = Some(socket);
        }
        Arc::clone(&self.stopped)
    }

    /// Sleeps for `pause`, or until stopped.
    pub(super) fn sleep(&self, pause: Duration) {
        let until = Instant::now() + pause;
        let mut socket = self.socket();
        while !self.stopped() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let waited = self.changed.wait_timeout(socket, left);
            socket = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
