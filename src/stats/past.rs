//! What was measured before: all metrics of one test on one machine, over its commits.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::bench::{Commit, Knowledge, Metric, Notification, Reading, Unit};
use crate::report::Point;

use super::blank::present;
use super::noise::{Measured, noise, prior};
use super::numeric::median;
use super::prior::{Noise, Prior};

/// Earlier results of one test on one machine, oldest commit first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Past {
    commits: Vec<Commit>,
    tracks: BTreeMap<String, Track>,
}

/// One metric of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Track {
    /// Name, unit, direction and class; without runs.
    pub metric: Metric,
    /// Where it was measured, in the order of the commits.
    pub spots: Vec<Spot>,
}

/// The runs of one metric on one commit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spot {
    /// Index of the commit.
    pub at: usize,
    /// In run order; a missing run is `None`.
    pub runs: Vec<Option<f64>>,
    /// For each run the index of its build.
    pub builds: Vec<u32>,
}

impl Spot {
    /// Median of the runs that came back.
    pub fn median(&self) -> Option<f64> {
        median(&present(&self.runs))
    }

    /// Adds a round: its builds are counted on. Runs that are here already are not counted again, and runs that continue those
    /// that are here take their place.
    pub fn join(&mut self, runs: &[Option<f64>], builds: Option<&[u32]>) {
        if self.runs.starts_with(runs) {
            return;
        }
        let own = builds.filter(|b| b.len() == runs.len()).map(dense);
        let own = own.unwrap_or_else(|| vec![0; runs.len()]);
        if runs.starts_with(&self.runs) {
            (self.runs, self.builds) = (runs.to_vec(), own);
            return;
        }
        let next = self.builds.iter().max().map_or(0, |last| last + 1);
        self.runs.extend_from_slice(runs);
        self.builds.extend(own.into_iter().map(|build| build + next));
    }

    /// The runs of each build.
    fn rounds(&self) -> Vec<Vec<Option<f64>>> {
        if self.builds.windows(2).all(|pair| pair[0] == pair[1]) {
            return vec![self.runs.clone()];
        }
        let mut rounds: BTreeMap<u32, Vec<Option<f64>>> = BTreeMap::new();
        for (run, build) in self.runs.iter().zip(&self.builds) {
            rounds.entry(*build).or_default().push(*run);
        }
        rounds.into_values().collect()
    }
}

impl Past {
    /// What readings of earlier results tell, oldest first.
    ///
    /// A reading of several columns holds a commit a column (a table with a `commit` column); one of a single column is one
    /// commit, by its label or else by its place.
    pub fn of_readings(readings: &[Reading]) -> Self {
        let mut past = Self::default();
        past.extend(readings);
        past
    }

    /// Adds readings behind what is known.
    pub fn extend(&mut self, readings: &[Reading]) {
        for reading in readings {
            for column in &reading.columns {
                let next = self.commits.len() + 1;
                let commit = column.label.clone().unwrap_or_else(|| format!("#{next}"));
                let at = self.commit(&Commit { commit, ..Commit::default() });
                for row in &column.rows {
                    let metric = Metric {
                        name: row.name.clone(),
                        unit: row.unit.clone(),
                        direction: row.direction,
                        kpi: row.kpi,
                        ..Metric::default()
                    };
                    self.add(at, &metric, &row.runs, None);
                }
            }
        }
    }

    /// Adds both sides of a notification, base first.
    pub fn add_notification(&mut self, notification: &Notification) {
        let sides = [&notification.base, &notification.head];
        for (side, commit) in sides.into_iter().enumerate().filter(|(_, c)| !c.is_unknown()) {
            let at = self.commit(commit);
            for metric in &notification.metrics {
                let (runs, builds) = match side {
                    0 => (&metric.base, metric.base_builds.as_deref()),
                    _ => (&metric.head, metric.head_builds.as_deref()),
                };
                if !runs.is_empty() {
                    self.add(at, metric, runs, builds);
                }
            }
        }
    }

    /// The place of a commit; a new one is the newest.
    pub fn commit(&mut self, commit: &Commit) -> usize {
        self.place(&commit.commit).unwrap_or_else(|| {
            self.commits.push(commit.clone());
            self.commits.len() - 1
        })
    }

