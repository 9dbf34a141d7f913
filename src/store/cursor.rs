//! How far each mailbox was read.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

use super::{StoreError, Tx};

impl Tx<'_> {
    /// `(UIDVALIDITY, last UID)` of a mailbox.
    ///
    /// # Errors
    /// Of the database.
    pub fn cursor(&self, mailbox: &str) -> Result<Option<(u32, u32)>, StoreError> {
        let sql = "select uid_validity, uid from cursor where mailbox = ?";
        Ok(self.db.query_row(sql, [mailbox], |r| Ok((r.get(0)?, r.get(1)?))).optional()?)
    }

    /// Moves the cursor. Call it in the transaction that stored the mail.
    ///
    /// # Errors
    /// Of the database.
    pub fn set_cursor(
        &mut self,
        mailbox: &str,
        uid_validity: u32,
        uid: u32,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.db.execute(
            "insert into cursor values (?, ?, ?, ?)
             on conflict (mailbox) do update set uid_validity = excluded.uid_validity, uid = excluded.uid,
                                                 changed = excluded.changed",
            params![mailbox, uid_validity, uid, now.as_second()],
        )?;
        Ok(())
    }
}
