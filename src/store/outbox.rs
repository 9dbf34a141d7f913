//! Mail to send, and what became of it.

use jiff::Timestamp;
use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};

use super::message::word;
use super::{StoreError, Tx};

/// Where a mail stands on its way out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutboxState {
    /// Waits for the operator (dry run, moderation, or the gate before the door).
    Held,
    /// Goes out as soon as possible.
    Queued,
    /// Handed to the relay; if the daemon dies now, nobody knows whether it was taken.
    Sending,
    /// Taken by the relay for every recipient that it did not refuse.
    Sent,
    /// Seen again on a list.
    Confirmed,
    /// To be tried again at `next_try`.
    Deferred,
    /// Refused for good, or given up.
    Failed,
    /// The operator threw it away.
    Dropped,
}

/// Where one recipient stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecipientState {
    /// Not tried yet.
    Pending,
    /// Taken.
    Accepted,
    /// Try again.
    Deferred,
    /// Refused for good.
    Refused,
}

/// One mail of the outbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutboxRow {
    /// Row number; 0 before it is stored.
    pub id: i64,
    /// Idempotency key of the draft.
    pub key: String,
    /// Without `<>`.
    pub message_id: String,
    /// The regression that it is about.
    pub regression: Option<String>,
    /// Why it exists (slug).
    pub reason: String,
    /// Subject.
    pub subject: String,
    /// Envelope sender.
    pub sender: String,
    /// The mail as it goes on the wire.
    #[serde(skip)]
    pub raw: Vec<u8>,
    /// Where it stands.
    pub state: OutboxState,
    /// Why it is held.
    pub hold: Option<String>,
    /// When it was written.
    pub created: Timestamp,
    /// When to try (again).
    pub next_try: Option<Timestamp>,
    /// Tries so far.
    pub attempts: u32,
    /// Last answer or trouble.
    pub last: Option<String>,
    /// Envelope recipients.
    pub recipients: Vec<RecipientRow>,
}

/// One recipient of a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecipientRow {
    /// Address.
    pub address: String,
    /// Why it is on the mail.
    pub why: String,
    /// Where it stands.
    pub state: RecipientState,
    /// What the relay said.
    pub answer: Option<String>,
}

const COLUMNS: &str = "id, key, message_id, regression, reason, subject, sender, raw, state, hold, created, next_try, \
                       attempts, last";

