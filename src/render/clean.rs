//! Nothing that somebody sent reaches a template with line breaks, controls or, where that is asked for, non-ASCII letters.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::report::{Brief, Finding, Point, number, plain};

/// Longest description and quoted line, in characters.
const DESCRIPTION: usize = 1000;
/// Longest key of a map.
const KEY: usize = 60;
/// Lines of a quoted text.
const LINES: usize = 60;

/// How texts are cleaned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cleaner {
    /// Transliterate.
    pub(super) ascii: bool,
    /// Longest text that nobody needs in full, in characters.
    pub(super) text: usize,
    /// Entries of a map (parameters, facts of an environment).
    pub(super) entries: usize,
}

impl Cleaner {
    pub(super) fn text(self, text: &str) -> String {
        let line = plain::one_line(text);
        // Transliteration may give blanks at the ends and controls are gone already.
        if self.ascii { plain::ascii(&line).trim().to_owned() } else { line }
    }

    /// A text that nobody needs in full.
    pub(super) fn brief_text(self, text: &str) -> String {
        number::shorten(&self.text(text), self.text)
    }

    /// A text of several lines.
    pub(super) fn lines(self, text: &str) -> Vec<String> {
        text.lines()
            .take(LINES)
            .map(|line| number::shorten(&self.text(line), DESCRIPTION))
            .collect()
    }

    pub(super) fn brief(self, brief: &Brief) -> Brief {
        Brief {
            kind: brief.kind,
            lead: self.finding(&brief.lead),
            others: brief.others.iter().map(|f| self.finding(f)).collect(),
        }
    }

    pub(super) fn finding(self, finding: &Finding) -> Finding {
        let mut notification = self.all(&finding.notification);
        let description = finding.notification.test.description.as_deref();
        notification.test.description =
            description.map(|text| number::shorten(&self.text(text), DESCRIPTION));
        // A command of several lines stays that.
        notification.reproduce =
            finding.notification.reproduce.iter().flat_map(|text| self.lines(text)).collect();
        let mut changes = finding.changes.clone();
        for change in &mut changes {
            change.metric = self.brief_text(&change.metric);
            change.unit = change.unit.as_deref().map(|unit| self.brief_text(unit));
        }
        let point = |p: &Point| Point { commit: self.brief_text(&p.commit), value: p.value };
        Finding {
            notification,
            changes,
            rounds: finding.rounds.clone(),
            history: finding.history.iter().map(point).collect(),
            pooled: finding.pooled,
        }
    }

    /// Every string of a value, keys included, none of them endless.
    fn all<T: Serialize + DeserializeOwned + Clone>(self, value: &T) -> T {
        let cleaned = serde_json::to_value(value).map(|v| self.json(v));
        cleaned.and_then(serde_json::from_value).unwrap_or_else(|_| value.clone())
    }

    fn json(self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.brief_text(&text)),
            Value::Array(items) => Value::Array(items.into_iter().map(|v| self.json(v)).collect()),
            Value::Object(map) => {
                let free = map.values().all(Value::is_string);
                let entries = map.into_iter().take(if free { self.entries } else { usize::MAX });
                Value::Object(
                    entries
                        .map(|(key, v)| (number::shorten(&self.text(&key), KEY), self.json(v)))
                        .collect(),
                )
            }
            other => other,
        }
    }
}
