//! Days in a minute: mail from a folder goes through the real pipeline, with the Date headers as the clock.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use jiff::{SignedDuration, Timestamp};

use super::desk::{Desk, Incoming};
use super::story::Story;
use crate::mail;
use crate::store::{OutboxRow, OutboxState, RecipientState};

/// One thing that happened.
#[derive(Debug)]
pub enum Scene {
    /// A mail came in.
    Mail {
        /// File name.
        name: String,
        /// The simulated time.
        at: Timestamp,
        /// What became of it.
        story: Box<Story>,
    },
    /// Time did something.
    Tick {
        /// The simulated time.
        at: Timestamp,
        /// What became of it.
        story: Box<Story>,
    },
    /// A mail went out.
    Sent {
        /// The simulated time.
        at: Timestamp,
        /// The row of the outbox.
        row: Box<OutboxRow>,
        /// Where it was written.
        file: PathBuf,
    },
}

/// A desk with a simulated clock, whose relay is a folder.
#[derive(Debug)]
pub struct Rehearsal {
    desk: Desk,
    out: PathBuf,
    clock: Option<Timestamp>,
    sent: usize,
}

impl Rehearsal {
    /// Outgoing mail is written to `out`, numbered in order.
    pub fn new(desk: Desk, out: &Path) -> Self {
        Self { desk, out: out.to_owned(), clock: None, sent: 0 }
    }

    /// Plays the mails in the order given and hands each scene to `watch` as it happens. `until` lets time go on after
    /// the last mail.
    ///
    /// # Errors
    /// When a mail has no Date, goes back in time, or the store or the folder fail.
    pub fn play(
        &mut self,
        mails: &[(String, Vec<u8>)],
        until: SignedDuration,
        mut watch: impl FnMut(Scene) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        for (name, raw) in mails {
            let at = mail::parse(raw)
                .date
                .with_context(|| format!("{name}: has no Date to set the clock by"))?;
            if self.clock.is_some_and(|clock| at < clock) {
                bail!("{name}: its Date {at} is before the mail that was played last");
            }
            self.pass_time(at, &mut watch)?;
            self.deliver(name, raw, at, &mut watch)?;
        }
        if let Some(clock) = self.clock {
            self.pass_time(clock + until, &mut watch)?;
        }
        Ok(())
    }

    /// The desk, with everything that it learned.
    pub fn into_desk(self) -> Desk {
        self.desk
    }

    /// A tick a day until `at`.
    fn pass_time(
        &mut self,
        at: Timestamp,
        watch: &mut impl FnMut(Scene) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        while let Some(clock) =
            self.clock.filter(|c| at.duration_since(*c) >= SignedDuration::from_hours(24))
        {
            let next = clock + SignedDuration::from_hours(24);
            self.clock = Some(next);
            for story in self.desk.tick(next)? {
                watch(Scene::Tick { at: next, story: Box::new(story) })?;
            }
            self.send(next, watch)?;
        }
        Ok(())
    }

    fn deliver(
        &mut self,
        name: &str,
        raw: &[u8],
        at: Timestamp,
        watch: &mut impl FnMut(Scene) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.clock = Some(at);
        let incoming = Incoming { raw: raw.to_vec(), received: Some(at), place: None, cut: false };
        for story in self.desk.receive(&[incoming], None, at)? {
            watch(Scene::Mail { name: name.to_owned(), at, story: Box::new(story) })?;
        }
        self.send(at, watch)
    }

    /// What is due goes into the folder, and what went to a list comes back from it.
    fn send(
        &mut self,
        at: Timestamp,
        watch: &mut impl FnMut(Scene) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let due = self.desk.store.look(|tx| tx.due(at, 100))?;
        for row in due {
            self.sent += 1;
            let letter = row.key.split('/').next().unwrap_or("mail");
            let file = self.out.join(format!("{:02}-{letter}.eml", self.sent));
            std::fs::write(&file, &row.raw)
                .with_context(|| format!("{} cannot be written", file.display()))?;
            self.desk.store.transaction(|tx| {
                tx.set_outbox(row.id, OutboxState::Sending, None, None, at)?;
                for r in &row.recipients {
                    tx.set_recipient(
                        row.id,
                        &r.address,
                        RecipientState::Accepted,
                        "250 rehearsed",
                    )?;
                }
                tx.set_outbox(row.id, OutboxState::Sent, None, Some("250 rehearsed"), at)
            })?;
            let listed = row.recipients.iter().any(|r| r.why == "list");
            let raw = row.raw.clone();
            watch(Scene::Sent { at, row: Box::new(row), file })?;
            if listed {
                let echo = Incoming { raw, received: Some(at), place: None, cut: false };
                self.desk.receive(&[echo], None, at)?;
            }
        }
        Ok(())
    }
}
