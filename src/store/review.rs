//! Mails that a person should look at.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::{StoreError, Tx};

/// One mail on the operator's review list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// Message key.
    pub message: String,
    /// The regression that it belongs to.
    pub regression: Option<String>,
    /// What triage thought, if anything.
    pub label: Option<String>,
    /// The words.
    pub words: String,
    /// Why a person should look: `undecided`, `duplicate-of-what`, ...
    pub why: String,
}

impl Tx<'_> {
    /// Puts a mail on the list; once is enough.
    ///
    /// # Errors
    /// Of the database.
    pub fn put_review(&mut self, review: &Review, now: Timestamp) -> Result<(), StoreError> {
        self.db.execute(
            "insert or ignore into review (message, regression, at, label, words, why) values (?, ?, ?, ?, ?, ?)",
            params![
                review.message,
                review.regression,
                now.as_second(),
                review.label,
                review.words,
                review.why
            ],
        )?;
        Ok(())
    }

    /// The unsettled ones, oldest first.
    ///
    /// # Errors
    /// Of the database.
    pub fn reviews(&self) -> Result<Vec<Review>, StoreError> {
        let sql = "select message, regression, label, words, why from review where settled is null order by at, message";
        let mut statement = self.db.prepare(sql)?;
        let rows = statement.query_map([], decode)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Writes down what the operator said.
    ///
    /// # Errors
    /// Of the database.
    pub fn settle_review(&mut self, message: &str, settled: &str) -> Result<bool, StoreError> {
        Ok(self
            .db
            .execute("update review set settled = ? where message = ?", [settled, message])?
            == 1)
    }

    /// Those that the operator settled, oldest first: each with what he said.
    ///
    /// # Errors
    /// Of the database.
    pub fn settled_reviews(&self) -> Result<Vec<(Review, String)>, StoreError> {
        let sql = "select message, regression, label, words, why, settled from review where settled is not null \
                   order by at, message";
        let mut statement = self.db.prepare(sql)?;
        let rows = statement.query_map([], |r| Ok((decode(r)?, r.get(5)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn decode(r: &Row<'_>) -> rusqlite::Result<Review> {
    Ok(Review {
        message: r.get(0)?,
        regression: r.get(1)?,
        label: r.get(2)?,
        words: r.get(3)?,
        why: r.get(4)?,
    })
}
