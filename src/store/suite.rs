//! One test on one machine: what can be compared over time, and the order of its commits.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};
use sha2::{Digest, Sha256};

use super::message::json;
use super::{StoreError, Tx};
use crate::bench::{Commit, Environment, Notification};

/// One test on one machine, with its parameters and facts, on one branch of a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Suite {
    /// Row.
    pub id: i64,
    /// Readable: `tree/branch test-version k=v/k=v @machine`, with a hash of the machine's facts where it has more than a name.
    pub key: String,
    /// Tree name.
    pub tree: String,
    /// Branch.
    pub branch: String,
    /// Test name.
    pub test: String,
    /// Version of the benchmark.
    pub version: Option<String>,
    /// Test parameters.
    pub parameters: BTreeMap<String, String>,
    /// The machine and what was installed on it.
    pub environment: Environment,
    /// Whether its commits are ordered by their dates; by first measurement otherwise.
    pub by_date: bool,
}

impl Suite {
    /// The suite of one side's runs; not stored yet.
    fn of(n: &Notification, environment: &Environment, by_date: bool) -> Self {
        let mut suite = Self {
            id: 0,
            key: String::new(),
            tree: n.tree.name.clone(),
            branch: n.tree.branch.clone(),
            test: n.test.name.clone(),
            version: n.test.version.clone(),
            parameters: n.test.parameters.clone(),
            environment: environment.clone(),
            by_date,
        };
        suite.key = suite.name();
        suite
    }

    fn name(&self) -> String {
        let version = self.version.as_ref().map_or_else(String::new, |v| format!("-{v}"));
        let mut key = format!("{}/{} {}{version}", self.tree, self.branch, self.test);
        let parameters: Vec<String> =
            self.parameters.iter().map(|(k, v)| format!("{k}={v}")).collect();
        if !parameters.is_empty() {
            key += &format!(" {}", parameters.join("/"));
        }
        key += &format!(" @{}", self.environment.machine);
        format!("{key}~{}", self.hash())
    }

    /// Names may hold any character: suites that read the same, and machines of one name, differ in this.
    fn hash(&self) -> String {
        let mut text = format!("{}\0{}\0{}\0{:?}", self.tree, self.branch, self.test, self.version);
        let facts = self.environment.facts();
        for (key, value) in self
            .parameters
            .iter()
            .map(|(k, v)| (k.as_str(), v.as_str()))
            .chain([("", "")])
            .chain(facts)
        {
            text += &format!("\0{key}\0{value}");
        }
        Sha256::digest(text).iter().take(4).map(|b| format!("{b:02x}")).collect()
    }
}

const COLUMNS: &str = "id, key, tree, branch, test, version, parameters, environment, by_date";

