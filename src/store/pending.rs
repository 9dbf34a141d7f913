//! First rounds that wait for their confirmation.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

use super::{StoreError, Tx};

/// A first round.
#[derive(Debug, Clone, PartialEq)]
pub struct Pending {
    /// The id that the answer must name.
    pub id: String,
    /// Whom we asked.
    pub lab: String,
    /// The first round, JSON.
    pub finding: String,
}

impl Tx<'_> {
    /// Remembers a first round.
    ///
    /// # Errors
    /// Of the database.
    pub fn put_pending(&mut self, pending: &Pending, now: Timestamp) -> Result<(), StoreError> {
        self.db.execute(
            "insert or ignore into pending values (?, ?, ?, ?)",
            params![pending.id, now.as_second(), pending.lab, pending.finding],
        )?;
        Ok(())
    }

    /// Looks a first round up.
    ///
    /// # Errors
    /// Of the database.
    pub fn pending(&self, id: &str) -> Result<Option<Pending>, StoreError> {
        let sql = "select id, lab, finding from pending where id = ?";
        let row = self.db.query_row(sql, [id], |r| {
            Ok(Pending { id: r.get(0)?, lab: r.get(1)?, finding: r.get(2)? })
        });
        Ok(row.optional()?)
    }

    /// Forgets a first round that was answered.
    ///
    /// # Errors
    /// Of the database.
    pub fn drop_pending(&mut self, id: &str) -> Result<(), StoreError> {
        self.db.execute("delete from pending where id = ?", [id])?;
        Ok(())
    }
}
