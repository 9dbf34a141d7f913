//! A file's text, and its JSON where it is JSON, parsed once for all formats.

use serde_json::Value;

use super::json::{self, Limits};
use super::problem::Problem;

/// What a format looks at.
#[derive(Debug)]
pub(crate) struct Content<'a> {
    /// File name, for problems.
    pub(crate) name: &'a str,
    /// The whole text.
    pub(crate) text: &'a str,
    /// The whole text as JSON (for fio: what follows the messages before it).
    pub(crate) json: Option<Value>,
    /// One JSON object a line.
    pub(crate) lines: Vec<Value>,
}

const LIMITS: Limits = Limits { values: 2_000_000, list: 1_000_000 };
/// Lines of messages that may stand before JSON.
const PREAMBLE: usize = 50;

impl<'a> Content<'a> {
    /// Looks at a text.
    ///
    /// # Errors
    /// JSON that begins well and breaks off.
    pub(crate) fn of(name: &'a str, text: &'a str) -> Result<Self, Vec<Problem>> {
        let text = text.trim_start_matches('\u{feff}');
        let mut content = Self { name, text, json: None, lines: Vec::new() };
        let start = text.trim_start();
        if start.starts_with('{') && several_objects(start) {
            content.lines = object_lines(name, start);
            if !content.lines.is_empty() {
                return Ok(content);
            }
        }
        if start.starts_with('{') || start.starts_with('[') {
            content.json = Some(json::parse(name, text, LIMITS)?);
        } else if let Some(rest) = after_messages(text) {
            content.json = json::parse(name, rest, LIMITS).ok();
        }
        Ok(content)
    }

    pub(crate) fn problem(
        &self,
        reason: &'static str,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Vec<Problem> {
        vec![Problem::whole(self.name, reason, found, expected)]
    }

    /// A member of the JSON object.
    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.json.as_ref()?.get(key)
    }
}

/// Whether a second object follows on a later line.
fn several_objects(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let whole = |line: &str| line.trim_start().starts_with('{') && line.trim_end().ends_with('}');
    lines.next().is_some_and(whole) && lines.next().is_some_and(whole)
}

fn object_lines(name: &str, text: &str) -> Vec<Value> {
    let limits = Limits { values: 100_000, list: 50_000 };
    let lines = text.lines().filter(|line| line.starts_with('{')).take(100_000);
    lines.filter_map(|line| json::parse(name, line, limits).ok()).collect()
}

fn after_messages(text: &str) -> Option<&str> {
    let mut offset = 0;
    for line in text.split_inclusive('\n').take(PREAMBLE) {
        if line.trim_end() == "{" {
            return text.get(offset..);
        }
        offset += line.len();
    }
    None
}

/// Ways into JSON that never fail.
pub(crate) trait Reach {
    /// A finite number, also when it stands as a text.
    fn number(&self) -> Option<f64>;
    /// A text.
    fn words(&self) -> Option<&str>;
    /// A member of a member.
    fn at(&self, path: &[&str]) -> Option<&Value>;
    /// The finite numbers of a list.
    fn numbers(&self) -> Vec<f64>;
    /// The elements of a list; none of anything else.
    fn items(&self) -> &[Value];
}

impl Reach for Value {
    fn number(&self) -> Option<f64> {
        match self {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        }
        .filter(|number| number.is_finite())
    }

    fn words(&self) -> Option<&str> {
        self.as_str().map(str::trim).filter(|text| !text.is_empty())
    }

    fn at(&self, path: &[&str]) -> Option<&Value> {
        path.iter().try_fold(self, |value, key| value.get(key))
    }

    fn numbers(&self) -> Vec<f64> {
        self.items().iter().filter_map(Reach::number).collect()
    }

    fn items(&self) -> &[Value] {
        self.as_array().map_or(&[], Vec::as_slice)
    }
}

/// A number at the start of a text word, with `,` between thousands and a unit behind it left out: `12,345`, `4.5%`.
pub(crate) fn number(word: &str) -> Option<f64> {
    let plain: String = word.trim().chars().filter(|c| *c != ',').collect();
    let end = plain
        .char_indices()
        .find(|(i, c)| {
            !(c.is_ascii_digit()
                || matches!(c, '.' | '+' | '-')
                || (matches!(c, 'e' | 'E') && *i > 0))
        })
        .map_or(plain.len(), |(i, _)| i);
    plain[..end].trim_end_matches(['e', 'E']).parse::<f64>().ok().filter(|value| value.is_finite())
}
