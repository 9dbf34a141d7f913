//! The log: nothing is lost, everything can be undone.

use regard::regression::{
    Entry, Fix, Gone, Happening, Landing, Order, Regression, RegressionId, Role, Standing, State,
};

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

fn found(at: i64, commit: &str, subject: &str, instead_of: Option<&str>) -> Entry {
    let what = Happening::Found {
        tree: "linus".to_owned(),
        order: Order::Mainline,
        commit: commit.to_owned(),
        subject: subject.to_owned(),
        author: Some("mira@example.org".to_owned()),
        instead_of: instead_of.map(str::to_owned),
    };
    words("mira@example.org", Role::Other, at, what)
}

fn named(at: i64, fix: Fix) -> Entry {
    words("mira@example.org", Role::Other, at, Happening::FixNamed(fix))
}

fn subject(text: &str) -> Fix {
    Fix { subject: Some(text.to_owned()), ..Fix::default() }
}

#[test]
fn a_fix_that_is_named_again_keeps_its_first_day() {
    let mut r = Regression::open(&opening()).expect("opened");
    r.apply(&named(1, subject("sched: a fix")));
    r.apply(&words("timer", Role::Other, 2, Happening::FixMissed { fix: "a fix".to_owned() }));
    let patch = Some("v2@example.org".to_owned());
    r.apply(&named(3, Fix { patch: patch.clone(), ..subject("[PATCH v2] sched: A fix") }));
    let fix = Fix { patch, ..subject("sched: a fix") };
    assert_eq!((r.fix.clone(), r.fix_missed), (Some((fix, hour(1))), Some(hour(2))));
    r.apply(&named(4, subject("sched: another fix")));
    assert_eq!(r.fix, Some((subject("sched: another fix"), hour(4))));
    assert_eq!(r.fix_missed, None, "another fix may be missed once, too");
}

#[test]
fn what_landed_is_the_fix_whatever_was_announced() {
    let mut r = Regression::open(&opening()).expect("opened");
    r.apply(&named(1, subject("sched: an idea")));
    r.apply(&found(2, "0123456789ab", "sched: a fix", None));
    r.apply(&found(3, "abcdef012345", "sched: its second half", None));
    let (fix, at) = r.fix.clone().expect("named");
    assert_eq!((fix.commit.as_deref(), at), (Some("0123456789ab"), hour(2)));
    assert_eq!(fix.author.as_deref(), Some("mira@example.org"));
    r.apply(&found(4, "fedcba987654", "sched: a better name", Some("0123456789ab")));
    let (fix, at) = r.fix.clone().expect("named");
    assert_eq!((fix.commit.as_deref(), at), (Some("fedcba987654"), hour(2)), "amended");
    assert_eq!(fix.subject.as_deref(), Some("sched: a better name"));
    assert_eq!(r.landings.iter().filter(|l| l.is_live()).count(), 2);
}

#[test]
fn a_fix_that_does_not_help_counts_nowhere() {
    let mut r = Regression::open(&opening()).expect("opened");
    r.apply(&found(2, "0123456789ab", "sched: a fix", None));
    r.apply(&words("lab@example.org", Role::Robot, 3, Happening::FixForgotten));
    assert_eq!((r.fix.clone(), r.refuted.clone()), (None, vec!["0123456789ab".to_owned()]));
    let gone: Vec<_> = r.landings.iter().map(|l| l.gone.clone()).collect();
    assert_eq!(gone, [Some(Gone::Refuted)]);
    assert!(!r.landings.iter().any(Landing::is_live));
}

#[test]
fn an_entry_survives_json() {
    let lost = Happening::Lost {
        commits: vec!["0123456789ab".to_owned()],
        tree: None,
        gone: Gone::Reverted { by: "abcdef012345".to_owned() },
    };
    for entry in [
        opening(),
        moved("ann@example.org", 1, State::Open, State::FixQueued),
        found(2, "0123456789ab", "sched: a fix", None),
        words("ann@example.org", Role::Other, 3, lost),
    ] {
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
