//! Whether rules do what their examples say.

use super::decide::decide;
use super::engine::Reader;
use super::facts::{Context, facts};
use super::rules::{Example, Rule, Rules};
use super::sentence::sentences;
use super::source::RuleError;
use crate::mail::{self, Message, Origin};
use crate::regression::Role;

/// Runs every example of every rule.
///
/// Each of `matches` must make its rule fire, and the verdict must come out of the whole mail: a rule whose verdict
/// never comes out is unreachable. None of `misses` may make it fire.
pub fn check(rules: &Rules) -> Vec<RuleError> {
    let mut errors = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        let mut comes_out = false;
        for example in &rule.matches {
            let (fired, labels) = run(rules, number, example);
            comes_out |= labels.contains(&rule.label);
            if !fired {
                errors.push(failure(
                    rule,
                    example,
                    format!("`{}` does not find its example: {}", rule.id, shown(example)),
                    "Widen the patterns, or mend the example.",
                ));
            }
        }
        for example in &rule.misses {
            if run(rules, number, example).0 {
                errors.push(failure(
                    rule,
                    example,
                    format!("`{}` finds what it must miss: {}", rule.id, shown(example)),
                    "Narrow the patterns, or use `not`, `lacks` or `form`.",
                ));
            }
        }
        let fired = rule.matches.iter().any(|e| run(rules, number, e).0);
        if fired && !comes_out && rule.weight >= 0.5 {
            let first = rule.matches.first().cloned().unwrap_or_default();
            errors.push(failure(
                rule,
                &first,
                format!("`{}` is unreachable: other rules decide all of its examples", rule.id),
                "Give it more weight, or remove it.",
            ));
        }
    }
    for (label, file, example) in &rules.examples {
        let found = run(rules, usize::MAX, example).1;
        if found.first() == Some(label) {
            continue;
        }
        let instead = found.first().map_or_else(|| "undecided".to_owned(), ToString::to_string);
        errors.push(RuleError {
            file: file.clone(),
            line: example.line,
            column: example.column,
            what: format!("read as {instead}, not as {label}: {}", shown(example)),
            cure: "Widen a rule of this verdict or write a new one, or take the example out."
                .to_owned(),
        });
    }
    errors
}

fn shown(example: &Example) -> String {
    let text = example.text.replace('\n', " ");
    let cut = text.char_indices().nth(100).map_or(text.as_str(), |(at, _)| &text[..at]);
    format!("\"{cut}\"")
}

fn failure(rule: &Rule, example: &Example, what: String, cure: &str) -> RuleError {
    RuleError {
        file: rule.place.0.clone(),
        line: example.line,
        column: example.column,
        what,
        cure: cure.to_owned(),
    }
}

/// Whether the rule fires on the example, and which verdicts come out of it.
fn run(rules: &Rules, number: usize, example: &Example) -> (bool, Vec<super::Label>) {
    let message = mail_of(example);
    let trailers = mail::trailers(&message);
    let subject = message.subject.trim_start();
    let posting = subject.starts_with('[') && subject.to_ascii_uppercase().contains("PATCH");
    let context = Context {
        message: &message,
        origin: if posting { Origin::Patch } else { Origin::Reply },
        role: example.role.unwrap_or(Role::Other),
        trailers: &trailers,
        culprit: Some("c0ffee1234".to_owned()),
        reports: mail::MessageId::clean("report@example.org").into_iter().collect(),
        commands: false,
        taken: Vec::new(),
    };
    let sentences = sentences(&message);
    let mut facts = facts(&context, &sentences, &rules.words);
    example.has.iter().for_each(|fact| facts.add(*fact, true));
    let reader = Reader::with(rules, &context, sentences, facts);
    let hits = reader.hits();
    let fired = hits.iter().any(|h| h.rule == number);
    let labels = decide(&reader, &hits).findings.into_iter().map(|f| f.label).collect();
    (fired, labels)
}

fn mail_of(example: &Example) -> Message {
    let mut raw =
        String::from("From: Jo Doe <jo@example.org>\nIn-Reply-To: <report@example.org>\nSubject: ");
    raw += if example.subject.is_empty() {
        "Re: [x] c0ffee1234: score 12% regression"
    } else {
        &example.subject
    };
    raw += "\nContent-Type: text/plain; charset=utf-8\n\n";
    if !example.answers.is_empty() {
        raw += "On Mon, 12 Jan 2026, Somebody wrote:\n";
        for line in example.answers.lines() {
            raw += &format!("> {line}\n");
        }
        raw.push('\n');
    }
    raw += &example.text;
    raw.push('\n');
    mail::parse(raw.as_bytes())
}
