//! The outbox goes out: the only room that talks SMTP on our behalf, one mail's fate written down before the next.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::clock::now;
use super::shared::Shared;
use super::step::step;
use crate::smtp::{self, Fate, Outcome, Parcel, Relay, Schedule};
use crate::store::{OutboxRow, OutboxState, RecipientState, StoreError, Tx};

/// Mails handed over on one connection.
const BATCH: usize = 20;
/// Mails an hour, whatever they are: the brake of last resort against a loop that nobody thought of.
const HOURLY: u32 = 120;
/// How often a mail is given to the relay again whose fate is not known.
const AMBIGUOUS_TRIES: u32 = 3;
/// The command line changes the outbox behind our back: look this often.
const LOOK: Duration = Duration::from_secs(2);

/// Sends what is due, for ever.
#[derive(Debug)]
pub(super) struct Sender {
    pub(super) desk: Arc<Shared>,
    pub(super) relay: Relay,
    pub(super) schedule: Schedule,
    /// How long a mail of unknown fate waits for its echo.
    pub(super) resend_after: Duration,
}

impl Sender {
    /// Mails that were with the relay when the last daemon died: nobody knows whether it took them. They wait for their
    /// echo, then go out again with the same bytes and the same Message-ID.
    pub(super) fn recover(&self) -> Result<usize, StoreError> {
        let at = now();
        let again = at + signed(self.resend_after);
        self.desk.sit().store.transaction(|tx| {
            let lost = tx.outbox(Some(OutboxState::Sending))?;
            for row in &lost {
                let why = "the daemon died while the relay had it; waits for its echo";
                tx.set_outbox(row.id, OutboxState::Deferred, Some(again), Some(why), at)?;
            }
            Ok(lost.len())
        })
    }

    /// Sends until the future is dropped.
    pub(super) async fn run(self) {
        loop {
            match self.batch().await {
                Ok(0) => {
                    let _ = tokio::time::timeout(LOOK, self.desk.bell.notified()).await;
                }
                Ok(_) => {}
                Err(e) => {
                    tracing::error!("outbox: {e}");
                    tokio::time::sleep(Duration::from_secs(10)).await;
                }
            }
        }
    }

    /// Sends what is due now; how many mails that were.
    async fn batch(&self) -> Result<usize, StoreError> {
        let rows = self.take()?;
        if rows.is_empty() {
            return Ok(0);
        }
        step("sending-marked");
        let parcels: Vec<Parcel> = rows.iter().map(parcel).collect();
        let deliveries = smtp::deliver(&self.relay, &parcels).await;
        step("relay-answered");
        let at = now();
        let mut relay_trouble = None;
        self.desk.sit().store.transaction(|tx| {
            for (row, delivery) in rows.iter().zip(&deliveries) {
                match &delivery.outcome {
                    Outcome::Answered(fates) => self.settle(tx, row, fates, at)?,
                    Outcome::NotTried(trouble) => {
                        let pause = self
                            .schedule
                            .pause(row.attempts + 1, seed(row))
                            .unwrap_or(self.schedule.then);
                        let why = trouble.to_string();
                        let next = at + signed(pause);
                        tx.set_outbox(row.id, OutboxState::Deferred, Some(next), Some(&why), at)?;
                        relay_trouble = Some(trouble.clone());
                    }
                }
            }
            Ok::<_, StoreError>(())
        })?;
        if let Some(trouble) = relay_trouble {
            tracing::warn!(relay = self.relay.host, cure = trouble.cure(), "{trouble}");
        }
        step("fate-stored");
        Ok(rows.len())
    }

    /// Marks what is due as being sent. After this commit a crash leaves a trace.
    fn take(&self) -> Result<Vec<OutboxRow>, StoreError> {
        let at = now();
        let mut desk = self.desk.sit();
        // Most looks find nothing: no write lock for them.
        if desk.store.look(|tx| tx.next_due())?.is_none_or(|next| next > at) {
            return Ok(Vec::new());
        }
        desk.store.transaction(|tx| {
            let sent = tx.handed_over_since(at - SignedDuration::from_hours(1))?;
            if sent >= HOURLY {
                tracing::error!("{sent} mails in an hour: the emergency brake holds the outbox until the hour is over");
                return Ok(Vec::new());
            }
            let rows = tx.due(at, BATCH.min((HOURLY - sent) as usize))?;
            for row in &rows {
                tx.set_outbox(row.id, OutboxState::Sending, None, None, at)?;
            }
            Ok(rows)
        })
    }

    /// Writes each recipient's fate down, and what it means for the mail.
    fn settle(
        &self,
        tx: &mut Tx<'_>,
        row: &OutboxRow,
        fates: &[(String, Fate)],
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let mut again: Option<Duration> = None;
        let mut last = String::new();
        for (address, fate) in fates {
            let (state, text, pause) = self.judge(row, fate);
            last = format!("{address}: {text}");
            tx.set_recipient(row.id, address, state, &text)?;
            if let Some(pause) = pause {
                again = Some(again.map_or(pause, |a| a.max(pause)));
            }
            tracing::info!(outbox = row.id, mail = row.message_id, to = address, state = ?state, text, "sent");
        }
        let accepted =
            row.recipients.iter().filter(|r| r.state == RecipientState::Accepted).count()
                + fates.iter().filter(|(_, f)| matches!(f, Fate::Accepted { .. })).count();
        let (state, next) = match again {
            Some(pause) => (OutboxState::Deferred, Some(at + signed(pause))),
            None if accepted > 0 => (OutboxState::Sent, None),
            None => (OutboxState::Failed, None),
        };
        tx.set_outbox(row.id, state, next, Some(&last), at)
    }

    /// One recipient: its state, the words, and when to try again.
    fn judge(&self, row: &OutboxRow, fate: &Fate) -> (RecipientState, String, Option<Duration>) {
        let attempt = row.attempts + 1;
        match fate {
            Fate::Accepted { code, text } => {
                (RecipientState::Accepted, format!("{code} {text}"), None)
            }
            Fate::Refused { code, text, .. } => {
                let code = code.map_or_else(String::new, |c| format!("{c} "));
                (RecipientState::Refused, format!("{code}{text}"), None)
            }
            Fate::Deferred { code, text, .. } => match self.schedule.pause(attempt, seed(row)) {
                Some(pause) => (RecipientState::Deferred, format!("{code} {text}"), Some(pause)),
                None => (RecipientState::Refused, format!("given up: {code} {text}"), None),
            },
            Fate::Ambiguous { text } if attempt < AMBIGUOUS_TRIES => {
                let text = format!("unknown whether it was taken: {text}");
                // Pending, not deferred: an echo settles it.
                (RecipientState::Pending, text, Some(self.resend_after))
            }
            Fate::Ambiguous { text } => {
                let text = format!("given up, it may have been taken: {text}");
                (RecipientState::Refused, text, None)
            }
        }
    }
}

/// Only those that it has not reached.
fn parcel(row: &OutboxRow) -> Parcel {
    let waits = |state| matches!(state, RecipientState::Pending | RecipientState::Deferred);
    Parcel {
        id: row.id.to_string(),
        from: row.sender.clone(),
        to: row.recipients.iter().filter(|r| waits(r.state)).map(|r| r.address.clone()).collect(),
        raw: row.raw.clone(),
    }
}

fn seed(row: &OutboxRow) -> u64 {
    row.id.unsigned_abs()
}

fn signed(d: Duration) -> SignedDuration {
    SignedDuration::try_from(d).unwrap_or(SignedDuration::from_hours(24))
}
