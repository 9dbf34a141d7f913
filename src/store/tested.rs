//! What was found of a commit's kpis: the family that they are judged in.

use jiff::Timestamp;
use rusqlite::params;

use super::suite::Suite;
use super::{StoreError, Tx};

/// One kpi of a commit.
#[derive(Debug, Clone, PartialEq)]
pub struct Tested {
    /// Row of the suite that it belongs to.
    pub suite: i64,
    /// Its name.
    pub metric: String,
    /// Two-sided p.
    pub p: f64,
}

impl Tx<'_> {
    /// Remembers the p of kpis of a commit, in the place of what was known of them; those without a series are left out.
    ///
    /// # Errors
    /// Of the database.
    pub fn put_tested<'a>(
        &mut self,
        suite: &Suite,
        commit: &str,
        found: impl IntoIterator<Item = (&'a str, f64)>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let sql = "insert or replace into tested (commit_id, series, at, p)
                   select ?, id, ?, ? from series where suite = ? and metric = ?";
        let mut statement = self.db.prepare_cached(sql)?;
        for (metric, p) in found {
            statement.execute(params![commit, now.as_second(), p, suite.id, metric])?;
        }
        Ok(())
    }

    /// The kpis that any test found on a commit of this tree.
    ///
    /// # Errors
    /// Of the database.
    pub fn tested(&self, tree: &str, commit: &str) -> Result<Vec<Tested>, StoreError> {
        let sql = "select s.suite, s.metric, t.p from tested t join series s on s.id = t.series
                   join suite u on u.id = s.suite where t.commit_id = ? and u.tree = ? order by s.id";
        let mut statement = self.db.prepare_cached(sql)?;
        let rows = statement.query_map([commit, tree], |r| {
            Ok(Tested { suite: r.get(0)?, metric: r.get(1)?, p: r.get(2)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
