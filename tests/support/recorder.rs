//! A sink that remembers, checks the promises of a watcher, and fails when it is told to.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use regard::imap::{Batch, Cursor, Fetched, ImapError, Sink, SinkError, Status};

use super::server::PATIENCE;

#[derive(Clone, Default)]
pub(crate) struct Recorder(Arc<(Mutex<Log>, Condvar)>);

#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) cursors: BTreeMap<String, Cursor>,
    pub(crate) mails: Vec<Fetched>,
    /// Number of mails of each batch.
    pub(crate) batches: Vec<usize>,
    /// UID and reason.
    pub(crate) quarantined: Vec<(u32, String)>,
    pub(crate) statuses: Vec<Status>,
    /// What the next calls of `accept` answer instead of taking the batch.
    pub(crate) refusals: VecDeque<SinkError>,
    /// `accept` panics over mails that contain it.
    pub(crate) poison: Option<&'static str>,
}

impl Log {
    pub(crate) fn uids(&self) -> Vec<u32> {
        self.mails.iter().map(|mail| mail.uid).collect()
    }

    pub(crate) fn has(&self, text: &str) -> bool {
        self.mails.iter().any(|mail| String::from_utf8_lossy(&mail.raw).contains(text))
    }

    /// Times that the watcher came to wait for mail.
    pub(crate) fn watching(&self) -> usize {
        self.statuses.iter().filter(|status| matches!(status, Status::Watching { .. })).count()
    }

    pub(crate) fn errors(&self) -> impl Iterator<Item = &ImapError> {
        self.statuses.iter().filter_map(|status| match status {
            Status::Lost { error, .. } => Some(error),
            _ => None,
        })
    }

    pub(crate) fn reasons(&self) -> Vec<&'static str> {
        self.errors().map(ImapError::reason).collect()
    }
}

impl Recorder {
    fn log(&self) -> MutexGuard<'_, Log> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Log) -> T) -> T {
        let result = change(&mut self.log());
        self.0.1.notify_all();
        result
    }

    /// Waits until `condition` holds, then gives `read` of the log.
    pub(crate) fn wait(&self, what: &str, condition: impl Fn(&Log) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        let mut log = self.log();
        while !condition(&log) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let Log { cursors, batches, quarantined, statuses, .. } = &*log;
                let statuses = &statuses[statuses.len().saturating_sub(20)..];
                panic!("waited for {what}: {cursors:?} {batches:?} {quarantined:?} {statuses:#?}");
            }
            log = self.0.1.wait_timeout(log, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Sink for Recorder {
    fn cursor(&mut self, mailbox: &str) -> Result<Option<Cursor>, SinkError> {
        Ok(self.change(|log| log.cursors.get(mailbox).copied()))
    }

    fn accept(&mut self, batch: Batch) -> Result<(), SinkError> {
        self.change(|log| {
            if let Some(refusal) = log.refusals.pop_front() {
                return Err(refusal);
            }
            let known = log.cursors.get(&batch.mailbox);
            let same = known.filter(|known| known.uid_validity == batch.cursor_after.uid_validity);
            let mut last = same.map_or(0, |known| known.uid);
            let moved_back = batch.mails.is_empty() && batch.cursor_after.uid < last;
            for mail in &batch.mails {
                assert!(mail.uid > last, "UID {} after {last}", mail.uid);
                last = mail.uid;
            }
            assert!(moved_back || batch.cursor_after.uid >= last, "the cursor is behind the mail");
            log.batches.push(batch.mails.len());
            log.mails.extend(batch.mails);
            log.cursors.insert(batch.mailbox, batch.cursor_after);
            Ok(())
        })?;
        let poisoned = self.change(|log| log.poison.is_some_and(|poison| log.has(poison)));
        if poisoned {
            // As a transaction that is rolled back.
            self.change(|log| {
                let count = log.batches.pop().unwrap();
                log.mails.truncate(log.mails.len() - count);
                let uid = log.mails.last().map_or(0, |mail| mail.uid);
                log.cursors.values_mut().for_each(|cursor| cursor.uid = uid);
            });
            panic!("poisoned mail");
        }
        Ok(())
    }

    fn quarantine(&mut self, _mailbox: &str, uid: u32, why: &str) -> Result<(), SinkError> {
        self.change(|log| log.quarantined.push((uid, why.to_owned())));
        Ok(())
    }

    fn status(&mut self, status: Status) {
        self.change(|log| log.statuses.push(status));
    }
}
