//! Nothing that somebody sent reaches a template with line breaks, controls or, where that is asked for, non-ASCII letters.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::report::{Brief, Finding, Point, plain};

/// How texts are cleaned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cleaner {
    /// Transliterate.
    pub(super) ascii: bool,
}

impl Cleaner {
    pub(super) fn text(self, text: &str) -> String {
        let line = plain::one_line(text);
        // Transliteration may give blanks at the ends and controls are gone already.
        if self.ascii { plain::ascii(&line).trim().to_owned() } else { line }
    }

    /// A text of several lines.
    pub(super) fn lines(self, text: &str) -> Vec<String> {
        text.lines().map(|line| self.text(line)).collect()
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
        // A command of several lines stays one.
        notification.reproduce =
            finding.notification.reproduce.iter().flat_map(|text| self.lines(text)).collect();
        let mut changes = finding.changes.clone();
        for change in &mut changes {
            change.metric = self.text(&change.metric);
            change.unit = change.unit.as_deref().map(|unit| self.text(unit));
        }
        let point = |p: &Point| Point { commit: self.text(&p.commit), value: p.value };
        Finding {
            notification,
            changes,
            rounds: finding.rounds.clone(),
            history: finding.history.iter().map(point).collect(),
        }
    }

    /// Every string of a value, keys included.
    fn all<T: Serialize + DeserializeOwned + Clone>(self, value: &T) -> T {
        let cleaned = serde_json::to_value(value).map(|v| self.json(v));
        cleaned.and_then(serde_json::from_value).unwrap_or_else(|_| value.clone())
    }

    fn json(self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Array(items) => Value::Array(items.into_iter().map(|v| self.json(v)).collect()),
            Value::Object(map) => Value::Object(
                map.into_iter().map(|(key, v)| (self.text(&key), self.json(v))).collect(),
            ),
            other => other,
        }
    }
}
