//! Series: one metric of a suite, found by name.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use super::message::word;
use super::suite::Suite;
use super::{StoreError, Tx};
use crate::bench::{Direction, Knowledge, Metric, Unit};
use crate::stats::Class;

/// One metric of one test on one machine, over the commits of a branch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Series {
    /// Row: a short name for it.
    pub id: i64,
    /// Readable and unique: the suite's key, then the metric.
    pub key: String,
    /// The suite's row.
    pub suite: i64,
    /// Metric name.
    pub metric: String,
    /// Unit of all its runs.
    pub unit: Option<String>,
    /// Which way is better, where known.
    pub direction: Option<Direction>,
    /// Whether it may raise a report.
    pub class: Class,
    /// Commits that were measured.
    pub commits: usize,
    /// First measurement.
    pub first: Option<Timestamp>,
    /// Last measurement.
    pub last: Option<Timestamp>,
}

const SELECT: &str =
    "select s.id, u.key || ' ' || s.metric as name, s.suite, s.metric, s.unit, s.direction, s.class,
            count(distinct p.measured) as commits, min(p.at) as first, max(p.at) as last
     from series s join suite u on u.id = s.suite left join point p on p.series = s.id";

impl Tx<'_> {
    /// All series, by key.
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn all_series(&self) -> Result<Vec<Series>, StoreError> {
        let sql = format!("{SELECT} group by s.id order by name");
        let mut statement = self.db.prepare_cached(&sql)?;
        let rows = statement.query_map([], |r| Ok(decode(r)))?;
        rows.collect::<Result<Vec<_>, _>>()?.into_iter().collect()
    }

    /// The series that a person means: by number, by key, by metric, or else every one whose key has all words of `name` (case
    /// does not matter).
    ///
    /// # Errors
    /// Of the database, or a row that does not decode.
    pub fn series_named(&self, name: &str) -> Result<Vec<Series>, StoreError> {
        let mut all = self.all_series()?;
        let whole: [&dyn Fn(&Series) -> bool; 3] =
            [&|s| name.parse().is_ok_and(|id: i64| id == s.id), &|s| s.key == name, &|s| {
                s.metric == name
            }];
        for is in whole {
            if all.iter().filter(|s| is(s)).count() == 1 {
                all.retain(|s| is(s));
                return Ok(all);
            }
        }
        let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
        all.retain(|s| {
            let key = s.key.to_lowercase();
            words.iter().all(|word| key.contains(word.as_str()))
        });
        Ok(all)
    }

    /// The row of a metric, made when it is new, and the factor that brings its runs to the unit of the series. `None` when the
    /// units measure different things.
    pub(super) fn series_of(
        &mut self,
        suite: &Suite,
        metric: &Metric,
        knowledge: &Knowledge,
    ) -> Result<Option<(i64, f64)>, StoreError> {
        let resolved = knowledge.resolve_metric(metric);
        let sql = "select id, unit, direction, class from series where suite = ? and metric = ?";
        let known: Option<(i64, Option<String>, Option<String>, String)> = self
            .db
            .prepare_cached(sql)?
            .query_row(params![suite.id, metric.name], |r| {
                Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?))
            })
            .optional()?;
        let direction = resolved.direction.as_ref().map(word).transpose()?;
        let class = word(&resolved.class)?;
        let Some((id, unit, old_direction, old_class)) = known else {
            let sql =
                "insert into series (suite, metric, unit, direction, class) values (?, ?, ?, ?, ?)";
            self.db.prepare_cached(sql)?.execute(params![
                suite.id,
                metric.name,
                resolved.unit,
                direction,
                class
            ])?;
            return Ok(Some((self.db.last_insert_rowid(), 1.0)));
        };
        let Some(factor) = Unit::factor(resolved.unit.as_deref(), unit.as_deref()) else {
            return Ok(None);
        };
        let direction = direction.or_else(|| old_direction.clone());
        if direction != old_direction
            || class != old_class
            || unit.is_none() && resolved.unit.is_some()
        {
            let sql =
                "update series set direction = ?, class = ?, unit = coalesce(unit, ?) where id = ?";
            self.db.execute(sql, params![direction, class, resolved.unit, id])?;
        }
        Ok(Some((id, factor)))
    }
}

fn decode(r: &Row<'_>) -> Result<Series, StoreError> {
    let id: i64 = r.get("id")?;
    let bad = |what: &str| StoreError::row(format!("series {id}"), what);
    let time = |second: Option<i64>| {
        second.map(Timestamp::from_second).transpose().map_err(|_| bad("a time out of range"))
    };
    let direction: Option<String> = r.get("direction")?;
    let direction = direction
        .map(|text| serde_json::from_value(text.into()).map_err(|_| bad("an unknown direction")));
    let class: String = r.get("class")?;
    Ok(Series {
        id,
        key: r.get("name")?,
        suite: r.get("suite")?,
        metric: r.get("metric")?,
        unit: r.get("unit")?,
        direction: direction.transpose()?,
        class: serde_json::from_value(class.into()).map_err(|_| bad("an unknown class"))?,
        commits: r.get::<_, u32>("commits")? as usize,
        first: time(r.get("first")?)?,
        last: time(r.get("last")?)?,
    })
}
