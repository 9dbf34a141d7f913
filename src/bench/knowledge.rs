//! What is known of a metric before its numbers are looked at: direction, class, smallest effect that matters.
//!
//! Knowledge is data, `rules/metrics/*.toml`. What the file of results says itself wins; then the unit; then the patterns,
//! file by file in the order of their names and from the top, where the first that states an attribute decides it.

use regex::{RegexSet, RegexSetBuilder};
use serde::{Deserialize, Serialize};

use crate::stats::Class;

use super::problem::{Problem, clip};
use super::{Direction, Metric, Unit};

/// Metric knowledge, compiled.
#[derive(Debug, Clone)]
pub struct Knowledge {
    patterns: Vec<Pattern>,
    set: RegexSet,
}

#[derive(Debug, Clone)]
struct Pattern {
    file: String,
    line: usize,
    entry: Entry,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    metric: Vec<Entry>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    r#match: toml::Spanned<String>,
    #[serde(default)]
    unit: Option<String>,
    #[serde(default)]
    direction: Option<Direction>,
    #[serde(default)]
    class: Option<Class>,
    /// Smallest change that matters, in percent (points for a bounded metric).
    #[serde(default)]
    effect: Option<f64>,
    /// Smallest difference that matters, in the metric's unit.
    #[serde(default)]
    floor: Option<f64>,
    #[serde(default)]
    bounded: Option<bool>,
    /// Deterministic: the same build gives the same number.
    #[serde(default)]
    exact: Option<bool>,
    /// Build-to-build noise to allow for without history, in percent.
    #[serde(default)]
    noise: Option<f64>,
}

/// Who said so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The results themselves.
    Stated,
    /// The unit.
    Unit,
    /// A pattern, by its place in the list.
    Pattern(usize),
    /// Nobody: the documented default.
    Default,
}

/// What a name and a unit resolve to.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// Unit, as stated or by pattern.
    pub unit: Option<String>,
    /// Which way is better; `None` when nobody knows.
    pub direction: Option<Direction>,
    /// Whether it may raise a report.
    pub class: Class,
    /// Smallest change that matters, in percent of base; in points for a bounded metric.
    pub effect: f64,
    /// Smallest difference that matters, in the metric's unit; 0 for none.
    pub floor: f64,
    /// A percentage or share, compared in points.
    pub bounded: bool,
    /// Deterministic: any difference is real.
    pub exact: bool,
    /// Build-to-build noise to allow for without history, as a fraction.
    pub noise: f64,
    /// Who decided direction, class and effect.
    pub sources: [Source; 3],
}

/// Effects and noise where no pattern states one (`docs/statistics.md`, step 4).
mod default {
    pub(super) const HIGHER: f64 = 2.0;
    pub(super) const LOWER: f64 = 5.0;
    pub(super) const MONITOR: f64 = 5.0;
    pub(super) const EXACT: f64 = 0.2;
    pub(super) const NOISE: f64 = 0.5;
}

impl Knowledge {
    /// The knowledge that ships with regard.
    pub fn embedded() -> Self {
        // `tests/bench/knowledge.rs` reads every shipped file: this cannot fail in a build that passed.
        Self::read(crate::embedded::METRICS)
            .unwrap_or_else(|_| Self { patterns: Vec::new(), set: RegexSet::empty() })
    }

