//! The thread that keeps a mailbox read, whatever happens to the connection.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

use super::control::Control;
use super::listing::Listing;
use super::strikes::Strikes;
use super::{Account, ImapError, Sink, SinkError, Status};
use crate::net::backoff;

/// Watches one mailbox on a thread of its own, until stopped or dropped.
#[derive(Debug)]
pub struct Watcher {
    control: Arc<Control>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn spawn<S: Sink + Send + 'static>(account: Account, sink: S) -> io::Result<Self> {
        let control = Arc::new(Control::default());
        let name = format!("imap {}", account.name);
        let mut watch = Watch::new(account, sink, Arc::clone(&control));
        let thread = Builder::new().name(name).spawn(move || watch.run())?;
        Ok(Self { control, thread: Some(thread) })
    }

    /// Asks it to end, and ends what it is waiting for: an IDLE, an answer, a pause. Not a password command.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Whether the thread has ended (a [`Sink`] can end it, too).
    pub fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Stops it and waits for its end. The sink has been dropped when this returns.
    pub fn join(mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What the thread knows between connections.
pub(super) struct Watch<S> {
    pub(super) account: Account,
    pub(super) control: Arc<Control>,
    pub(super) strikes: Strikes,
    /// IDLE has been given up until then.
    pub(super) polling_until: Option<Instant>,
    pub(super) listing: Listing,
    /// In a row, without anything achieved in between.
    pub(super) failures: u32,
    sink: S,
}

/// Why a connection ended.
pub(super) enum Trouble {
    Imap(ImapError),
    /// The sink gave up.
    Fatal(String),
    Stopped,
}

impl From<ImapError> for Trouble {
    fn from(error: ImapError) -> Self {
        Self::Imap(error)
    }
}

impl<S: Sink> Watch<S> {
    fn new(account: Account, sink: S, control: Arc<Control>) -> Self {
        Self {
            control,
            strikes: Strikes::default(),
            polling_until: None,
            listing: Listing::new(account.limits.window),
            account,
            failures: 0,
            sink,
        }
    }

    fn run(&mut self) {
        let why = loop {
            // The `imap` crate panics over some answers; to us that is one more way to lose a connection.
            let outcome = catch_unwind(AssertUnwindSafe(|| self.follow()));
            let trouble = match outcome {
                Ok(Ok(())) => Trouble::Stopped,
                Ok(Err(trouble)) => trouble,
                Err(panic) => ImapError::Protocol(panic_text(&*panic)).into(),
            };
            match trouble {
                _ if self.control.stopped() => break None,
                Trouble::Stopped => break None,
                Trouble::Fatal(why) => break Some(why),
                Trouble::Imap(error) => self.pause(error),
            }
        };
        self.tell(Status::Stopped { why });
    }

    fn pause(&mut self, error: ImapError) {
        self.failures = self.failures.saturating_add(1);
        let timing = &self.account.timing;
        let (first, max) = match error.needs_operator() {
            true => (timing.refused_first, timing.refused_max),
            false => (timing.retry_first, timing.retry_max),
        };
        let pause = backoff(first, max, self.failures, fastrand::u64(..));
        self.tell(Status::Lost { error, failures: self.failures, pause });
        self.control.sleep(pause);
    }

    pub(super) fn tell(&mut self, status: Status) {
        let account = &self.account.name;
        match &status {
            Status::Lost { error, failures, pause } => tracing::warn!(
                account, reason = error.reason(), failures, pause = ?pause, cure = error.cure(), "{error}"
            ),
            Status::SinkBusy { why, .. } => {
                tracing::warn!(account, "the store cannot take mail: {why}")
            }
            Status::Renumbered { mailbox, .. } => {
                tracing::warn!(account, mailbox, "renumbered by the server: reading it again");
            }
            Status::Stopped { why: Some(why) } => tracing::error!(account, "gives up: {why}"),
            other => tracing::debug!(account, "{other:?}"),
        }
        let told = catch_unwind(AssertUnwindSafe(|| self.sink.status(status)));
        if told.is_err() {
            tracing::error!(account = self.account.name, "the sink panicked over a status");
        }
    }

    pub(super) fn go_on(&self) -> Result<(), Trouble> {
        if self.control.stopped() { Err(Trouble::Stopped) } else { Ok(()) }
    }

    /// Calls the sink until it is not busy.
    pub(super) fn patiently<T>(
        &mut self,
        mut call: impl FnMut(&mut S) -> Result<T, SinkError>,
    ) -> Result<T, Trouble> {
        let mut failures = 0;
        loop {
            match catch_unwind(AssertUnwindSafe(|| call(&mut self.sink))) {
                Ok(Ok(value)) => return Ok(value),
                Ok(Err(SinkError::Fatal(why))) => return Err(Trouble::Fatal(why)),
                Ok(Err(SinkError::Transient(why))) => {
                    failures += 1;
                    let timing = &self.account.timing;
                    let seed = fastrand::u64(..);
                    let pause = backoff(timing.retry_first, timing.retry_max, failures, seed);
                    self.tell(Status::SinkBusy { why, pause });
                    self.control.sleep(pause);
                    self.go_on()?;
                }
                Err(panic) => return Err(ImapError::Sink(panic_text(&*panic)).into()),
            }
        }
    }
}

/// What a panic said.
pub(super) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without words").to_owned()
}