    /// Adds runs of a metric on a commit, in the unit that its first runs had; those that do not convert are left out.
    pub fn add(
        &mut self,
        at: usize,
        metric: &Metric,
        runs: &[Option<f64>],
        builds: Option<&[u32]>,
    ) {
        let track = self.tracks.entry(metric.name.clone()).or_insert_with(|| {
            let (name, unit) = (metric.name.clone(), metric.unit.clone());
            let (direction, kpi) = (metric.direction, metric.kpi);
            let metric = Metric { name, unit, direction, kpi, ..Metric::default() };
            Track { metric, spots: Vec::new() }
        });
        let runs = match Unit::factor(metric.unit.as_deref(), track.metric.unit.as_deref()) {
            Some(1.0) => Cow::Borrowed(runs),
            Some(factor) => runs.iter().map(|run| run.map(|value| value * factor)).collect(),
            None => return,
        };
        let runs = runs.as_ref();
        let place = track.spots.partition_point(|spot| spot.at < at);
        match track.spots.get_mut(place).filter(|spot| spot.at == at) {
            Some(spot) => spot.join(runs, builds),
            None => {
                let mut spot = Spot { at, ..Spot::default() };
                spot.join(runs, builds);
                track.spots.insert(place, spot);
            }
        }
    }

    /// The commits, oldest first.
    pub fn commits(&self) -> &[Commit] {
        &self.commits
    }

    /// Where a commit stands.
    pub fn place(&self, commit: &str) -> Option<usize> {
        self.commits.iter().rposition(|known| known.commit == commit)
    }

    /// Every metric.
    pub fn tracks(&self) -> impl Iterator<Item = &Track> {
        self.tracks.values()
    }

    /// One metric.
    pub fn track(&self, metric: &str) -> Option<&Track> {
        self.tracks.get(metric)
    }

    /// Places of the commits before the notification's head, without its base.
    pub fn before(&self, notification: &Notification) -> impl Fn(usize) -> bool + use<> {
        let base = self.place(&notification.base.commit);
        let end = self.place(&notification.head.commit).unwrap_or(self.commits.len());
        move |at| at < end && Some(at) != base
    }

    /// Places of the commits before a head.
    pub fn until(&self, head: &str) -> impl Fn(usize) -> bool + use<> {
        let end = self.place(head).unwrap_or(self.commits.len());
        move |at| at < end
    }

    /// What the commits before those under test teach about noise. Every build counts as a measurement of its own.
    pub fn prior(&self, notification: &Notification, knowledge: &Knowledge) -> Prior {
        self.prior_of(self.before(notification), knowledge)
    }

    pub(super) fn prior_of(&self, wanted: impl Fn(usize) -> bool, knowledge: &Knowledge) -> Prior {
        let histories: Vec<(&Track, Vec<Measured>)> =
            self.tracks.values().map(|track| (track, Self::builds(track, &wanted))).collect();
        prior(histories.iter().map(|(track, history)| {
            let resolved = knowledge.resolve_metric(&track.metric);
            let name = track.metric.name.as_str();
            (name, history.as_slice(), resolved.bounded, resolved.noise)
        }))
    }

    /// What all commits teach about one metric; `None` while they are few.
    pub fn noise(&self, metric: &str, knowledge: &Knowledge) -> Option<Noise> {
        let track = self.tracks.get(metric)?;
        let resolved = knowledge.resolve_metric(&track.metric);
        noise(&Self::builds(track, |_| true), resolved.bounded, resolved.noise)
    }

    /// Each build of each commit. Their names teach nothing, and there are thousands of series: they stay empty.
    fn builds(track: &Track, wanted: impl Fn(usize) -> bool) -> Vec<Measured> {
        let spots = track.spots.iter().filter(|spot| wanted(spot.at));
        let builds = spots.flat_map(Spot::rounds);
        builds.map(|runs| Measured { commit: String::new(), runs }).collect()
    }

    /// The commits that have runs of a track, with their places.
    pub fn history(
        &self,
        track: &Track,
        wanted: impl Fn(usize) -> bool,
    ) -> (Vec<usize>, Vec<Measured>) {
        let spots = track.spots.iter().filter(|s| wanted(s.at) && s.median().is_some());
        spots
            .map(|spot| {
                let commit = self.commits[spot.at].commit.clone();
                (spot.at, Measured { commit, runs: spot.runs.clone() })
            })
            .unzip()
    }

    /// Medians of the last commits up to `until` (all of them where it is not known), oldest first.
    pub fn line(&self, metric: &str, until: Option<&str>, most: usize) -> Vec<Point> {
        let Some(track) = self.tracks.get(metric) else { return Vec::new() };
        let first = track.spots.first().map_or(0, |spot| spot.at);
        let end = until.and_then(|c| self.place(c)).map_or(self.commits.len(), |at| at + 1);
        let begin = first.max(end.saturating_sub(most));
        let value = |at: usize| {
            let spot = track.spots.binary_search_by_key(&at, |spot| spot.at).ok();
            spot.and_then(|i| track.spots[i].median())
        };
        (begin..end)
            .map(|at| Point { commit: self.commits[at].commit.clone(), value: value(at) })
            .collect()
    }
}

/// Indices without gaps: nobody says that builds are counted from 0.
fn dense(builds: &[u32]) -> Vec<u32> {
    let mut known = builds.to_vec();
    known.sort_unstable();
    known.dedup();
    builds.iter().map(|build| known.partition_point(|other| other < build) as u32).collect()
}
