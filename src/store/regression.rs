//! Tracked regressions and their logs.

use rusqlite::{OptionalExtension, params};

use super::message::{json, word};
use super::{StoreError, Tx};
use crate::regression::{Entry, Happening, Regression, RegressionId};

impl Tx<'_> {
    /// Appends an entry to a log and stores the new standing. An opening makes the regression.
    ///
    /// # Errors
    /// Of the database; [`StoreError::Row`] when the first entry of a log is not an opening.
    pub fn append(&mut self, id: &RegressionId, entry: &Entry) -> Result<Regression, StoreError> {
        let regression = match self.regression(id)? {
            None => Regression::open(entry)
                .ok_or_else(|| StoreError::row(format!("regression {id}"), "does not exist"))?,
            Some(_) if matches!(entry.what, Happening::Undone { .. }) => {
                let mut log = self.entries(id)?;
                log.push(entry.clone());
                if let Happening::Undone { entry } = entry.what
                    && let Some(Happening::OptedOut { email, all: true }) =
                        entry.checked_sub(1).and_then(|n| log.get(n)).map(|e| &e.what)
                {
                    self.drop_opt_out(email)?;
                }
                Regression::fold(&log).ok_or_else(|| {
                    StoreError::row(format!("regression {id}"), "its opening was undone")
                })?
            }
            Some(mut regression) => {
                regression.apply(entry);
                regression
            }
        };
        self.put_regression(&regression)?;
        self.db.execute(
            "insert into entry values (?, ?, ?, ?, ?)",
            params![
                id.as_str(),
                i64::try_from(regression.entries).unwrap_or(i64::MAX),
                entry.at.as_second(),
                entry.cause.message(),
                json(entry)?
            ],
        )?;
        Ok(regression)
    }

    fn put_regression(&mut self, r: &Regression) -> Result<(), StoreError> {
        self.db.execute(
            "insert into regression values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
             on conflict (id) do update set state = excluded.state, closed = excluded.closed, title = excluded.title,
                 commit_id = excluded.commit_id, since = excluded.since, touched = excluded.touched,
                 folded = excluded.folded",
            params![
                r.id().as_str(),
                r.state.as_str(),
                r.is_closed(),
                word(&r.about.kind)?,
                r.about.title,
                r.about.ours,
                r.about.report,
                r.about.commit,
                r.about.series(),
                r.opened.as_second(),
                r.since.as_second(),
                r.touched.as_second(),
                json(r)?
            ],
        )?;
        self.put_marks(r)
    }

    /// One regression by id.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn regression(&self, id: &RegressionId) -> Result<Option<Regression>, StoreError> {
        let mut statement = self.db.prepare_cached("select folded from regression where id = ?")?;
        let folded: Option<String> = statement.query_row([id.as_str()], |r| r.get(0)).optional()?;
        folded.map(|text| decode(&text)).transpose()
    }

    /// All of them, most recently touched first; only those not closed unless `closed`.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn regressions(&self, closed: bool) -> Result<Vec<Regression>, StoreError> {
        self.select("closed <= ? order by touched desc, id", [i64::from(closed)])
    }

    /// Those not closed whose culprit is `commit` (either may be abbreviated to 8 digits or more).
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn regressions_of_commit(&self, commit: &str) -> Result<Vec<Regression>, StoreError> {
        if commit.len() < 8 || !commit.is_ascii() {
            return self.select("closed = 0 and commit_id = ? order by opened", [commit]);
        }
        let near = self.select(
            "closed = 0 and commit_id >= ?1 and commit_id < ?1 || 'g' order by opened",
            [&commit[..8]],
        )?;
        let same = |r: &Regression| {
            r.about
                .commit
                .as_deref()
                .is_some_and(|c| c.starts_with(commit) || commit.starts_with(c))
        };
        Ok(near.into_iter().filter(same).collect())
    }

    /// Those not closed about the same test, machine, parameters and metric.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn regressions_of_series(&self, series: &str) -> Result<Vec<Regression>, StoreError> {
        self.select("closed = 0 and series = ? order by opened", [series])
    }

    /// All of ours about one test on one machine, closed or not: those whose series begins with `prefix`.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn regressions_of_suite(&self, prefix: &str) -> Result<Vec<Regression>, StoreError> {
        let clause = "ours = 1 and substr(series, 1, length(?1)) = ?1 order by opened";
        self.select(clause, [prefix])
    }

    /// The log of a regression, in order.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn entries(&self, id: &RegressionId) -> Result<Vec<Entry>, StoreError> {
        let mut statement =
            self.db.prepare_cached("select json from entry where regression = ? order by seq")?;
        let rows = statement.query_map([id.as_str()], |r| r.get::<_, String>(0))?;
        let mut log = Vec::new();
        for row in rows {
            let text = row?;
            let entry = serde_json::from_str(&text)
                .map_err(|e| StoreError::row(format!("entry {} of {id}", log.len() + 1), e))?;
            log.push(entry);
        }
        Ok(log)
    }

    fn select<P: rusqlite::Params>(
        &self,
        clause: &str,
        params: P,
    ) -> Result<Vec<Regression>, StoreError> {
        let mut statement =
            self.db.prepare_cached(&format!("select folded from regression where {clause}"))?;
        let rows = statement.query_map(params, |r| r.get::<_, String>(0))?;
        rows.map(|row| decode(&row?)).collect()
    }
}

fn decode(text: &str) -> Result<Regression, StoreError> {
    serde_json::from_str(text).map_err(|e| StoreError::row("regression", e))
}
