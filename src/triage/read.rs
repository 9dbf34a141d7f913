//! The way in: a mail read by the rules.

use super::Label;
use super::decide::decide;
use super::engine::{Hit, Reader};
use super::explain::Explanation;
use super::facts::Context;
use super::learned::{Opinion, advise};
use super::reading::{Evidence, Finding, Reading};
use super::rules::Rules;
use crate::mail::Origin;

/// Reads one mail. Machine mail gets its label from its origin; no rule looks at its words.
pub fn read(rules: &Rules, context: &Context<'_>) -> Reading {
    match of_machine(context.origin) {
        Some(reading) => reading,
        None => {
            let reader = Reader::new(rules, context);
            conclude(&reader, &reader.hits()).0
        }
    }
}

/// Reads one mail and tells of every rule why it fired or did not.
pub fn explain(rules: &Rules, context: &Context<'_>) -> (Reading, Explanation) {
    let reader = Reader::new(rules, context);
    let hits = reader.hits();
    let (reading, opinion) = match of_machine(context.origin) {
        Some(reading) => (reading, None),
        None => conclude(&reader, &hits),
    };
    (reading, Explanation::new(&reader, opinion.as_ref()))
}

/// What the rules find, weighed as sayings teach, and what these made of it.
fn conclude(reader: &Reader<'_>, hits: &[Hit]) -> (Reading, Option<Opinion>) {
    let mut reading = decide(reader, hits);
    let opinion = advise(reader, hits, &mut reading);
    (reading, opinion)
}

fn of_machine(origin: Origin) -> Option<Reading> {
    let label = match origin {
        Origin::AutoReply => Label::AutoReply,
        Origin::Bounce => Label::Bounce,
        Origin::Moderation => Label::Moderation,
        Origin::Own | Origin::Notification | Origin::Report => return Some(Reading::default()),
        Origin::Reply | Origin::Patch | Origin::Other => return None,
    };
    let finding = Finding {
        label,
        rule: format!("origin-{label}"),
        effect: None,
        weight: 1.0,
        evidence: Evidence::default(),
        points_at: None,
    };
    Some(Reading { findings: vec![finding], hints: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::super::check::reader_of;
    use super::*;

    /// The sayings may doubt a rule, but hardly on its own examples: plain words stay what they are.
    #[test]
    fn rules_keep_their_own_examples() {
        let rules = Rules::embedded().unwrap_or_else(|errors| panic!("{errors:?}"));
        let (mut all, mut lost) = (0, Vec::new());
        for rule in rules.iter() {
            for example in &rule.matches {
                reader_of(&rules, example, |reader| {
                    let hits = reader.hits();
                    let first = |reading: Reading| reading.primary().map(|f| f.label);
                    if first(decide(reader, &hits)) != Some(rule.label) {
                        return;
                    }
                    all += 1;
                    if first(conclude(reader, &hits).0) != Some(rule.label) {
                        lost.push(format!("{}: {}", rule.id, example.text));
                    }
                });
            }
        }
        assert!(all > 400 && lost.len() * 100 <= all, "{} of {all} lost: {lost:#?}", lost.len());
    }
}
