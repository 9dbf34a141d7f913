//! The results that opened a regression of ours.

use rusqlite::{OptionalExtension, params};

use super::{StoreError, Tx};
use crate::regression::RegressionId;

impl Tx<'_> {
    /// Remembers what opened a regression: the lab that sent it, and its notification as JSON.
    ///
    /// # Errors
    /// Of the database.
    pub fn put_finding(
        &mut self,
        id: &RegressionId,
        lab: &str,
        notification: &str,
    ) -> Result<(), StoreError> {
        self.db.execute(
            "insert or replace into finding values (?, ?, ?)",
            params![id.as_str(), lab, notification],
        )?;
        Ok(())
    }

    /// `(lab, notification)` of a regression of ours.
    ///
    /// # Errors
    /// Of the database.
    pub fn finding(&self, id: &RegressionId) -> Result<Option<(String, String)>, StoreError> {
        let sql = "select lab, notification from finding where regression = ?";
        Ok(self.db.query_row(sql, [id.as_str()], |r| Ok((r.get(0)?, r.get(1)?))).optional()?)
    }
}
