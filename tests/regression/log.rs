//! The log: nothing is lost, everything can be undone.

use regard::regression::{Entry, Happening, Regression, RegressionId, Role, Standing, State};

use crate::{hour, opening, words};

fn moved(who: &str, at: i64, from: State, to: State) -> Entry {
    words(who, Role::Other, at, Happening::Moved { from, to })
}

#[test]
fn applying_one_by_one_and_folding_agree() {
    let log = vec![
        opening(),
        moved("ann@example.org", 1, State::Open, State::Investigating),
        words(
            "bob@example.org",
            Role::Author,
            2,
            Happening::Titled { title: "a better title".to_owned() },
        ),
        moved("bob@example.org", 3, State::Investigating, State::Expected),
        words(
            "bob@example.org",
            Role::Author,
            4,
            Happening::Noted { text: "by design".to_owned() },
        ),
    ];
    let mut applied = Regression::open(&log[0]).expect("an opening");
    for entry in &log[1..] {
        applied.apply(entry);
    }
    assert_eq!(Some(applied.clone()), Regression::fold(&log));
    assert_eq!(applied.state, State::Expected);
    assert_eq!(applied.since, hour(3));
    assert_eq!(applied.touched, hour(4));
    assert_eq!(applied.about.title, "a better title");
    assert_eq!(applied.mover.map(|m| m.who).as_deref(), Some("bob@example.org"));
}

#[test]
fn undoing_a_move_brings_the_earlier_standing_back() {
    let mut log = vec![
        opening(),
        moved("ann@example.org", 1, State::Open, State::Confirmed),
        moved("bob@example.org", 2, State::Confirmed, State::Dropped),
    ];
    log.push(words("ops@example.org", Role::Operator, 3, Happening::Undone { entry: 3 }));
    let undone = Regression::fold(&log).expect("opened");
    assert_eq!((undone.state, undone.since), (State::Confirmed, hour(1)));
    assert_eq!(undone.mover.map(|m| m.who).as_deref(), Some("ann@example.org"));
    assert_eq!(undone.entries, 4, "the log keeps what was undone");
}

#[test]
fn an_undone_opening_leaves_nothing() {
    let log = vec![
        opening(),
        words("ops@example.org", Role::Operator, 1, Happening::Undone { entry: 1 }),
    ];
    assert_eq!(Regression::fold(&log), None);
}

#[test]
fn laid_to_rest_is_closed_until_it_moves_again() {
    let mut regression = Regression::fold(&[opening()]).expect("opened");
    regression.apply(&moved("bob@example.org", 1, State::Open, State::Expected));
    assert!(!regression.is_closed());
    regression.apply(&words("bob@example.org", Role::Other, 2, Happening::LaidToRest));
    assert!(regression.is_closed());
    assert_eq!(regression.state.standing(), Standing::Answered);
    regression.apply(&moved("cyd@example.org", 3, State::Expected, State::Open));
    assert!(!regression.is_closed());
}

#[test]
fn an_entry_survives_json() {
    for entry in [opening(), moved("ann@example.org", 1, State::Open, State::FixQueued)] {
        let text = serde_json::to_string(&entry).expect("to JSON");
        assert_eq!(serde_json::from_str::<Entry>(&text).expect("from JSON"), entry, "{text}");
    }
}

#[test]
fn ids_are_stable_and_forgiving() {
    let id = RegressionId::derive("report@example.org");
    assert_eq!(id.as_str().len(), 8);
    assert_eq!(RegressionId::derive("report@example.org"), id);
    assert_ne!(RegressionId::derive("report2@example.org"), id);
    assert_eq!(RegressionId::parse(&id.as_str().to_uppercase()), Some(id));
    assert_eq!(RegressionId::parse("OIL00000").map(|i| i.to_string()).as_deref(), Some("01100000"));
    for bad in ["", "short", "toolongid", "abcu1234", "abc-1234", "\u{e9}bcd123"] {
        assert_eq!(RegressionId::parse(bad), None, "{bad}");
    }
}
