//! Reads the native notification and says everything that is wrong with one that cannot be used.

use std::collections::HashMap;

use serde_json::Value;

use super::json::{self, Limits};
use super::problem::{MAX_PROBLEMS, Problem, clip};
use super::{Commit, Metric, Notification, Unit, shape};

/// Largest notification in bytes.
pub const MAX_BYTES: usize = 8 << 20;
/// Most runs of one metric on one side.
pub const MAX_RUNS: usize = 10_000;
/// Most metrics.
pub const MAX_METRICS: usize = 20_000;
/// Magnitude that no measurement reaches; squares and sums stay finite below it.
pub const MAX_VALUE: f64 = 1e100;

const LIMITS: Limits = Limits { values: 1_500_000, list: MAX_METRICS };
/// Most runs of a failure count on one side.
const MAX_FAILURE_RUNS: u32 = 100_000;
/// Longest text of one field, in bytes.
const MAX_TEXT: usize = 16 << 10;
/// Longest name, id or version, in bytes.
const MAX_NAME: usize = 300;

/// The JSON Schema of the native format, as `docs/notification.schema.json` holds it.
pub fn schema() -> Value {
    schemars::schema_for!(Notification).to_value()
}

/// Reads a native notification.
///
/// `name` is the attachment's name; it stands in the problems.
///
/// # Errors
/// Every problem that could be found, with path, line, what was found and what was expected; at most 50.
pub fn decode(name: &str, bytes: &[u8]) -> Result<Notification, Vec<Problem>> {
    read(name, bytes, false)
}

/// The same for a notification that may have no metrics, because other files bring them.
pub(super) fn decode_frame(name: &str, bytes: &[u8]) -> Result<Notification, Vec<Problem>> {
    read(name, bytes, true)
}

/// Whether a file means to be a native notification: a JSON object with a member `regard` near its start.
pub fn is_native(name: &str, bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(64 << 10)];
    let text = String::from_utf8_lossy(head);
    let object = text.trim_start_matches('\u{feff}').trim_start().starts_with('{');
    object
        && (text.contains("\"regard\"")
            || (name.contains("notification") && text.contains("\"metrics\"")))
}

fn read(name: &str, bytes: &[u8], frame: bool) -> Result<Notification, Vec<Problem>> {
    if bytes.len() > MAX_BYTES {
        let found = format!("{} bytes", bytes.len());
        return Err(vec![Problem::whole(name, "too-large", found, format!("at most {MAX_BYTES}"))]);
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.trim_start_matches('\u{feff}'),
        Err(error) => {
            let before = &bytes[..error.valid_up_to()];
            let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
            let problem = Problem::whole(name, "not-utf-8", "bytes that are not UTF-8", "UTF-8");
            return Err(vec![problem.on_line(line)]);
        }
    };
    let value = json::parse(name, text, LIMITS)?;
    let mut problems = shape::check(name, &value, &schema());
    if problems.is_empty() {
        match serde_json::from_value::<Notification>(value) {
            Ok(notification) => {
                problems = sense(name, &notification);
                if frame {
                    problems.retain(|problem| problem.reason != "no-samples");
                }
                if problems.is_empty() {
                    return Ok(notification);
                }
            }
            // The schema is generated from these types, so this is a gap of the walk in `shape`.
            Err(error) => {
                let found = clip(&error.to_string());
                problems.push(Problem::whole(
                    name,
                    "wrong-type",
                    found,
                    "the shape of docs/notification.md",
                ));
            }
        }
    }
    json::place(text, &mut problems);
    problems.sort_by_key(|problem| problem.line.unwrap_or(usize::MAX));
    Err(problems)
}

/// What types cannot say: sizes, equal lengths, names that make sense, numbers that can be measured.
pub fn sense(file: &str, notification: &Notification) -> Vec<Problem> {
    let mut check = Check { file, problems: Vec::new() };
    check.header(notification);
    check.metrics(&notification.metrics);
    check.failures(notification);
    check.problems.truncate(MAX_PROBLEMS);
    check.problems
}

struct Check<'a> {
    file: &'a str,
    problems: Vec<Problem>,
}

