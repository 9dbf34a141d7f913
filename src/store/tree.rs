//! What is known of watched git trees: how far they were read, what was looked for, what they may have lost.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

use super::{StoreError, Tx};

/// How far a branch was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeCursor {
    /// Its tip then.
    pub tip: String,
    /// When.
    pub scanned: Timestamp,
}

impl Tx<'_> {
    /// How far a branch of a tree was read; `branch` is empty for its HEAD.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn tree_cursor(&self, tree: &str, branch: &str) -> Result<Option<TreeCursor>, StoreError> {
        let sql = "select tip, scanned from tree_cursor where tree = ? and branch = ?";
        let row: Option<(String, i64)> =
            self.db.query_row(sql, [tree, branch], |r| Ok((r.get(0)?, r.get(1)?))).optional()?;
        row.map(|(tip, scanned)| {
            let scanned = Timestamp::from_second(scanned)
                .map_err(|e| StoreError::row(format!("tree_cursor {tree} {branch}"), e))?;
            Ok(TreeCursor { tip, scanned })
        })
        .transpose()
    }

    /// Moves the cursor of a branch. Call it in the transaction that stores what its commits did.
    ///
    /// # Errors
    /// Of the database.
    pub fn set_tree_cursor(
        &mut self,
        tree: &str,
        branch: &str,
        cursor: &TreeCursor,
    ) -> Result<(), StoreError> {
        self.db.execute(
            "insert into tree_cursor values (?, ?, ?, ?)
             on conflict (tree, branch) do update set tip = excluded.tip, scanned = excluded.scanned",
            params![tree, branch, cursor.tip, cursor.scanned.as_second()],
        )?;
        Ok(())
    }

    /// Whether this was looked for in the past of a branch.
    ///
    /// # Errors
    /// Of the database.
    pub fn was_looked_for(
        &self,
        tree: &str,
        branch: &str,
        needle: &str,
    ) -> Result<bool, StoreError> {
        let sql = "select 1 from tree_looked where tree = ? and branch = ? and needle = ?";
        Ok(self.db.prepare_cached(sql)?.exists([tree, branch, needle])?)
    }

    /// Remembers that this was looked for.
    ///
    /// # Errors
    /// Of the database.
    pub fn looked_for(&mut self, tree: &str, branch: &str, needle: &str) -> Result<(), StoreError> {
        let sql = "insert or ignore into tree_looked values (?, ?, ?)";
        self.db.prepare_cached(sql)?.execute([tree, branch, needle])?;
        Ok(())
    }

    /// Remembers that a rewritten branch lacks a commit; since when it does.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn miss(
        &mut self,
        tree: &str,
        branch: &str,
        commit: &str,
        now: Timestamp,
    ) -> Result<Timestamp, StoreError> {
        self.db.execute(
            "insert or ignore into tree_missing values (?, ?, ?, ?)",
            params![tree, branch, commit, now.as_second()],
        )?;
        let sql = "select since from tree_missing where tree = ? and branch = ? and commit_id = ?";
        let since: i64 = self.db.query_row(sql, [tree, branch, commit], |r| r.get(0))?;
        Timestamp::from_second(since)
            .map_err(|e| StoreError::row(format!("tree_missing {commit}"), e))
    }

    /// The commit is back, or settled otherwise.
    ///
    /// # Errors
    /// Of the database.
    pub fn stop_missing(
        &mut self,
        tree: &str,
        branch: &str,
        commit: &str,
    ) -> Result<(), StoreError> {
        let sql = "delete from tree_missing where tree = ? and branch = ? and commit_id = ?";
        self.db.execute(sql, [tree, branch, commit])?;
        Ok(())
    }

    /// The commits that a branch lacks.
    ///
    /// # Errors
    /// Of the database.
    pub fn missing(&self, tree: &str, branch: &str) -> Result<Vec<String>, StoreError> {
        let sql =
            "select commit_id from tree_missing where tree = ? and branch = ? order by commit_id";
        let mut statement = self.db.prepare(sql)?;
        let rows = statement.query_map([tree, branch], |r| r.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
