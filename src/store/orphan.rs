//! Replies that came before their report: kept whole, and worked through again when it comes.

use jiff::Timestamp;
use rusqlite::params;

use super::{StoreError, Tx};
use crate::mail::MessageId;

/// Message-IDs of a mail's References that are remembered at most.
const REFERENCES: usize = 20;

impl Tx<'_> {
    /// Keeps a reply for each of the mails that it may be waiting for.
    ///
    /// # Errors
    /// Of the database.
    pub fn put_orphan<'a>(
        &mut self,
        message: &str,
        waits_for: impl IntoIterator<Item = &'a MessageId>,
        raw: &[u8],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        for id in waits_for.into_iter().take(REFERENCES) {
            self.db.execute(
                "insert or ignore into orphan values (?, ?, ?, ?)",
                params![id.as_str(), message, now.as_second(), raw],
            )?;
        }
        Ok(())
    }

    /// Takes the replies that waited for a mail, oldest first: (key, raw).
    ///
    /// # Errors
    /// Of the database.
    pub fn take_orphans(&mut self, message_id: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let found = {
            let sql = "select message, raw from orphan where waits_for = ? order by at, message";
            let mut statement = self.db.prepare_cached(sql)?;
            let rows = statement.query_map([message_id], |r| Ok((r.get(0)?, r.get(1)?)))?;
            rows.collect::<Result<Vec<(String, Vec<u8>)>, _>>()?
        };
        for (message, _) in &found {
            self.db.execute("delete from orphan where message = ?", [message])?;
        }
        Ok(found)
    }

    /// Forgets replies whose report never came; how many rows that were.
    ///
    /// # Errors
    /// Of the database.
    pub fn drop_orphans_before(&mut self, time: Timestamp) -> Result<usize, StoreError> {
        Ok(self.db.execute("delete from orphan where at < ?", [time.as_second()])?)
    }

    /// How many references are waited for.
    ///
    /// # Errors
    /// Of the database.
    pub fn orphan_count(&self) -> Result<i64, StoreError> {
        Ok(self.db.query_row("select count(*) from orphan", [], |r| r.get(0))?)
    }
}
