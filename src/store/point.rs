//! Points: the runs of a series on a commit.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::params;

use super::message::json;
use super::suite::Suite;
use super::{Series, StoreError, Tx};
use crate::bench::{Commit, Knowledge, Metric, Notification};
use crate::stats::{Class, Past, Spot};

/// One commit of a series.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredPoint {
    /// As the lab told it.
    pub commit: Commit,
    /// When it was first measured.
    pub measured: Timestamp,
    /// All its runs, rounds in the order in which they came.
    pub spot: Spot,
    /// Keys of the mails that brought them.
    pub messages: Vec<String>,
}

/// How far back a history is read, in commits.
#[derive(Debug, Clone, Copy)]
pub struct Reach {
    /// For kpis.
    pub kpis: usize,
    /// For monitors, of which there are thousands.
    pub monitors: usize,
}

impl Default for Reach {
    fn default() -> Self {
        Self { kpis: 120, monitors: 30 }
    }
}

impl Tx<'_> {
    /// Stores both sides of a notification as points of their series, base first. Runs that are stored already are not stored
    /// again, whichever mail brings them; further runs of a commit are a further round on builds of its own.
    ///
    /// Gives the metrics that could not be stored, each with the reason.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn put_points(
        &mut self,
        n: &Notification,
        knowledge: &Knowledge,
        message: &str,
        now: Timestamp,
    ) -> Result<Vec<String>, StoreError> {
        let mut defects = Vec::new();
        let mut before = None;
        let head = n.head_environment.as_ref().unwrap_or(&n.environment);
        let measured = |runs: fn(&Metric) -> &[Option<f64>]| {
            n.metrics.iter().any(|metric| !runs(metric).is_empty())
        };
        if measured(|m| &m.base) && !n.base.is_unknown() {
            let suite = self.suite(n, &n.environment)?;
            // A base without a date stands right before its head.
            let date = n.head.date.as_deref();
            let (row, place) = self.measured(&suite, &n.base, date, None, now)?;
            before = Some(place);
            for metric in n.metrics.iter().filter(|m| !m.base.is_empty()) {
                let runs = (metric.base.as_slice(), metric.base_builds.as_deref());
                defects.extend(self.put_point(&suite, row, metric, runs, knowledge, message, now)?);
            }
        }
        if measured(|m| &m.head) {
            let suite = self.suite(n, head)?;
            let (row, _) = self.measured(&suite, &n.head, None, before, now)?;
            for metric in n.metrics.iter().filter(|m| !m.head.is_empty()) {
                let runs = (metric.head.as_slice(), metric.head_builds.as_deref());
                defects.extend(self.put_point(&suite, row, metric, runs, knowledge, message, now)?);
            }
        }
        Ok(defects)
    }

    #[expect(clippy::too_many_arguments, reason = "a row has as many columns")]
    fn put_point(
        &mut self,
        suite: &Suite,
        measured: i64,
        metric: &Metric,
        (runs, builds): (&[Option<f64>], Option<&[u32]>),
        knowledge: &Knowledge,
        message: &str,
        now: Timestamp,
    ) -> Result<Option<String>, StoreError> {
        let Some((series, factor)) = self.series_of(suite, metric, knowledge)? else {
            let unit = metric.unit.as_deref().unwrap_or("none");
            return Ok(Some(format!(
                "{} is not stored: its unit {unit} is not one of its history",
                metric.name
            )));
        };
        let runs: Vec<Option<f64>> =
            runs.iter().map(|run| run.map(|value| value * factor)).collect();
        let known = self.rounds(series, measured)?;
        let last = known.last().map_or(0, |(number, _)| *number);
        // Labs send the runs of a base again with every head, and lists of runs that grow.
        let text = json(&runs)?;
        if known.iter().any(|(_, known)| continues(known, &text)) {
            return Ok(None);
        }
        let grown = known.iter().find(|(_, known)| continues(&text, known));
        let number = grown.map_or(last + 1, |(number, _)| *number);
        let sql =
            "insert or replace into point (series, measured, round, message, at, runs, builds)
                   values (?, ?, ?, ?, ?, ?, ?)";
        self.db.prepare_cached(sql)?.execute(params![
            series,
            measured,
            number,
            message,
            now.as_second(),
            text,
            builds.map(|builds| json(&builds)).transpose()?
        ])?;
        Ok(None)
    }

    /// Number and runs (as they are written) of the rounds of a commit.
    fn rounds(&self, series: i64, measured: i64) -> Result<Vec<(i64, String)>, StoreError> {
        let sql = "select round, runs from point where series = ? and measured = ? order by round";
        let mut statement = self.db.prepare_cached(sql)?;
        let rows =
            statement.query_map(params![series, measured], |r| Ok((r.get(0)?, r.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The last commits of a series, oldest first.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn history(&self, series: &Series, limit: usize) -> Result<Vec<StoredPoint>, StoreError> {
        let (commits, oldest) = self.commits(series.suite, None, limit)?;
        let mut points: Vec<Option<StoredPoint>> = vec![None; commits.len()];
        let places: HashMap<i64, usize> =
            commits.iter().enumerate().map(|(i, (id, _))| (*id, i)).collect();
        for round in self.rounds_since(series.id, oldest)? {
            let Some(&i) = places.get(&round.measured) else { continue };
            let at = Timestamp::from_second(round.at).map_err(|_| {
                StoreError::row(format!("point of series {}", series.id), "a time out of range")
            })?;
            let point = points[i].get_or_insert_with(|| StoredPoint {
                commit: commits[i].1.clone(),
                measured: at,
                spot: Spot { at: i, ..Spot::default() },
                messages: Vec::new(),
            });
            point.spot.join(&round.runs, round.builds.as_deref());
            point.messages.push(round.message);
        }
        Ok(points.into_iter().flatten().collect())
    }

    fn rounds_since(&self, series: i64, oldest: i64) -> Result<Vec<Round>, StoreError> {
        let sql = "select measured, message, at, runs, builds from point
                   where series = ? and measured >= ? order by measured, round";
        let mut statement = self.db.prepare_cached(sql)?;
        let rows = statement.query_map(params![series, oldest], |r| {
            let texts: (String, Option<String>) = (r.get(3)?, r.get(4)?);
            Ok((r.get(0)?, r.get(1)?, r.get(2)?, texts))
        })?;
        let mut rounds = Vec::new();
        for row in rows {
            let (measured, message, at, (runs, builds)) = row?;
            let bad = |e: serde_json::Error| {
                StoreError::row(format!("point of series {series}, measured {measured}"), e)
            };
            let runs = serde_json::from_str(&runs).map_err(bad)?;
            let builds = builds.map(|text| serde_json::from_str(&text).map_err(bad)).transpose()?;
            rounds.push(Round { measured, message, at, runs, builds });
        }
        Ok(rounds)
    }

    /// `(row, commit)` of the last commits of a suite up to `until`, oldest first, and the smallest row among them.
    fn commits(
        &self,
        suite: i64,
        until: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<(i64, Commit)>, i64), StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let sql = "select id, about from measured m where suite = ?1 and
                   (?2 is null or (place, id) <= (select place, id from measured where suite = ?1 and commit_id = ?2))
                   order by place desc, id desc limit ?3";
        let mut statement = self.db.prepare_cached(sql)?;
        let rows = statement.query_map(params![suite, until, limit], |r| {
            Ok((r.get::<_, i64>(0)?, r.get::<_, String>(1)?))
        })?;
        let mut commits = Vec::new();
        for row in rows {
            let (id, about) = row?;
            let commit = serde_json::from_str(&about)
                .map_err(|e| StoreError::row(format!("measured {id}"), e))?;
            commits.push((id, commit));
        }
        commits.reverse();
        let oldest = commits.iter().map(|(id, _)| *id).min().unwrap_or(i64::MAX);
        Ok((commits, oldest))
    }

    /// All metrics of a suite over its last commits, up to `until` where that is given.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn past(
        &self,
        suite: &Suite,
        until: Option<&str>,
        reach: Reach,
    ) -> Result<Past, StoreError> {
        let (commits, oldest) = self.commits(suite.id, until, reach.kpis)?;
        let recent = &commits[commits.len().saturating_sub(reach.monitors)..];
        let recent = recent.iter().map(|(id, _)| *id).min().unwrap_or(i64::MAX);
        let mut past = Past::default();
        let places: HashMap<i64, usize> =
            commits.iter().map(|(id, commit)| (*id, past.commit(commit))).collect();
        let recent_place = commits.len().saturating_sub(reach.monitors);
        for (id, metric, class) in self.metrics(suite)? {
            let (since, first) = match class {
                Class::Monitor if reach.monitors == 0 => continue,
                Class::Kpi => (oldest, 0),
                Class::Monitor => (recent, recent_place),
            };
            for round in self.rounds_since(id, since)? {
                if let Some(&at) = places.get(&round.measured).filter(|at| **at >= first) {
                    past.add(at, &metric, &round.runs, round.builds.as_deref());
                }
            }
        }
        Ok(past)
    }

    fn metrics(&self, suite: &Suite) -> Result<Vec<(i64, Metric, Class)>, StoreError> {
        let sql =
            "select id, metric, unit, direction, class from series where suite = ? order by id";
        let mut statement = self.db.prepare_cached(sql)?;
        let rows = statement.query_map([suite.id], |r| {
            let words: (Option<String>, String) = (r.get(3)?, r.get(4)?);
            Ok((r.get::<_, i64>(0)?, r.get(1)?, r.get(2)?, words))
        })?;
        let mut metrics = Vec::new();
        for row in rows {
            let (id, name, unit, (direction, class)) = row?;
            let bad = |_| StoreError::row(format!("series {id}"), "an unknown direction or class");
            let direction = direction
                .map(|text| serde_json::from_value(text.into()))
                .transpose()
                .map_err(bad)?;
            let class: Class = serde_json::from_value(class.into()).map_err(bad)?;
            let kpi = Some(class == Class::Kpi);
            metrics.push((id, Metric { name, unit, direction, kpi, ..Metric::default() }, class));
        }
        Ok(metrics)
    }
}

/// One row.
struct Round {
    measured: i64,
    message: String,
    at: i64,
    runs: Vec<Option<f64>>,
    builds: Option<Vec<u32>>,
}

/// Whether a JSON list begins with all of another that is not empty. Texts are compared: numbers may change in the last digit
/// when they are read.
fn continues(longer: &str, shorter: &str) -> bool {
    let stem = shorter.strip_suffix(']').unwrap_or(shorter);
    longer.strip_prefix(stem).is_some_and(|rest| rest.starts_with([',', ']']))
}
