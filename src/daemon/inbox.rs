//! From a watcher to the desk: batches in, cursors out.

use std::sync::Arc;

use super::clock::now;
use super::desk::Incoming;
use super::shared::Shared;
use super::step::step;
use super::story::{Story, Understood};
use crate::imap::{Batch, Cursor, Sink, SinkError, Status};
use crate::store::{Quarantined, StoreError};

/// The desk as a watcher sees it.
#[derive(Debug)]
pub(super) struct Inbox {
    pub(super) desk: Arc<Shared>,
    /// The mailbox's name in the configuration.
    pub(super) name: String,
}

impl Inbox {
    /// Cursors are kept by configured name and mailbox, so that two accounts on one server stay apart.
    fn key(&self, mailbox: &str) -> String {
        format!("{} {mailbox}", self.name)
    }
}

fn trouble(error: StoreError) -> SinkError {
    if error.is_transient() {
        SinkError::Transient(error.to_string())
    } else {
        SinkError::Fatal(error.to_string())
    }
}

impl Sink for Inbox {
    fn cursor(&mut self, mailbox: &str) -> Result<Option<Cursor>, SinkError> {
        let key = self.key(mailbox);
        let found = self.desk.sit().store.look(|tx| tx.cursor(&key)).map_err(trouble)?;
        Ok(found.map(|(uid_validity, uid)| Cursor { uid_validity, uid }))
    }

    fn accept(&mut self, batch: Batch) -> Result<(), SinkError> {
        let key = self.key(&batch.mailbox);
        let after = batch.cursor_after;
        let mails: Vec<Incoming> = batch
            .mails
            .into_iter()
            .map(|m| Incoming {
                place: Some((key.clone(), after.uid_validity, m.uid)),
                received: m.internal_date,
                cut: m.truncated,
                raw: m.raw,
            })
            .collect();
        step("batch-fetched");
        let cursor = Some((key.as_str(), after.uid_validity, after.uid));
        let stories = self.desk.sit().receive(&mails, cursor, now()).map_err(trouble)?;
        step("batch-stored");
        for story in &stories {
            log(story);
        }
        self.desk.bell.notify_one();
        Ok(())
    }

    fn quarantine(&mut self, mailbox: &str, uid: u32, why: &str) -> Result<(), SinkError> {
        let aside = Quarantined {
            mailbox: Some(self.key(mailbox)),
            // The server would not hand it out: there is nothing but its number.
            uid: Some((0, uid)),
            key: None,
            why: why.to_owned(),
            raw: None,
        };
        self.desk.sit().store.transaction(|tx| tx.put_in_quarantine(&aside, now())).map_err(trouble)
    }

    fn status(&mut self, status: Status) {
        if let Status::Watching { mailbox, cursor, idle } = status {
            let how = if idle { "idle" } else { "polling" };
            tracing::info!(mailbox, uid = cursor.uid, how, "watching");
        }
    }
}

/// One greppable line a mail.
fn log(story: &Story) {
    let from = story.from.as_ref().map_or("", |a| a.email.as_str());
    let regression = story.regression.as_ref().map_or("", |id| id.as_str());
    let what: Vec<String> = story.understood.iter().map(in_a_word).collect();
    let origin = story.origin.map_or_else(String::new, |o| format!("{o:?}").to_lowercase());
    tracing::info!(
        mail = story.key,
        from,
        origin,
        regression,
        understood = what.join(", "),
        written = story.written.len(),
        "taken"
    );
}

fn in_a_word(what: &Understood) -> String {
    match what {
        Understood::Known => "known".to_owned(),
        Understood::Results { overall, .. } => format!("{:?}: {}", overall.kind, overall.reason),
        Understood::Malformed { problems, .. } => format!("malformed: {}", problems.join("; ")),
        Understood::Report { title } => format!("report: {title}"),
        Understood::Reply(reading) => reading.primary().map_or_else(
            || "undecided".to_owned(),
            |f| format!("{}: {}", f.label, f.evidence.text),
        ),
        Understood::Echo { outbox } => format!("echo of outbox {outbox}"),
        Understood::Bounce { recipients } => format!("bounce: {} recipients", recipients.len()),
        Understood::Commit { tree, subject, .. } => format!("commit in {tree}: {subject}"),
        Understood::Quarantined { why } => format!("quarantined: {why}"),
    }
}
