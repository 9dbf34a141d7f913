//! From files to notifications: sides found by name, or inside one file, or only the head.

use super::decode::{decode_frame, is_native, sense};
use super::problem::{Problem, clip};
use super::side::{File, Side, factor, side};
use super::{
    Column, Commit, Environment, Metric, Notification, Reading, Test, Tree, Unit, decode, tree,
};

/// What the files of a mail come to.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// Both sides.
    Pair(Notification),
    /// Only the head's results; earlier ones of the series are the base.
    Head(Notification),
}

impl Input {
    /// The notification, with or without base samples.
    pub fn into_notification(self) -> Notification {
        match self {
            Input::Pair(notification) | Input::Head(notification) => notification,
        }
    }
}

/// Understands the results files of one mail.
///
/// A native notification stands for itself. Other files are a side each by their name (`base-*`, `head-*`, or in folders
/// `base/`, `head/`); one file may hold both; without any base they are the head's. Who they belong to is said by a native
/// notification without metrics beside them, or by LKP's `job.yaml`.
///
/// # Errors
/// Everything that is wrong, with the file's name.
pub fn load(files: &[File]) -> Result<Vec<Input>, Vec<Problem>> {
    let mut whole = Vec::new();
    let mut frame = None;
    let mut loose: Vec<File> = Vec::new();
    let mut problems = Vec::new();
    let files = tree::results(files);
    let others = files.iter().filter(|(name, bytes)| !is_native(name, bytes)).count();
    for (name, bytes) in files {
        if !is_native(name, bytes) {
            loose.push((name.clone(), bytes.clone()));
            continue;
        }
        match decode_frame(name, bytes) {
            Ok(notification) if notification.metrics.is_empty() && others > 0 => {
                frame = Some(notification)
            }
            _ => match decode(name, bytes) {
                Ok(notification) if notification.is_head_only() => {
                    whole.push(Input::Head(notification));
                }
                Ok(notification) => whole.push(Input::Pair(notification)),
                Err(more) => problems.extend(more),
            },
        }
    }
    if !loose.is_empty() {
        match gather(&loose, frame.as_ref()) {
            Ok(input) => whole.push(input),
            Err(more) => problems.extend(more),
        }
    }
    if problems.is_empty() { Ok(whole) } else { Err(problems) }
}

fn gather(files: &[File], frame: Option<&Notification>) -> Result<Input, Vec<Problem>> {
    let [mut base, mut head, common] = split(files);
    // A job.yaml without a side is both sides'.
    let (jobs, rest): (Vec<File>, Vec<File>) =
        common.into_iter().partition(|(name, _)| name.ends_with("job.yaml"));
    if base.is_empty() {
        head.extend(rest);
        head.extend(jobs);
        let head = side(&head, None)?;
        return if head.reading.columns.len() > 1 {
            let (base, head) = two_sides(head)?;
            join(Some(&base), &head, frame).map(Input::Pair)
        } else {
            join(None, &head, frame).map(Input::Head)
        };
    }
    if head.is_empty() && !rest.is_empty() {
        head.extend(rest);
    }
    if head.is_empty() {
        let found = "only files of base";
        return Err(vec![Problem::whole(
            &base[0].0,
            "no-head",
            found,
            "files named head-* beside base-*",
        )]);
    }
    base.extend(jobs.iter().cloned());
    head.extend(jobs);
    let (base, head) = both(side(&base, None), side(&head, None))?;
    join(Some(&base), &head, frame).map(Input::Pair)
}

fn both<T>(a: Result<T, Vec<Problem>>, b: Result<T, Vec<Problem>>) -> Result<(T, T), Vec<Problem>> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(mut a), Err(b)) => {
            a.extend(b);
            Err(a)
        }
        (Err(problems), _) | (_, Err(problems)) => Err(problems),
    }
}

/// base, head, neither.
fn split(files: &[File]) -> [Vec<File>; 3] {
    let mut sides = [Vec::new(), Vec::new(), Vec::new()];
    for file in files {
        let of = |word: &str| {
            file.0.split('/').any(|part| {
                let rest = part.to_ascii_lowercase();
                rest.strip_prefix(word)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_', '.']))
            })
        };
        let at = match (of("base"), of("head")) {
            (true, false) => 0,
            (false, true) => 1,
            _ => 2,
        };
        sides[at].push(file.clone());
    }
    sides
}

