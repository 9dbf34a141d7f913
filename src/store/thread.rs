//! Which Message-IDs stand in which regression's thread.

use rusqlite::OptionalExtension;

use super::{StoreError, Tx};
use crate::regression::RegressionId;

impl Tx<'_> {
    /// The regression in whose thread a Message-ID (without `<>`) stands.
    ///
    /// # Errors
    /// Of the database, or a malformed id in the row.
    pub fn regression_of(&self, message_id: &str) -> Result<Option<RegressionId>, StoreError> {
        let mut statement =
            self.db.prepare_cached("select regression from thread where message_id = ?")?;
        let found: Option<String> = statement.query_row([message_id], |r| r.get(0)).optional()?;
        found
            .map(|id| RegressionId::parse(&id).ok_or_else(|| StoreError::row("thread", message_id)))
            .transpose()
    }

    /// Adds a Message-ID to a thread. The first thread that claims an id keeps it.
    ///
    /// # Errors
    /// Of the database.
    pub fn join_thread(
        &mut self,
        message_id: &str,
        regression: &RegressionId,
    ) -> Result<(), StoreError> {
        let mut statement = self.db.prepare_cached("insert or ignore into thread values (?, ?)")?;
        statement.execute([message_id, regression.as_str()])?;
        Ok(())
    }

    /// Takes a Message-ID out of a regression's thread.
    ///
    /// # Errors
    /// Of the database.
    pub fn leave_thread(
        &mut self,
        message_id: &str,
        regression: &RegressionId,
    ) -> Result<(), StoreError> {
        let sql = "delete from thread where message_id = ? and regression = ?";
        self.db.prepare_cached(sql)?.execute([message_id, regression.as_str()])?;
        Ok(())
    }
}
