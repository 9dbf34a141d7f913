//! The tracked regression: what moves it, and what its log remembers.

mod log;

use jiff::Timestamp;
use regard::mail::Address;
use regard::regression::{
    Cause, Claim, Entry, Fix, Happening, Opening, Regression, RegressionId, Role, State, Step,
};
use regard::report::ReportKind;
use regard::triage::Label;
use serde::Deserialize;

#[derive(Deserialize)]
struct Claims {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    state: State,
    mover: Option<(String, Role)>,
    fix_author: Option<String>,
    #[serde(default = "other")]
    role: Role,
    label: Label,
    to: State,
    #[serde(default)]
    names_it: bool,
    moves: Option<State>,
    keeps: Option<String>,
}

fn other() -> Role {
    Role::Other
}

/// `n` hours after the first morning.
pub(crate) fn hour(n: i64) -> Timestamp {
    Timestamp::from_second(1_780_000_000 + 3600 * n).expect("in range")
}

pub(crate) fn opening() -> Entry {
    let about = Opening {
        id: RegressionId::derive("report@example.org"),
        kind: ReportKind::Regression,
        title: "hackbench.throughput -9.8% regression".to_owned(),
        ours: true,
        report: Some("report@example.org".to_owned()),
        reporter: None,
        by_robot: false,
        tree: Some("linus".to_owned()),
        branch: Some("master".to_owned()),
        base: None,
        commit: Some("3f1d0c5a9b7e42d68c1f0a5b9e7d3c2b1a0f9e8d".to_owned()),
        commit_subject: None,
        author: None,
        maintainers: Vec::new(),
        readers: Vec::new(),
        patch: None,
        test: Some("hackbench".to_owned()),
        metric: Some("hackbench.throughput".to_owned()),
        change_percent: Some(-9.8),
        machine: Some("lab-a".to_owned()),
        parameters: String::new(),
    };
    let cause =
        Cause::Results { message: "n1@example.org".to_owned(), reason: "moderated-t".to_owned() };
    Entry { at: hour(0), cause, what: Happening::Opened(Box::new(about)) }
}

pub(crate) fn words(who: &str, role: Role, at: i64, what: Happening) -> Entry {
    let from = Some(Address { name: String::new(), email: who.to_owned() });
    let cause = Cause::Words {
        message: format!("{at}@example.org"),
        from,
        role,
        words: "so they say".to_owned(),
        rule: "a-rule".to_owned(),
        settled_by: None,
    };
    Entry { at: hour(at), cause, what }
}

/// A regression in the state of the case, by way of its log.
fn standing(case: &Case) -> Regression {
    let (who, role) = case.mover.clone().unwrap_or(("zoe@example.org".to_owned(), Role::Other));
    let mut log = vec![opening()];
    if let Some(author) = &case.fix_author {
        let fix = Fix {
            subject: Some("a fix".to_owned()),
            author: Some(author.clone()),
            ..Fix::default()
        };
        log.push(words(author, Role::Other, 1, Happening::FixNamed(fix)));
    }
    log.push(words(&who, role, 2, Happening::Moved { from: State::Open, to: case.state }));
    Regression::fold(&log).expect("opened")
}

#[test]
fn claims() {
    let text = include_str!("claims.toml");
    let claims: Claims = toml::from_str(text).expect("claims.toml");
    assert!(claims.case.len() > 25);
    for case in claims.case {
        let claim = Claim {
            label: case.label,
            to: case.to,
            role: case.role,
            speaker: Some("ann@example.org"),
            names_it: case.names_it,
        };
        let step = claim.judge(&standing(&case));
        let expected = match (case.moves, &case.keeps) {
            (Some(to), None) => Step::Move(to),
            (None, Some(why)) => match step {
                Step::Keep(found) if found == why => step,
                _ => Step::Keep("something else"),
            },
            _ => panic!("{}: says both or nothing", case.name),
        };
        assert_eq!(step, expected, "{}: want {:?} {:?}", case.name, case.moves, case.keeps);
    }
}
