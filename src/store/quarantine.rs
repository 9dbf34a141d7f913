//! Mail that could not be processed, kept whole.

use jiff::Timestamp;
use rusqlite::params;

use super::{StoreError, Tx};

/// One mail in quarantine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quarantined {
    /// Where it was read.
    pub mailbox: Option<String>,
    /// `(UIDVALIDITY, UID)`.
    pub uid: Option<(u32, u32)>,
    /// Message key, where one could be made out.
    pub key: Option<String>,
    /// Why it is here.
    pub why: String,
    /// The mail itself; absent when the server would not hand it out.
    pub raw: Option<Vec<u8>>,
}

impl Tx<'_> {
    /// Puts a mail aside.
    ///
    /// # Errors
    /// Of the database.
    pub fn put_in_quarantine(
        &mut self,
        mail: &Quarantined,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.db.execute(
            "insert into quarantine (mailbox, uid_validity, uid, key, at, why, raw) values (?, ?, ?, ?, ?, ?, ?)",
            params![
                mail.mailbox,
                mail.uid.map(|u| u.0),
                mail.uid.map(|u| u.1),
                mail.key,
                now.as_second(),
                mail.why,
                mail.raw
            ],
        )?;
        Ok(())
    }

    /// Everything in quarantine, oldest first.
    ///
    /// # Errors
    /// Of the database.
    pub fn quarantine(&self) -> Result<Vec<Quarantined>, StoreError> {
        let mut statement = self.db.prepare(
            "select mailbox, uid_validity, uid, key, why, raw from quarantine order by id",
        )?;
        let rows = statement.query_map([], |r| {
            let uid: (Option<u32>, Option<u32>) = (r.get(1)?, r.get(2)?);
            Ok(Quarantined {
                mailbox: r.get(0)?,
                uid: uid.0.zip(uid.1),
                key: r.get(3)?,
                why: r.get(4)?,
                raw: r.get(5)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
