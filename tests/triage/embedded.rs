//! Every rule keeps what its examples promise.

use std::collections::BTreeSet;

use regard::triage::{Fact, Label, Rules, check};

fn rules() -> Rules {
    Rules::embedded().unwrap_or_else(|errors| {
        panic!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    })
}

#[test]
fn examples_are_found_and_near_misses_are_not() {
    let errors: Vec<String> = check(&rules()).iter().map(ToString::to_string).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn ids_are_slugs_and_reasons_are_given() {
    let rules = rules();
    assert!(rules.len() > 100 && !rules.is_empty());
    let mut ids = BTreeSet::new();
    for rule in rules.iter() {
        let slug = rule.id.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        assert!(slug && !rule.id.starts_with('-'), "{}", rule.id);
        assert!(rule.why.ends_with(['.', '?']), "{}: {}", rule.id, rule.why);
        assert!(ids.insert(rule.id.clone()), "{} stands twice", rule.id);
        assert!(rule.place.0.ends_with(".toml") && rule.place.1 > 0, "{}", rule.id);
    }
}

/// Talk, questions and machine mail move nothing; whatever moves a state says from where to where.
#[test]
fn only_verdicts_move_states() {
    let quiet = [
        Label::NoAction,
        Label::NeedsInfo,
        Label::OffTopic,
        Label::Ping,
        Label::ReviewOnly,
        Label::RobotSelf,
        Label::PatchRespin,
        Label::TestRequest,
    ];
    for rule in rules().iter() {
        assert_eq!(rule.effect.is_none(), quiet.contains(&rule.label), "{}", rule.id);
    }
}

#[test]
fn facts_have_names_of_their_own() {
    let names: BTreeSet<&str> = Fact::ALL.iter().map(|(_, name, _)| *name).collect();
    assert_eq!(names.len(), Fact::ALL.len());
    // A set of facts is a number of 64 bits.
    assert!(Fact::ALL.len() <= 64);
}

#[test]
fn every_key_and_fact_is_documented() {
    let page = include_str!("../../docs/rules.md");
    for (_, name, _) in Fact::ALL {
        assert!(page.contains(&format!("`{name}`")), "docs/rules.md does not tell of `{name}`");
    }
    let keys = [
        "label",
        "effect",
        "why",
        "rank",
        "robot",
        "id",
        "since",
        "weight",
        "text",
        "and",
        "not",
        "answers",
        "not-answers",
        "mail",
        "not-mail",
        "subject",
        "form",
        "only",
        "role",
        "not-role",
        "origin",
        "has",
        "has-any",
        "lacks",
        "opens",
        "matches",
        "misses",
    ];
    for key in keys {
        assert!(page.contains(&format!("`{key}`")), "docs/rules.md does not tell of `{key}`");
    }
}

#[test]
fn people_who_run_robots_are_known_by_their_talk() {
    let rules = rules();
    let lab =
        rules.lab("hi Jo,", "we reran our tests on two more platforms", "Kind regards\nrobot team");
    assert!(lab.talk >= 2 && lab.greets && lab.signs, "{lab:?}");
    let other = rules.lab("Hi Jo,", "I can reproduce it on my laptop.", "Mo");
    assert!(other.talk == 0 && !other.greets && !other.signs, "{other:?}");
}