impl Check<'_> {
    fn push(
        &mut self,
        path: impl Into<String>,
        reason: &'static str,
        found: impl Into<String>,
        expected: &str,
    ) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem::at(self.file, path, reason, found, expected));
        }
    }

    fn header(&mut self, n: &Notification) {
        if n.regard != 1 {
            self.push(
                "regard",
                "unknown-version",
                n.regard.to_string(),
                "1, the only version of the format",
            );
        }
        self.name("tree.name", &n.tree.name);
        self.name("tree.branch", &n.tree.branch);
        self.link("tree.url", n.tree.url.as_deref());
        let measured = n.metrics.iter().any(|metric| !metric.base.is_empty())
            || n.failures.iter().any(|failure| failure.base.runs > 0);
        match (n.base.is_unknown(), measured) {
            (false, _) => self.commit("base", &n.base),
            (true, true) => {
                let expected = "an object (the commit that the base runs belong to)";
                self.push("base", "missing-field", "nothing", expected);
            }
            (true, false) => {}
        }
        self.commit("head", &n.head);
        self.name("test.name", &n.test.name);
        self.optional("test.version", n.test.version.as_deref());
        self.optional("test.description", n.test.description.as_deref());
        self.link("test.url", n.test.url.as_deref());
        for (key, value) in &n.test.parameters {
            self.name("test.parameters", key);
            self.line(format!("test.parameters.{}", clip(key)), value);
        }
        self.name("environment.machine", &n.environment.machine);
        self.environment("environment", &n.environment);
        if let Some(head) = &n.head_environment {
            self.environment("head_environment", head);
        }
        if let Some(tip) = &n.still_on {
            self.name("still_on.branch", &tip.branch);
            self.revision("still_on.commit", &tip.commit);
        }
        self.optional("regression", n.regression.as_deref());
        self.link("materials", n.materials.as_deref());
        for (i, text) in n.reproduce.iter().enumerate() {
            self.line(format!("reproduce[{i}]"), text);
        }
        for (i, text) in n.attachments.iter().enumerate() {
            self.line(format!("attachments[{i}]"), text);
        }
    }

    fn environment(&mut self, at: &str, environment: &super::Environment) {
        for (key, value) in environment.facts() {
            self.line(format!("{at}.{}", clip(key)), value);
        }
    }

    fn commit(&mut self, side: &str, commit: &Commit) {
        self.revision(&format!("{side}.commit"), &commit.commit);
        self.optional(&format!("{side}.subject"), commit.subject.as_deref());
        self.optional(&format!("{side}.date"), commit.date.as_deref());
        self.optional(&format!("{side}.message_id"), commit.message_id.as_deref());
        if let Some(author) = &commit.author {
            self.line(format!("{side}.author.name"), &author.name);
            self.mailbox(format!("{side}.author.email"), &author.email);
        }
        for (i, person) in commit.people.iter().enumerate() {
            self.name(&format!("{side}.people[{i}].role"), &person.role);
            self.line(format!("{side}.people[{i}].name"), &person.name);
            self.mailbox(format!("{side}.people[{i}].email"), &person.email);
        }
        for (i, list) in commit.lists.iter().enumerate() {
            self.mailbox(format!("{side}.lists[{i}]"), list);
        }
        for (i, file) in commit.files.iter().enumerate() {
            self.line(format!("{side}.files[{i}]"), file);
        }
    }

    fn metrics(&mut self, metrics: &[Metric]) {
        if metrics.len() > MAX_METRICS {
            let found = format!("{} metrics", metrics.len());
            self.push("metrics", "too-many-metrics", found, &format!("at most {MAX_METRICS}"));
        }
        let mut seen: HashMap<&str, usize> = HashMap::with_capacity(metrics.len());
        for (i, metric) in metrics.iter().enumerate() {
            let at = format!("metrics[{i}]");
            if let Some(first) = seen.insert(&metric.name, i) {
                let found = format!("\"{}\", which metrics[{first}] has too", clip(&metric.name));
                self.push(
                    format!("{at}.name"),
                    "duplicate-metric",
                    found,
                    "every metric once, with all its runs",
                );
            }
            self.name(&format!("{at}.name"), &metric.name);
            if let Some(unit) = &metric.unit
                && Unit::parse(unit).is_none()
            {
                let found = format!("\"{}\"", clip(unit));
                let expected = "a known unit (ms, KiB/s, ops/s, %, score, ...; see docs/notification.md), or none";
                self.push(format!("{at}.unit"), "unknown-unit", found, expected);
            }
            self.samples(&at, "base", &metric.base, metric.base_builds.as_deref());
            self.samples(&at, "head", &metric.head, metric.head_builds.as_deref());
            if metric.base.is_empty() && metric.head.is_empty() {
                self.push(
                    format!("{at}.head"),
                    "no-samples",
                    "no run on either side",
                    "at least one run of head",
                );
            }
        }
    }

    fn samples(&mut self, at: &str, side: &str, runs: &[Option<f64>], builds: Option<&[u32]>) {
        if runs.len() > MAX_RUNS {
            let found = format!("{} runs", runs.len());
            let expected = format!("at most {MAX_RUNS}: one value a run is enough");
            self.push(format!("{at}.{side}"), "too-many-samples", found, &expected);
        }
        for (i, value) in runs.iter().enumerate() {
            let Some(value) = value else { continue };
            if !value.is_finite() || value.abs() > MAX_VALUE {
                let found = format!("the number {value:e}");
                let expected = format!(
                    "a number of a magnitude up to {MAX_VALUE:e}, or null for a missing run"
                );
                self.push(format!("{at}.{side}[{i}]"), "not-finite", found, &expected);
            }
        }
        if let Some(builds) = builds
            && builds.len() != runs.len()
        {
            let found = format!("{} builds for {} runs", builds.len(), runs.len());
            self.push(
                format!("{at}.{side}_builds"),
                "length-differs",
                found,
                "one build index for every run",
            );
        }
    }

    fn failures(&mut self, n: &Notification) {
        if n.metrics.is_empty() && n.failures.is_empty() {
            self.push("metrics", "no-samples", "no metric and no failure", "at least one");
        }
        for (i, failure) in n.failures.iter().enumerate() {
            self.name(&format!("failures[{i}].name"), &failure.name);
            for (side, count) in [("base", failure.base), ("head", failure.head)] {
                if count.fails > count.runs {
                    let found = format!("{} failed runs of {}", count.fails, count.runs);
                    self.push(
                        format!("failures[{i}].{side}.fails"),
                        "out-of-range",
                        found,
                        "no more than the runs",
                    );
                }
                if count.runs > MAX_FAILURE_RUNS {
                    let expected = format!("at most {MAX_FAILURE_RUNS}");
                    self.push(
                        format!("failures[{i}].{side}.runs"),
                        "out-of-range",
                        count.runs.to_string(),
                        &expected,
                    );
                }
            }
        }
    }

    /// Not empty, one line, not too long.
    fn name(&mut self, path: &str, text: &str) {
        if text.trim().is_empty() {
            self.push(path, "empty", "an empty text", "a name");
        } else if text.len() > MAX_NAME {
            self.push(
                path,
                "too-long",
                format!("{} bytes", text.len()),
                &format!("at most {MAX_NAME}"),
            );
        } else {
            self.line(path.to_owned(), text);
        }
    }

    fn optional(&mut self, path: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.line(path.to_owned(), text);
        }
    }

    /// Control characters would break out of a header or a table.
    fn line(&mut self, path: String, text: &str) {
        if text.len() > MAX_TEXT {
            self.push(
                path,
                "too-long",
                format!("{} bytes", text.len()),
                &format!("at most {MAX_TEXT}"),
            );
        } else if text.chars().any(|c| c.is_control() && c != '\t') {
            self.push(
                path,
                "control-character",
                format!("\"{}\"", clip(text)),
                "one line without control characters",
            );
        }
    }

    fn revision(&mut self, path: &str, text: &str) {
        let legal = |c: char| {
            c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '+' | '~' | '^')
        };
        if text.is_empty() || text.len() > 200 || !text.chars().all(legal) || text.starts_with('-')
        {
            self.push(
                path,
                "not-a-commit",
                format!("\"{}\"", clip(text)),
                "40 hex digits, or a tag",
            );
        }
    }

    fn mailbox(&mut self, path: String, text: &str) {
        let whole = text
            .split_once('@')
            .is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty());
        let legal = |c: char| {
            !c.is_whitespace() && !c.is_control() && !matches!(c, '<' | '>' | ',' | ';' | '"')
        };
        if !whole || text.len() > 320 || !text.chars().all(legal) {
            self.push(
                path,
                "not-an-address",
                format!("\"{}\"", clip(text)),
                "an address, `local@domain`",
            );
        }
    }

    fn link(&mut self, path: &str, text: Option<&str>) {
        let Some(text) = text else { return };
        let scheme = ["https://", "http://", "git://", "ssh://", "ftp://"]
            .iter()
            .any(|s| text.starts_with(s));
        let legal = |c: char| !c.is_whitespace() && !c.is_control() && c != '<' && c != '>';
        if !scheme || text.len() > 2000 || !text.chars().all(legal) {
            self.push(
                path,
                "not-a-url",
                format!("\"{}\"", clip(text)),
                "a URL that begins with https://",
            );
        }
    }
}
