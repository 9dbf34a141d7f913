//! Labels, as syzbot's users set them.

use super::super::said::Said;
use super::Hand;
use crate::regression::command::Given;
use crate::regression::{Happening, Regression};

/// The labels that exist, each with the values that it may have; none means any.
pub(super) const LABELS: &[(&str, &[&str])] = &[
    ("prio", &["low", "normal", "high"]),
    ("subsystems", &[]),
    ("no-reminders", &[]),
    ("actionable", &[]),
    ("race", &[]),
    ("missing-backport", &[]),
    ("origin", &[]),
];

impl Hand<'_> {
    pub(super) fn set_label(
        &mut self,
        given: &Given,
        regression: &Regression,
        label: &str,
        values: &[String],
    ) -> Said {
        let marker = given.marker.as_str();
        let Some((name, known)) = LABELS.iter().find(|(name, _)| *name == label) else {
            return unknown(marker, "set", label, values);
        };
        if let Some(wrong) =
            values.iter().find(|v| !known.is_empty() && !known.contains(&v.as_str()))
        {
            let near = crate::triage::nearest(wrong, &owned(known));
            return Said::Unclear {
                why: format!("`{name}` is one of {}", known.join(", ")),
                did_you_mean: near.map(|near| format!("{marker} set {name}: {near}")),
            };
        }
        if !known.is_empty() && values.len() != 1 || *name == "subsystems" && values.is_empty() {
            let example = known.first().copied().unwrap_or("<name>");
            return Said::Unclear {
                why: format!("`{name}` needs a value"),
                did_you_mean: Some(format!("{marker} set {name}: {example}")),
            };
        }
        if regression.labels.get(label).is_some_and(|old| old == values) {
            return Said::AlreadySo;
        }
        let (label, values) = (label.to_owned(), values.to_vec());
        self.append(given, Happening::Labelled { label, values })
    }

    pub(super) fn unset_label(
        &mut self,
        given: &Given,
        regression: &Regression,
        label: &str,
    ) -> Said {
        if !LABELS.iter().any(|(name, _)| *name == label) {
            return unknown(given.marker.as_str(), "unset", label, &[]);
        }
        if !regression.labels.contains_key(label) {
            return Said::AlreadySo;
        }
        self.append(given, Happening::Unlabelled { label: label.to_owned() })
    }
}

fn unknown(marker: &str, verb: &str, label: &str, values: &[String]) -> Said {
    let names: Vec<String> = LABELS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let values = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
    let near = crate::triage::nearest(label, &names);
    Said::Unclear {
        why: format!("there is no label `{label}`, only {}", names.join(", ")),
        did_you_mean: near.map(|near| format!("{marker} {verb} {near}{values}")),
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|n| (*n).to_owned()).collect()
}