/// The first and the last of the sides that one file holds.
pub fn two_sides(both: Side) -> Result<(Side, Side), Vec<Problem>> {
    let Side { reading, job } = both;
    let count = reading.columns.len();
    let wanted = |word: &str| {
        reading.columns.iter().position(|column| {
            column.label.as_deref().is_some_and(|label| label.eq_ignore_ascii_case(word))
        })
    };
    let (base, head) =
        (wanted("base").unwrap_or(0), wanted("head").unwrap_or(count.saturating_sub(1)));
    if count < 2 || base == head {
        let labels: Vec<String> =
            reading.columns.iter().filter_map(|column| column.label.clone()).collect();
        let found = format!("one side ({})", clip(&labels.join(", ")));
        return Err(vec![Problem::whole(
            reading.format,
            "one-side",
            found,
            "both sides in one file",
        )]);
    }
    let one = |at: usize| Side {
        reading: Reading { columns: vec![reading.columns[at].clone()], ..reading.clone() },
        job: job.clone(),
    };
    Ok((one(base), one(head)))
}

/// Both sides in one notification. Without a frame, identity is as far as the files tell it: `base`, `head`, `local`.
///
/// # Errors
/// Units that do not convert.
pub fn pair(base: &Side, head: &Side) -> Result<Notification, Vec<Problem>> {
    assemble(Some(base), head, &blank(Some(base), head))
}

fn join(
    base: Option<&Side>,
    head: &Side,
    frame: Option<&Notification>,
) -> Result<Notification, Vec<Problem>> {
    let mut known = blank(base, head);
    if base.is_none() {
        known.base = Commit::default();
    }
    if let Some(frame) = frame {
        if base.is_none() || !frame.base.is_unknown() {
            return assemble(base, head, frame);
        }
        known = Notification { base: known.base, ..frame.clone() };
    }
    if known.head.commit == "head" || (base.is_some() && known.base.commit == "base") {
        let expected = "a notification without metrics beside them that says which commits, test and machine (docs/notification.md), or job.yaml";
        return Err(vec![Problem::whole(
            "these results",
            "no-identity",
            "no commit of head or base",
            expected,
        )]);
    }
    assemble(base, head, &known)
}

/// What the files themselves tell of commits, test and machine.
fn blank(base: Option<&Side>, head: &Side) -> Notification {
    let commit = |side: Option<&Side>, fallback: &str| {
        let label =
            |side: &Side| side.reading.columns.first().and_then(|column| column.label.clone());
        let legal = |text: &String| {
            !text.is_empty()
                && text.len() <= 200
                && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-/+".contains(c))
        };
        let found =
            side.and_then(|side| side.job.commit.clone().or_else(|| label(side))).filter(legal);
        Commit::named(found.unwrap_or_else(|| fallback.to_owned()))
    };
    let branch = head.job.branch.clone().unwrap_or_else(|| "local/local".to_owned());
    let (tree, branch) = branch.split_once('/').unwrap_or(("local", &branch));
    let test = head.job.test.clone().unwrap_or_else(|| head.reading.test.clone());
    Notification::new(
        Tree { name: tree.to_owned(), branch: branch.to_owned(), url: None },
        [commit(base, "base"), commit(Some(head), "head")],
        Test { name: test, ..Test::default() },
        Environment { machine: "local".to_owned(), ..Environment::default() },
    )
}

fn assemble(
    base: Option<&Side>,
    head: &Side,
    frame: &Notification,
) -> Result<Notification, Vec<Problem>> {
    let mut notification = frame.clone();
    notification.metrics = metrics(base, head)?;
    notification.test.version =
        notification.test.version.take().or_else(|| head.reading.version.clone());
    for (key, value) in head.reading.parameters.iter().chain(&head.job.parameters) {
        notification.test.parameters.entry(one_line(key)).or_insert_with(|| one_line(value));
    }
    let framed = &frame.environment;
    notification.environment = environment(framed, base.unwrap_or(head), head);
    let there = environment(framed, head, base.unwrap_or(head));
    if notification.environment.first_difference(&there).is_some() {
        notification.head_environment = Some(there);
    }
    // Names and facts come from strangers' files: what a mail may not carry is refused here as in a native notification.
    let problems = sense(head.reading.format, &notification);
    if problems.is_empty() { Ok(notification) } else { Err(problems) }
}

