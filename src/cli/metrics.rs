//! `regard metrics`: what is known of a metric before its numbers are looked at.

use serde::Serialize;

use super::args::{Args, MetricsArgs, MetricsVerb};
use super::context::Failure;
use super::{Outcome, output};
use crate::bench::{Direction, Knowledge, Resolved, Unit};
use crate::stats::Class;

/// One line of `--json`.
#[derive(Serialize)]
struct Line<'a> {
    metric: &'a str,
    unit: Option<&'a str>,
    direction: Option<Direction>,
    class: Class,
    /// Smallest change that matters: percent, or points where `bounded`.
    effect: f64,
    /// Smallest difference that matters, in the unit.
    floor: f64,
    bounded: bool,
    exact: bool,
    /// Build-to-build noise without history, in percent.
    build_noise_percent: f64,
    why: String,
}

impl<'a> Line<'a> {
    fn new(metric: &'a str, resolved: &'a Resolved, knowledge: &Knowledge) -> Self {
        Self {
            metric,
            unit: resolved.unit.as_deref(),
            direction: resolved.direction,
            class: resolved.class,
            effect: resolved.effect,
            floor: resolved.floor,
            bounded: resolved.bounded,
            exact: resolved.exact,
            build_noise_percent: 100.0 * resolved.noise,
            why: knowledge.why(resolved),
        }
    }

    fn cells(&self) -> Vec<String> {
        let scale = if self.bounded { "points" } else { "%" };
        vec![
            self.metric.to_owned(),
            self.unit.unwrap_or("-").to_owned(),
            self.direction.map_or_else(|| "unknown".to_owned(), |d| output::word(&d)),
            output::word(&self.class),
            format!("{} {scale}", self.effect),
            if self.floor > 0.0 { self.floor.to_string() } else { "-".to_owned() },
            format!("{} %", self.build_noise_percent),
            self.why.clone(),
        ]
    }
}

pub(super) fn run(args: &Args, metrics: &MetricsArgs) -> Result<Outcome, Failure> {
    let MetricsVerb::Check { names, unit } = &metrics.verb;
    if let Some(unit) = unit
        && Unit::parse(unit).is_none()
    {
        let cure = "see docs/notification.md, or leave it out";
        return Err(Failure::Message(format!("unknown unit `{unit}`: {cure}")));
    }
    let knowledge = args.knowledge()?;
    let found: Vec<(&String, Resolved)> =
        names.iter().map(|name| (name, knowledge.resolve(name, unit.as_deref()))).collect();
    let lines = found.iter().map(|(name, resolved)| Line::new(name, resolved, &knowledge));
    if args.json {
        for line in lines {
            output::json(&line)?;
        }
        return Ok(Outcome::Fine);
    }
    let head = ["metric", "unit", "better", "class", "effect", "floor", "build noise", "why"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(lines.map(|line| line.cells()));
    output::print(&output::columns(&rows))?;
    Ok(Outcome::Fine)
}