    /// Reads files of `(name, text)`; of two files with one name the later replaces the earlier.
    ///
    /// # Errors
    /// Every file that is not TOML of this shape, and every pattern that is no regular expression, with its line.
    pub fn read<N: AsRef<str>, T: AsRef<str>>(files: &[(N, T)]) -> Result<Self, Vec<Problem>> {
        let mut named = std::collections::BTreeMap::new();
        for (name, text) in files {
            if name.as_ref() != "units.toml" {
                named.insert(name.as_ref(), text.as_ref());
            }
        }
        let mut problems = Vec::new();
        let mut patterns = Vec::new();
        for (name, text) in named {
            let line = |at: usize| {
                1 + text.as_bytes()[..at.min(text.len())].iter().filter(|&&b| b == b'\n').count()
            };
            match toml::from_str::<File>(text) {
                Ok(file) => patterns.extend(file.metric.into_iter().map(|entry| Pattern {
                    file: name.to_owned(),
                    line: line(entry.r#match.span().start),
                    entry,
                })),
                Err(error) => {
                    let expected = "entries `[[metric]]` as in docs/formats.md";
                    let problem =
                        Problem::whole(name, "not-knowledge", clip(error.message()), expected);
                    problems.push(problem.on_line(line(error.span().map_or(0, |span| span.start))));
                }
            }
        }
        for pattern in &patterns {
            problems.extend(pattern.problem());
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let set =
            RegexSetBuilder::new(patterns.iter().map(|pattern| pattern.entry.r#match.get_ref()))
                .size_limit(64 << 20)
                .dfa_size_limit(16 << 20)
                .build()
                .map_err(|error| {
                    vec![Problem::whole(
                        "rules/metrics",
                        "not-knowledge",
                        clip(&error.to_string()),
                        "fewer or simpler patterns",
                    )]
                })?;
        Ok(Self { patterns, set })
    }

    /// What a bare name and unit mean.
    pub fn resolve(&self, name: &str, unit: Option<&str>) -> Resolved {
        self.resolve_stated(name, unit, None, None)
    }

    /// What a metric means; what it states itself wins.
    pub fn resolve_metric(&self, metric: &Metric) -> Resolved {
        self.resolve_stated(&metric.name, metric.unit.as_deref(), metric.direction, metric.kpi)
    }

    fn resolve_stated(
        &self,
        name: &str,
        unit: Option<&str>,
        direction: Option<Direction>,
        kpi: Option<bool>,
    ) -> Resolved {
        let hits: Vec<usize> = self.set.matches(name).into_iter().collect();
        let stated_unit = unit.map(str::to_owned);
        let unit = stated_unit
            .or_else(|| self.first(&hits, |entry| entry.unit.clone()).map(|(unit, _)| unit));
        let known = unit.as_deref().and_then(Unit::parse);

        let (direction, from_direction) =
            match (direction, known.as_ref().and_then(|unit| unit.direction)) {
                (Some(direction), _) => (Some(direction), Source::Stated),
                (None, Some(direction)) => (Some(direction), Source::Unit),
                (None, None) => match self.first(&hits, |entry| entry.direction) {
                    Some((direction, source)) => (Some(direction), source),
                    None => (None, Source::Default),
                },
            };
        let (class, from_class) = match kpi {
            Some(true) => (Class::Kpi, Source::Stated),
            Some(false) => (Class::Monitor, Source::Stated),
            None => self.first(&hits, |entry| entry.class).unwrap_or((Class::Kpi, Source::Default)),
        };
        let bounded = match self.first(&hits, |entry| entry.bounded) {
            Some((bounded, _)) => bounded,
            None => known.as_ref().map_or_else(|| name.ends_with('%'), |unit| unit.bounded),
        };
        let exact = self.first(&hits, |entry| entry.exact).is_some_and(|(exact, _)| exact);
        let (effect, from_effect) = self.first(&hits, |entry| entry.effect).unwrap_or((
            match (exact, class, direction) {
                (true, ..) => default::EXACT,
                (false, Class::Monitor, _) => default::MONITOR,
                (false, Class::Kpi, Some(Direction::Higher)) => default::HIGHER,
                (false, Class::Kpi, _) => default::LOWER,
            },
            Source::Default,
        ));
        let noise = match self.first(&hits, |entry| entry.noise) {
            Some((noise, _)) => noise,
            None if exact => 0.0,
            None => default::NOISE,
        };
        Resolved {
            unit,
            direction,
            class,
            effect,
            floor: self.first(&hits, |entry| entry.floor).map_or(0.0, |(floor, _)| floor),
            bounded,
            exact,
            noise: noise / 100.0,
            sources: [from_direction, from_class, from_effect],
        }
    }

    /// The first hit that states an attribute.
    fn first<T>(
        &self,
        hits: &[usize],
        attribute: impl Fn(&Entry) -> Option<T>,
    ) -> Option<(T, Source)> {
        hits.iter().find_map(|&hit| {
            Some((attribute(&self.patterns.get(hit)?.entry)?, Source::Pattern(hit)))
        })
    }

    /// Why, in one line: `direction lower: unit ms; kpi: 20-fio.toml:7; effect 5 %: default`.
    pub fn why(&self, resolved: &Resolved) -> String {
        let direction = match resolved.direction {
            Some(Direction::Higher) => "direction higher",
            Some(Direction::Lower) => "direction lower",
            None => "direction unknown",
        };
        let class = match resolved.class {
            Class::Kpi => "kpi",
            Class::Monitor => "monitor",
        };
        let unit = resolved.unit.as_deref().unwrap_or_default();
        let said = |source: Source| match source {
            Source::Stated => "stated".to_owned(),
            Source::Unit => format!("unit {unit}"),
            Source::Pattern(index) => {
                self.patterns.get(index).map_or_else(String::new, |pattern| {
                    format!("{}:{} {}", pattern.file, pattern.line, pattern.entry.r#match.get_ref())
                })
            }
            Source::Default => "default".to_owned(),
        };
        let [by_direction, by_class, by_effect] = resolved.sources.map(said);
        let effect = resolved.effect;
        let scale = if resolved.bounded { "points" } else { "%" };
        format!(
            "{direction}: {by_direction}; {class}: {by_class}; effect {effect} {scale}: {by_effect}"
        )
    }
}

impl Pattern {
    fn problem(&self) -> Option<Problem> {
        let at = |reason, found: String, expected: &str| {
            Some(Problem::whole(&self.file, reason, found, expected).on_line(self.line))
        };
        let text = self.entry.r#match.get_ref();
        if let Err(error) = regex::Regex::new(text) {
            let said = error.to_string();
            return at(
                "not-a-pattern",
                clip(said.lines().last().unwrap_or(&said)),
                "a regular expression",
            );
        }
        let wrong = |number: Option<f64>| number.filter(|number| !(0.0..=1e12).contains(number));
        if let Some(number) =
            [self.entry.effect, self.entry.floor, self.entry.noise].into_iter().find_map(wrong)
        {
            return at("out-of-range", number.to_string(), "a number from 0");
        }
        match &self.entry.unit {
            Some(unit) if Unit::parse(unit).is_none() => {
                at("unknown-unit", clip(unit), "a unit of units.toml")
            }
            _ => None,
        }
    }
}