/// The facts of one side over those of the frame. Versions and parameters stand among them only where they differ.
fn environment(frame: &Environment, side: &Side, other: &Side) -> Environment {
    let mut environment = frame.clone();
    let facts = side
        .reading
        .facts
        .iter()
        .chain(&side.job.facts)
        .map(|(key, value)| (key.as_str(), value.clone()));
    let mut facts: Vec<(String, String)> =
        facts.map(|(key, value)| (key.to_owned(), value)).collect();
    if let (Some(version), Some(theirs)) = (&side.reading.version, &other.reading.version)
        && version != theirs
    {
        facts.push(("benchmark version".to_owned(), version.clone()));
    }
    let mine = || side.reading.parameters.iter().chain(&side.job.parameters);
    let theirs = || other.reading.parameters.iter().chain(&other.job.parameters);
    for (key, _) in mine().chain(theirs()) {
        let here = mine().find(|(name, _)| *name == key).map(|(_, value)| value.clone());
        let there = theirs().find(|(name, _)| *name == key).map(|(_, value)| value.clone());
        if here != there {
            facts.push((format!("parameter {key}"), here.unwrap_or_else(|| "unset".to_owned())));
        }
    }
    for (key, value) in facts {
        let (key, value) = (one_line(&key), one_line(&value));
        match key.as_str() {
            "machine" if frame.machine == "local" => environment.machine = value,
            // The frame names the machine as the lab does; a host name beside it is another word for it.
            "machine" => {
                environment.other.insert("host".to_owned(), value);
            }
            "model" => environment.model = Some(value),
            "cpu" => environment.cpu = Some(value),
            "memory" => environment.memory = Some(value),
            "compiler" => environment.compiler = Some(value),
            "kernel_config" => environment.kernel_config = Some(value),
            "rootfs" => environment.rootfs = Some(value),
            _ => {
                environment.other.insert(key, value);
            }
        }
    }
    environment
}

fn metrics(base: Option<&Side>, head: &Side) -> Result<Vec<Metric>, Vec<Problem>> {
    let empty = Column::default();
    let left = base.and_then(|side| side.reading.columns.first()).unwrap_or(&empty);
    let right = head.reading.columns.first().unwrap_or(&empty);
    let mut index = std::collections::HashMap::with_capacity(left.rows.len());
    let mut metrics: Vec<Metric> = Vec::with_capacity(left.rows.len().max(right.rows.len()));
    for row in &left.rows {
        index.insert(row.name.as_str(), metrics.len());
        metrics.push(Metric { base: row.runs.clone(), ..metric(row) });
    }
    for row in &right.rows {
        let Some(&at) = index.get(row.name.as_str()) else {
            metrics.push(Metric { head: row.runs.clone(), ..metric(row) });
            continue;
        };
        let from = left.rows[at].unit.as_deref();
        let Some(factor) = factor(from, row.unit.as_deref()) else {
            let units = [from, row.unit.as_deref()].map(|unit| unit.unwrap_or("no unit"));
            let found = format!("{} in {} and in {}", clip(&row.name), units[0], units[1]);
            return Err(vec![Problem::whole("head", "mixed-units", found, "units that convert")]);
        };
        metrics[at].head = row.runs.iter().map(|run| run.map(|value| value * factor)).collect();
    }
    Ok(metrics)
}

/// A metric without runs. Units that nobody knows are left out: tools print anything there.
fn metric(row: &super::Row) -> Metric {
    Metric {
        name: one_line(&row.name),
        unit: row.unit.clone().filter(|unit| Unit::parse(unit).is_some()),
        direction: row.direction,
        kpi: row.kpi,
        ..Metric::default()
    }
}

/// Tools name metrics by whole command lines: controls become blanks, and the end of an endless one is cut.
fn one_line(text: &str) -> String {
    const LONGEST: usize = 280;
    let mut line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.len() > LONGEST {
        let cut = line.floor_char_boundary(LONGEST);
        line.truncate(cut);
        line.push('…');
    }
    line
}
