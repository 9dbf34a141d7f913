//! Addresses that are never written to again.

use jiff::Timestamp;
use rusqlite::params;

use super::{StoreError, Tx};

impl Tx<'_> {
    /// Remembers a wish to get no more mail (a canonical address), and the mail that said so.
    ///
    /// # Errors
    /// Of the database.
    pub fn put_opt_out(
        &mut self,
        email: &str,
        message: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.db.execute(
            "insert or ignore into opt_out values (?, ?, ?)",
            params![email, message, now.as_second()],
        )?;
        Ok(())
    }

    /// Forgets such a wish; whether there was one.
    ///
    /// # Errors
    /// Of the database.
    pub fn drop_opt_out(&mut self, email: &str) -> Result<bool, StoreError> {
        Ok(self.db.execute("delete from opt_out where email = ?", [email])? == 1)
    }

    /// Everybody who wants no mail.
    ///
    /// # Errors
    /// Of the database.
    pub fn opt_outs(&self) -> Result<Vec<String>, StoreError> {
        let mut statement = self.db.prepare_cached("select email from opt_out order by email")?;
        let rows = statement.query_map([], |r| r.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
