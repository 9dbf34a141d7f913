//! `regard series`: what is stored of every series, and its history drawn.

use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use super::args::{Args, SeriesArgs, SeriesVerb};
use super::context::Failure;
use super::{Outcome, output};
use crate::bench::Metric;
use crate::plot::{self, History};
use crate::report::{better, number};
use crate::stats::{self, Class, Measured, Noise, Past, Recent, Steps, recent};
use crate::store::{Series, StoredPoint, Suite};

/// One line of `regard series --json`.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    series: &'a Series,
    tree: &'a str,
    branch: &'a str,
    test: &'a str,
    version: Option<&'a str>,
    parameters: &'a std::collections::BTreeMap<String, String>,
    environment: &'a crate::bench::Environment,
}

pub(super) fn run(args: &Args, series: &SeriesArgs) -> Result<Outcome, Failure> {
    match &series.verb {
        None => list(args, series),
        Some(SeriesVerb::Show { name, plot, limit }) => {
            show(args, &name.join(" "), plot.as_deref(), *limit)
        }
    }
}

fn list(args: &Args, wanted: &SeriesArgs) -> Result<Outcome, Failure> {
    let mut store = args.store()?;
    let (suites, mut all) = store.look(|tx| Ok((tx.suites()?, tx.all_series()?)))?;
    let words: Vec<String> = wanted
        .named
        .iter()
        .flat_map(|text| text.split_whitespace())
        .map(str::to_lowercase)
        .collect();
    all.retain(|s| {
        let key = s.key.to_lowercase();
        (wanted.all || s.class == Class::Kpi) && words.iter().all(|word| key.contains(word))
    });
    if args.json {
        for s in &all {
            if let Some(suite) = suites.iter().find(|suite| suite.id == s.suite) {
                output::json(&line(s, suite))?;
            }
        }
        return Ok(Outcome::Fine);
    }
    if all.is_empty() {
        output::print("no series is stored\n")?;
        return Ok(Outcome::Fine);
    }
    let head = ["number", "commits", "last", "class", "unit", "series"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(all.iter().map(|s| {
        vec![
            s.id.to_string(),
            s.commits.to_string(),
            day(s.last),
            output::word(&s.class),
            s.unit.clone().unwrap_or_else(|| "-".to_owned()),
            s.key.clone(),
        ]
    }));
    output::print(&output::columns(&rows))?;
    Ok(Outcome::Fine)
}

fn line<'a>(series: &'a Series, suite: &'a Suite) -> Line<'a> {
    Line {
        series,
        tree: &suite.tree,
        branch: &suite.branch,
        test: &suite.test,
        version: suite.version.as_deref(),
        parameters: &suite.parameters,
        environment: &suite.environment,
    }
}

fn show(args: &Args, name: &str, file: Option<&Path>, limit: usize) -> Result<Outcome, Failure> {
    let mut store = args.store()?;
    let found = store.look(|tx| tx.series_named(name))?;
    let series = match found.as_slice() {
        [one] => one,
        [] => return Err(Failure::Message(format!("no series is called `{name}`"))),
        several => {
            let keys: Vec<String> =
                several.iter().take(20).map(|s| format!("  {}  {}", s.id, s.key)).collect();
            let count = several.len();
            return Err(Failure::Message(format!(
                "{count} series have `{name}` in their key; name one by its number:\n{}",
                keys.join("\n")
            )));
        }
    };
    let (suites, points, told) = store.look(|tx| {
        let suites = tx.suites()?;
        let suite = suites.iter().find(|suite| suite.id == series.suite);
        let told = suite.map_or_else(|| Ok(Vec::new()), |suite| tx.steps(suite))?;
        Ok((suites, tx.history(series, limit)?, told))
    })?;
    let Some(suite) = suites.iter().find(|suite| suite.id == series.suite) else {
        return Err(Failure::Message(format!("series {}: its suite is missing", series.id)));
    };
    let measured: Vec<Measured> = points
        .iter()
        .map(|p| Measured { commit: p.commit.commit.clone(), runs: p.spot.runs.clone() })
        .collect();
    let noise = past(series, &points).noise(&series.metric, &args.knowledge()?);
    // The hash in the key tells suites apart, and nobody anything.
    let name = suite.key.rsplit_once('~').map_or(suite.key.as_str(), |(name, _)| name);
    let title = format!("{name}: {}", series.metric);
    let history = History::new(title, series.unit.as_deref(), &measured);
    if let Some(file) = file {
        write(file, &history)?;
    }
    if args.json {
        let now = recent(&measured, &Steps::default());
        output::json(&shown(series, suite, &points, &history, &now)?)?;
    } else {
        let facts = facts(series, suite, &points, &measured, noise, &told);
        output::print(&format!("{facts}\n{}", plot::text(&history)))?;
    }
    Ok(Outcome::Fine)
}

fn past(series: &Series, points: &[StoredPoint]) -> Past {
    let kpi = Some(series.class == Class::Kpi);
    let (name, unit) = (series.metric.clone(), series.unit.clone());
    let metric = Metric { name, unit, direction: series.direction, kpi, ..Metric::default() };
    let mut past = Past::default();
    for point in points {
        let at = past.commit(&point.commit);
        past.add(at, &metric, &point.spot.runs, Some(&point.spot.builds));
    }
    past
}

fn write(file: &Path, history: &History) -> Result<(), Failure> {
    let fail = |e: &dyn std::fmt::Display| Failure::Message(format!("{}: {e}", file.display()));
    let extension = file.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    let bytes = match extension.as_deref() {
        Some("svg") => plot::svg(history).map_err(|e| fail(&e))?.into_bytes(),
        Some("png") => plot::png(history).map_err(|e| fail(&e))?,
        _ => return Err(fail(&"name a file that ends in .svg or .png")),
    };
    std::fs::write(file, bytes).map_err(|e| fail(&e))
}

fn facts(
    series: &Series,
    suite: &Suite,
    points: &[StoredPoint],
    measured: &[Measured],
    noise: Option<Noise>,
    told: &[String],
) -> String {
    let now = recent(measured, &Steps::default());
    let mut out = format!("{}\n", series.key);
    let mut fact = |name: &str, value: String| {
        if !value.is_empty() {
            out += &format!("    {name:<11} {value}\n");
        }
    };
    let joined = |pairs: Vec<String>| pairs.join(", ");
    fact("number", series.id.to_string());
    fact("tree", format!("{}, branch {}", suite.tree, suite.branch));
    let version = suite.version.as_ref().map_or_else(String::new, |v| format!(" {v}"));
    fact("test", format!("{}{version}", suite.test));
    fact("parameters", joined(suite.parameters.iter().map(|(k, v)| format!("{k}={v}")).collect()));
    fact("machine", joined(suite.environment.facts().map(|(k, v)| format!("{k} {v}")).collect()));
    let unit = series.unit.as_ref().map_or_else(String::new, |unit| format!(" in {unit}"));
    fact(
        "metric",
        format!(
            "{}{unit}, {}, {}",
            series.metric,
            better(series.direction),
            output::word(&series.class)
        ),
    );
    let runs: usize = points.iter().map(|p| p.spot.runs.iter().flatten().count()).sum();
    let order = if suite.by_date { "by commit date" } else { "by first measurement" };
    fact(
        "measured",
        format!(
            "{} commits, {runs} runs, {} to {}, {order}",
            points.len(),
            day(series.first),
            day(series.last)
        ),
    );
    if let Some(noise) = noise {
        let build = noise
            .build
            .map_or_else(String::new, |b| format!(", {:.2} % build to build", 100.0 * b));
        fact(
            "noise",
            format!(
                "{:.2} % run to run{build}, of {} commits",
                100.0 * noise.spread,
                noise.commits
            ),
        );
    }
    if let Some(level) = stats::level(measured, &Steps::default()) {
        fact(
            "level",
            format!(
                "{} over the last {} commits",
                number::value(level.centre),
                level.commits.len()
            ),
        );
    }
    fact("now", words(&now, measured));
    fact("acted on", told.join(", "));
    out
}

/// How the end of the history looks.
fn words(now: &Recent, measured: &[Measured]) -> String {
    let commit = |i: usize| measured.get(i).map_or("?", |m| m.commit.as_str());
    match now {
        Recent::Steady => "steady".to_owned(),
        Recent::Unsettled { since } => {
            let count = measured.len().saturating_sub(*since);
            let side = Steps::default().side;
            format!(
                "unsettled: {count} commits since {} lie apart, {side} make a step",
                commit(*since)
            )
        }
        Recent::Spike { from, to } => {
            format!("a spike at {} went away at {}", commit(*from), commit(*to))
        }
        Recent::Stepped(seen) => format!("a step at {} holds", seen.to),
    }
}

fn shown(
    series: &Series,
    suite: &Suite,
    points: &[StoredPoint],
    history: &History,
    now: &Recent,
) -> Result<Value, Failure> {
    let mut shown =
        serde_json::to_value(line(series, suite)).map_err(|e| Failure::Message(e.to_string()))?;
    shown["points"] = points
        .iter()
        .map(|p| {
            json!({
                "commit": p.commit.commit,
                "subject": p.commit.subject,
                "measured": p.measured.to_string(),
                "median": p.spot.median(),
                "runs": p.spot.runs,
                "builds": p.spot.builds,
                "messages": p.messages,
            })
        })
        .collect();
    shown["steps"] = history
        .steps
        .iter()
        .map(|seen| {
            json!({
                "from": seen.from,
                "to": seen.to,
                "before": seen.step.before,
                "after": seen.step.after,
                "percent": seen.step.percent(),
                "p": seen.step.p,
            })
        })
        .collect();
    shown["recent"] = match now {
        Recent::Steady => "steady",
        Recent::Unsettled { .. } => "unsettled",
        Recent::Spike { .. } => "spike",
        Recent::Stepped(_) => "stepped",
    }
    .into();
    Ok(shown)
}

fn day(at: Option<jiff::Timestamp>) -> String {
    at.map_or_else(|| "-".to_owned(), |at| at.strftime("%Y-%m-%d").to_string())
}
