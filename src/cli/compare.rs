//! `regard compare`: two sides, or notifications that hold both, decided metric by metric.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::args::{Args, CompareArgs};
use super::context::Failure;
use super::earlier::{self, problems};
use super::judge::judge;
use super::{Outcome, files, output};
use crate::bench::{self, Direction, Metric, Notification, Runs};
use crate::report::number;
use crate::stats::{Change, Past, Prior};

/// One line of `--json`.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    #[serde(flatten)]
    change: &'a Change,
}

pub(super) fn run(args: &Args, compare: &CompareArgs) -> Result<Outcome, Failure> {
    let knowledge = args.knowledge()?;
    let past = match compare.history.as_slice() {
        [] => Past::default(),
        paths => earlier::past(paths)?,
    };
    let (names, mut all): (Vec<String>, Vec<Notification>) =
        notifications(compare)?.into_iter().unzip();
    for n in &mut all {
        if let ([metric], Some(only)) = (n.metrics.as_mut_slice(), only(&past))
            && compare.base.is_some()
            && past.track(&metric.name).is_none()
        {
            // Bare numbers have no name: they are of the only metric that has a history.
            metric.name.clone_from(&only.name);
        }
    }
    let mut changed = false;
    let priors: Vec<Prior> = all.iter().map(|n| past.prior(n, &knowledge)).collect();
    let decided = judge(all, &past, &knowledge).into_iter().zip(names.iter().zip(&priors));
    for ((finding, overall), (file, prior)) in decided {
        let changes = finding.changes;
        changed |= changes.iter().any(Change::raises);
        if args.json {
            for change in &changes {
                output::json(&Line { file, change })?;
            }
        } else {
            output::print(&table(file, &changes, prior))?;
            output::print(&format!("{}: {}\n\n", output::word(&overall.kind), overall.reason))?;
        }
    }
    Ok(if changed { Outcome::Findings } else { Outcome::Fine })
}

fn only(past: &Past) -> Option<&Metric> {
    let mut tracks = past.tracks();
    tracks.next().filter(|_| tracks.next().is_none()).map(|track| &track.metric)
}

/// What is compared, with the name that it is printed under.
fn notifications(compare: &CompareArgs) -> Result<Vec<(String, Notification)>, Failure> {
    match (&compare.base, &compare.head) {
        (Some(base), Some(head)) if compare.files.is_empty() => {
            let name = format!("{base} .. {head}");
            Ok(vec![(name, sides(base, head, compare)?)])
        }
        (None, None) if !compare.files.is_empty() => {
            let mut all = Vec::new();
            for path in &compare.files {
                for input in
                    bench::load(&files::read(std::slice::from_ref(path))?).map_err(problems)?
                {
                    all.push((path.display().to_string(), input.into_notification()));
                }
            }
            Ok(all)
        }
        _ => Err(Failure::Message("give notifications, or --base and --head; not both".to_owned())),
    }
}

fn sides(base: &str, head: &str, compare: &CompareArgs) -> Result<Notification, Failure> {
    match (numbers(base), numbers(head)) {
        (Some(base), Some(head)) => Ok(plain(base, head, compare)),
        (None, None) => {
            let side = |path: &str| -> Result<Runs, Failure> {
                let files = files::read(&[PathBuf::from(path)])?;
                bench::side(&files, compare.format.as_deref()).map_err(problems)
            };
            let mut n = bench::pair(&side(base)?, &side(head)?).map_err(problems)?;
            if let Some(direction) = compare.direction {
                n.metrics.iter_mut().for_each(|m| m.direction = Some(direction.into()));
            }
            Ok(n)
        }
        _ => Err(Failure::Message("--base and --head: both numbers, or both files".to_owned())),
    }
}

/// `100,101,99`: samples in run order; `-` for a missing run. A file of that name wins.
fn numbers(text: &str) -> Option<Vec<Option<f64>>> {
    if Path::new(text).exists() {
        return None;
    }
    text.split(',')
        .map(|n| match n.trim() {
            "-" => Some(None),
            n => n.parse().ok().map(Some),
        })
        .collect()
}

fn plain(base: Vec<Option<f64>>, head: Vec<Option<f64>>, compare: &CompareArgs) -> Notification {
    let sides = ["base", "head"].map(bench::Commit::named);
    let mut n = Notification::new(
        bench::Tree::default(),
        sides,
        bench::Test::default(),
        bench::Environment::default(),
    );
    n.metrics.push(Metric {
        name: compare.metric.clone(),
        unit: compare.unit.clone(),
        direction: compare.direction.map(Direction::from),
        kpi: Some(true),
        base,
        head,
        base_builds: None,
        head_builds: None,
    });
    n
}

fn table(file: &str, changes: &[Change], prior: &Prior) -> String {
    let head = [
        "metric",
        "base",
        "head",
        "change",
        "95% CI",
        "p",
        "runs",
        "build noise",
        "history",
        "verdict",
        "reason",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(changes.iter().map(|change| row(change, prior)));
    format!("{file}\n{}", output::columns(&rows))
}

fn row(c: &Change, prior: &Prior) -> Vec<String> {
    let value = |v: Option<f64>| v.map_or_else(|| "-".to_owned(), number::value);
    let unit = c.unit.as_ref().map_or_else(String::new, |u| format!(" ({u})"));
    vec![
        format!("{}{unit}", c.metric),
        value(c.base.median),
        value(c.head.median),
        c.change_percent.map_or_else(|| "n/a".to_owned(), |p| format!("{p:+.2}%")),
        c.ci95.map_or_else(|| "-".to_owned(), |[low, high]| format!("{low:+.2}..{high:+.2}%")),
        c.p.map_or_else(
            || "-".to_owned(),
            |p| number::p(p).trim_start_matches(['p', '=']).to_owned(),
        ),
        format!("{}+{}", c.base.n, c.head.n),
        format!("{:.2}%", 100.0 * c.build_noise),
        match prior.of(&c.metric).commits {
            0 => "-".to_owned(),
            n => format!("{n} commits"),
        },
        output::word(&c.kind),
        c.reason.clone(),
    ]
}