impl Tx<'_> {
    /// The suite of a notification's head, where it is stored.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn suite_of(&self, n: &Notification) -> Result<Option<Suite>, StoreError> {
        let environment = n.head_environment.as_ref().unwrap_or(&n.environment);
        self.suite_by_key(&Suite::of(n, environment, false).key)
    }

    fn suite_by_key(&self, key: &str) -> Result<Option<Suite>, StoreError> {
        let sql = format!("select {COLUMNS} from suite where key = ?");
        let mut statement = self.db.prepare_cached(&sql)?;
        statement.query_row([key], |r| Ok(decode(r))).optional()?.transpose()
    }

    /// All suites, by key.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn suites(&self) -> Result<Vec<Suite>, StoreError> {
        let sql = format!("select {COLUMNS} from suite order by key");
        let mut statement = self.db.prepare_cached(&sql)?;
        let rows = statement.query_map([], |r| Ok(decode(r)))?;
        rows.collect::<Result<Vec<_>, _>>()?.into_iter().collect()
    }

    /// The other suites of the same test with the same parameters on the same tree and machine, those with most commits first:
    /// other branches, versions, or facts.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn sisters(&self, suite: &Suite) -> Result<Vec<(Suite, usize)>, StoreError> {
        let sql = format!(
            "select {COLUMNS}, (select count(*) from measured m where m.suite = suite.id) as commits
             from suite where tree = ? and test = ? and parameters = ? and id <> ? order by commits desc, id desc limit 50"
        );
        let mut statement = self.db.prepare_cached(&sql)?;
        let key = params![suite.tree, suite.test, json(&suite.parameters)?, suite.id];
        let rows = statement.query_map(key, |r| Ok((decode(r), r.get::<_, u32>("commits")?)))?;
        let mut found = Vec::new();
        for row in rows {
            let (other, commits) = row?;
            let other = other?;
            if other.environment.machine == suite.environment.machine {
                found.push((other, commits as usize));
            }
        }
        Ok(found)
    }

    /// The suite of one side, made when it is new.
    pub(super) fn suite(
        &mut self,
        n: &Notification,
        environment: &Environment,
    ) -> Result<Suite, StoreError> {
        let dated = n.head.date.as_deref().or(n.base.date.as_deref()).and_then(second);
        let mut suite = Suite::of(n, environment, dated.is_some());
        if let Some(known) = self.suite_by_key(&suite.key)? {
            return Ok(known);
        }
        self.db.execute(
            "insert into suite (key, tree, branch, test, version, parameters, environment, by_date)
             values (?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                suite.key,
                suite.tree,
                suite.branch,
                suite.test,
                suite.version,
                json(&suite.parameters)?,
                json(&suite.environment)?,
                suite.by_date
            ],
        )?;
        suite.id = self.db.last_insert_rowid();
        Ok(suite)
    }

    /// The row of a commit in the order of its suite, made when it is new; its place.
    ///
    /// `not_before` is the place of a commit that it follows, `date` stands in where the commit has none.
    pub(super) fn measured(
        &mut self,
        suite: &Suite,
        commit: &Commit,
        date: Option<&str>,
        not_before: Option<i64>,
        now: Timestamp,
    ) -> Result<(i64, i64), StoreError> {
        let sql = "select id, place, about from measured where suite = ? and commit_id = ?";
        let known = self
            .db
            .prepare_cached(sql)?
            .query_row(params![suite.id, commit.commit], |r| {
                Ok((r.get(0)?, r.get(1)?, r.get::<_, String>(2)?))
            })
            .optional()?;
        if let Some((id, place, about)) = known {
            let about: Commit = serde_json::from_str(&about)
                .map_err(|e| StoreError::row(format!("measured {id}"), e))?;
            // The base of one mail is the head of another, which tells more of it.
            let richer = (about.subject.is_none() && commit.subject.is_some())
                || (about.author.is_none() && commit.author.is_some());
            if richer {
                let sql = "update measured set about = ? where id = ?";
                self.db.execute(sql, params![json(commit)?, id])?;
            }
            return Ok((id, place));
        }
        let own = commit.date.as_deref().or(date).and_then(second).filter(|_| suite.by_date);
        // A clock that runs ahead must not put a commit behind all that will ever come.
        let own = own.map(|place| place.min(now.as_second()));
        let place = match own {
            Some(place) => place,
            None => self
                .db
                .query_row("select max(place) from measured where suite = ?", [suite.id], |r| {
                    r.get::<_, Option<i64>>(0)
                })?
                .unwrap_or_else(|| now.as_second()),
        };
        let place = place.max(not_before.unwrap_or(place));
        self.db.execute(
            "insert into measured (suite, commit_id, place, at, about) values (?, ?, ?, ?, ?)",
            params![suite.id, commit.commit, place, now.as_second(), json(commit)?],
        )?;
        Ok((self.db.last_insert_rowid(), place))
    }

    /// Remembers that a step was acted on.
    ///
    /// # Errors
    /// Of the database.
    pub fn put_step(
        &mut self,
        suite: &Suite,
        commit: &str,
        metrics: &[String],
        message: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.db.execute(
            "insert or ignore into step (suite, measured, message, at, metrics)
             select suite, id, ?, ?, ? from measured where suite = ? and commit_id = ?",
            params![message, now.as_second(), json(&metrics)?, suite.id, commit],
        )?;
        Ok(())
    }

    /// First bad commits of the steps that were acted on.
    ///
    /// # Errors
    /// Of the database.
    pub fn steps(&self, suite: &Suite) -> Result<Vec<String>, StoreError> {
        let sql =
            "select m.commit_id from step s join measured m on m.id = s.measured where s.suite = ?
                   order by m.place, m.id";
        let mut statement = self.db.prepare_cached(sql)?;
        let rows = statement.query_map([suite.id], |r| r.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// RFC 3339 or `YYYY-MM-DD`, as unix seconds.
fn second(date: &str) -> Option<i64> {
    let date = date.trim();
    if let Ok(at) = date.parse::<Timestamp>() {
        return Some(at.as_second());
    }
    let day: jiff::civil::Date = date.parse().ok()?;
    Some(jiff::tz::Offset::UTC.to_timestamp(day.at(0, 0, 0, 0)).ok()?.as_second())
}

fn decode(r: &Row<'_>) -> Result<Suite, StoreError> {
    let id: i64 = r.get("id")?;
    let bad = |e: serde_json::Error| StoreError::row(format!("suite {id}"), e);
    Ok(Suite {
        id,
        key: r.get("key")?,
        tree: r.get("tree")?,
        branch: r.get("branch")?,
        test: r.get("test")?,
        version: r.get("version")?,
        parameters: serde_json::from_str(&r.get::<_, String>("parameters")?).map_err(bad)?,
        environment: serde_json::from_str(&r.get::<_, String>("environment")?).map_err(bad)?,
        by_date: r.get("by_date")?,
    })
}