impl Tx<'_> {
    /// Stores a mail. `None` when its key or Message-ID is known already: the same thing is never written twice.
    ///
    /// # Errors
    /// Of the database.
    pub fn put_outbox(&mut self, row: &OutboxRow) -> Result<Option<i64>, StoreError> {
        let stored = self.db.execute(
            "insert or ignore into outbox
             (key, message_id, regression, reason, subject, sender, raw, state, hold, created, changed, next_try, last)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, ?11, ?12)",
            params![
                row.key,
                row.message_id,
                row.regression,
                row.reason,
                row.subject,
                row.sender,
                row.raw,
                word(&row.state)?,
                row.hold,
                row.created.as_second(),
                row.next_try.map(Timestamp::as_second),
                row.last,
            ],
        )?;
        if stored == 0 {
            return Ok(None);
        }
        let id = self.db.last_insert_rowid();
        for r in &row.recipients {
            self.db.execute(
                "insert or ignore into outbox_recipient values (?, ?, ?, ?, ?)",
                params![id, r.address, r.why, word(&r.state)?, r.answer],
            )?;
        }
        Ok(Some(id))
    }

    /// Mails that may go out at `now`, oldest first, at most `limit`.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn due(&self, now: Timestamp, limit: usize) -> Result<Vec<OutboxRow>, StoreError> {
        let clause = format!(
            "state in ('queued', 'deferred') and coalesce(next_try, 0) <= ? order by id limit {limit}"
        );
        self.outbox_where(&clause, [now.as_second()])
    }

    /// The earliest time at which something is due.
    ///
    /// # Errors
    /// Of the database.
    pub fn next_due(&self) -> Result<Option<Timestamp>, StoreError> {
        let sql =
            "select min(coalesce(next_try, 0)) from outbox where state in ('queued', 'deferred')";
        let second: Option<i64> = self.db.query_row(sql, [], |r| r.get(0))?;
        second
            .map(|s| Timestamp::from_second(s).map_err(|e| StoreError::row("outbox", e)))
            .transpose()
    }

    /// Rows in one state, or all, oldest first.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn outbox(&self, state: Option<OutboxState>) -> Result<Vec<OutboxRow>, StoreError> {
        match state {
            Some(state) => self.outbox_where("state = ? order by id", [word(&state)?]),
            None => self.outbox_where("true order by id", []),
        }
    }

    /// One row by number.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn outbox_row(&self, id: i64) -> Result<Option<OutboxRow>, StoreError> {
        Ok(self.outbox_where("id = ?", [id])?.pop())
    }

    /// One row by Message-ID (without `<>`).
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn outbox_by_message_id(&self, message_id: &str) -> Result<Option<OutboxRow>, StoreError> {
        Ok(self.outbox_where("message_id = ?", [message_id])?.pop())
    }

    /// How many mails were written since a time and not dropped, by the prefix of their key (`report/`).
    ///
    /// # Errors
    /// Of the database.
    pub fn written_since(&self, since: Timestamp, prefix: &str) -> Result<u32, StoreError> {
        let sql = "select count(*) from outbox where created >= ? and state != 'dropped' and key >= ?2 and key < ?2 || '~'";
        Ok(self.db.query_row(sql, params![since.as_second(), prefix], |r| r.get(0))?)
    }

    /// The same, to one address.
    ///
    /// # Errors
    /// Of the database.
    pub fn written_to_since(
        &self,
        address: &str,
        since: Timestamp,
        prefix: &str,
    ) -> Result<u32, StoreError> {
        let sql = "select count(*) from outbox join outbox_recipient on outbox = id
                   where address = ?3 and created >= ?1 and outbox.state != 'dropped' and key >= ?2 and key < ?2 || '~'";
        Ok(self.db.query_row(sql, params![since.as_second(), prefix, address], |r| r.get(0))?)
    }

    /// How many mails were handed to the relay since a time.
    ///
    /// # Errors
    /// Of the database.
    pub fn handed_over_since(&self, since: Timestamp) -> Result<u32, StoreError> {
        let sql =
            "select count(*) from outbox where attempts > 0 and changed >= ? and state != 'held'";
        Ok(self.db.query_row(sql, [since.as_second()], |r| r.get(0))?)
    }

    /// Moves a row, with what is to be remembered of it.
    ///
    /// # Errors
    /// Of the database.
    pub fn set_outbox(
        &mut self,
        id: i64,
        state: OutboxState,
        next_try: Option<Timestamp>,
        last: Option<&str>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.db.execute(
            "update outbox set state = ?, next_try = ?, last = coalesce(?, last), changed = ?,
                    hold = case when ?1 = 'held' then hold end,
                    attempts = attempts + (?1 = 'sending')
             where id = ?5",
            params![word(&state)?, next_try.map(Timestamp::as_second), last, now.as_second(), id],
        )?;
        Ok(())
    }

    /// Writes down why a row is held.
    ///
    /// # Errors
    /// Of the database.
    pub fn hold_outbox(&mut self, id: i64, hold: &str, now: Timestamp) -> Result<(), StoreError> {
        self.db.execute(
            "update outbox set state = 'held', hold = ?, changed = ?, next_try = null where id = ?",
            params![hold, now.as_second(), id],
        )?;
        Ok(())
    }

    /// Writes down what the relay said of one recipient.
    ///
    /// # Errors
    /// Of the database.
    pub fn set_recipient(
        &mut self,
        id: i64,
        address: &str,
        state: RecipientState,
        answer: &str,
    ) -> Result<(), StoreError> {
        self.db.execute(
            "update outbox_recipient set state = ?, answer = ? where outbox = ? and address = ?",
            params![word(&state)?, answer, id, address],
        )?;
        Ok(())
    }

    fn outbox_where<P: rusqlite::Params>(
        &self,
        clause: &str,
        params: P,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let mut statement =
            self.db.prepare_cached(&format!("select {COLUMNS} from outbox where {clause}"))?;
        let rows = statement.query_map(params, |r| Ok(decode(r)))?;
        let mut rows: Vec<OutboxRow> =
            rows.collect::<Result<Vec<_>, _>>()?.into_iter().collect::<Result<_, _>>()?;
        for row in &mut rows {
            row.recipients = self.recipients(row.id)?;
        }
        Ok(rows)
    }

    fn recipients(&self, id: i64) -> Result<Vec<RecipientRow>, StoreError> {
        let sql = "select address, why, state, answer from outbox_recipient where outbox = ? order by address";
        let mut statement = self.db.prepare_cached(sql)?;
        let rows = statement
            .query_map([id], |r| Ok((r.get(0)?, r.get(1)?, r.get::<_, String>(2)?, r.get(3)?)))?;
        let mut recipients = Vec::new();
        for row in rows {
            let (address, why, state, answer): (String, String, String, Option<String>) = row?;
            let state = serde_json::from_value(state.into()).map_err(|_| {
                StoreError::row(format!("outbox_recipient {id} {address}"), "an unknown state")
            })?;
            recipients.push(RecipientRow { address, why, state, answer });
        }
        Ok(recipients)
    }
}

fn decode(r: &Row<'_>) -> Result<OutboxRow, StoreError> {
    let id: i64 = r.get(0)?;
    let bad = |what: &str| StoreError::row(format!("outbox {id}"), what);
    let state: String = r.get(8)?;
    let seconds = |s: i64| Timestamp::from_second(s).map_err(|_| bad("a time out of range"));
    let (created, next_try): (i64, Option<i64>) = (r.get(10)?, r.get(11)?);
    Ok(OutboxRow {
        id,
        key: r.get(1)?,
        message_id: r.get(2)?,
        regression: r.get(3)?,
        reason: r.get(4)?,
        subject: r.get(5)?,
        sender: r.get(6)?,
        raw: r.get(7)?,
        state: serde_json::from_value(state.into()).map_err(|_| bad("an unknown state"))?,
        hold: r.get(9)?,
        created: seconds(created)?,
        next_try: next_try.map(seconds).transpose()?,
        attempts: r.get(12)?,
        last: r.get(13)?,
        recipients: Vec::new(),
    })
}
