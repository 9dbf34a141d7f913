//! What a commit message may name to mean a regression: an index over the folded logs.

use rusqlite::params;

use super::{StoreError, Tx};
use crate::regression::{Gone, Regression, RegressionId, subject_key};

/// Shortest id that is looked up.
const SHORTEST: usize = 8;

impl Tx<'_> {
    /// Regressions whose fix, or whose fix's revert, is this commit (either may be abbreviated to 8 digits or more), closed
    /// ones too.
    ///
    /// # Errors
    /// Of the database, or a malformed id in a row.
    pub fn marked_commit(&self, id: &str) -> Result<Vec<RegressionId>, StoreError> {
        if id.len() < SHORTEST || !id.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Ok(Vec::new());
        }
        let id = id.to_ascii_lowercase();
        let sql = "select value, regression from mark where kind = 'commit' and value >= ?1 and value < ?1 || 'g'";
        let mut statement = self.db.prepare_cached(sql)?;
        let rows = statement.query_map([&id[..SHORTEST]], |r| {
            Ok((r.get::<_, String>(0)?, r.get::<_, String>(1)?))
        })?;
        let mut found = Vec::new();
        for row in rows {
            let (value, regression) = row?;
            if value.starts_with(&id) || id.starts_with(&value) {
                found.push(decode(&regression)?);
            }
        }
        Ok(found)
    }

    /// Regressions whose fix or culprit has this subject, closed ones too.
    ///
    /// # Errors
    /// Of the database, or a malformed id in a row.
    pub fn marked_subject(&self, subject: &str) -> Result<Vec<RegressionId>, StoreError> {
        match subject_key(subject) {
            key if key.is_empty() => Ok(Vec::new()),
            key => self.marked("subject", &key),
        }
    }

    /// Regressions whose fix was posted under this Message-ID (without `<>`), closed ones too.
    ///
    /// # Errors
    /// Of the database, or a malformed id in a row.
    pub fn marked_posting(&self, message_id: &str) -> Result<Vec<RegressionId>, StoreError> {
        self.marked("posting", message_id)
    }

    fn marked(&self, kind: &str, value: &str) -> Result<Vec<RegressionId>, StoreError> {
        let sql = "select regression from mark where kind = ? and value = ?";
        let mut statement = self.db.prepare_cached(sql)?;
        let rows = statement.query_map([kind, value], |r| r.get::<_, String>(0))?;
        rows.map(|row| decode(&row?)).collect()
    }

    /// Brings the index of one regression up to date.
    pub(super) fn put_marks(&mut self, r: &Regression) -> Result<(), StoreError> {
        let mut clear = self.db.prepare_cached("delete from mark where regression = ?")?;
        clear.execute([r.id().as_str()])?;
        let fix = r.fix.as_ref().map(|(fix, _)| fix);
        let reverts = r.landings.iter().filter_map(|l| match &l.gone {
            Some(Gone::Reverted { by }) => Some(by),
            _ => None,
        });
        let commits = fix
            .and_then(|f| f.commit.as_ref())
            .into_iter()
            .chain(r.landings.iter().map(|l| &l.commit))
            .chain(reverts)
            .chain(r.taken_out.iter().map(|t| &t.by));
        let subjects = fix
            .and_then(|f| f.subject.as_ref())
            .into_iter()
            .chain(r.landings.iter().map(|l| &l.subject))
            .chain(&r.about.commit_subject)
            .map(|s| subject_key(s))
            .filter(|key| !key.is_empty());
        let commits = commits.map(|id| ("commit", id.to_ascii_lowercase()));
        let subjects = subjects.map(|key| ("subject", key));
        let postings = fix.and_then(|f| f.patch.clone()).map(|id| ("posting", id));
        let mut put = self.db.prepare_cached("insert or ignore into mark values (?, ?, ?)")?;
        for (kind, value) in commits.chain(subjects).chain(postings) {
            put.execute(params![kind, value, r.id().as_str()])?;
        }
        Ok(())
    }
}

fn decode(id: &str) -> Result<RegressionId, StoreError> {
    RegressionId::parse(id).ok_or_else(|| StoreError::row("mark", id))
}
