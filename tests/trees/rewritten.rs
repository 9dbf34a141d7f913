//! Branches that are rewritten: a fix is amended, renamed, made anew, or dropped.

use regard::regression::{Happening, State};

use crate::house::{House, REPORT, day, fix, golden, tree};
use crate::repo::Repo;

fn queued() -> (Repo, House, String) {
    let next = Repo::new();
    next.change("fair.c", "start\n", "sched: start\n");
    let mut house = House::with_report(&tree("next", "incoming", next.path()));
    house.visit("next", day(2));
    let message = fix(&format!("Closes: https://lists.example.org/r/{REPORT}"));
    let landed = next.change("fair.c", "better\n", &message);
    house.visit("next", day(3));
    assert_eq!(house.state(), State::FixQueued);
    (next, house, landed)
}

/// The last entry of the log.
fn last(house: &mut House) -> Happening {
    let id = house.regression().about.id.clone();
    house.desk.store.look(|tx| tx.entries(&id)).unwrap().pop().unwrap().what
}

fn is_instead_of(house: &mut House, old: &str, new: &str) {
    match last(house) {
        Happening::Found { commit, instead_of, .. } => {
            assert_eq!((commit.as_str(), instead_of.as_deref()), (new, Some(old)));
        }
        other => panic!("{other:?}"),
    }
    let r = house.regression();
    assert_eq!(r.state, State::FixQueued);
    assert_eq!(r.fix.unwrap().0.commit.as_deref(), Some(new));
    assert_eq!(r.landings.iter().filter(|l| l.is_live()).count(), 1);
}

#[test]
fn amended_under_the_same_subject() {
    let (next, mut house, landed) = queued();
    std::fs::write(next.path().join("fair.c"), "best\n").unwrap();
    next.git(&["commit", "-q", "-a", "--amend", "--no-edit", "--reset-author"]);
    assert_eq!(house.visit("next", day(4)), 1);
    is_instead_of(&mut house, &landed, &next.head());
}

#[test]
fn renamed_by_its_author() {
    let (next, mut house, landed) = queued();
    next.git(&["commit", "-q", "--amend", "-m", "sched/fair: stay close to the waker"]);
    assert_eq!(house.visit("next", day(4)), 1);
    is_instead_of(&mut house, &landed, &next.head());
}

#[test]
fn made_anew_with_the_same_change() {
    let (next, mut house, landed) = queued();
    next.git(&["reset", "-q", "--hard", "HEAD~1"]);
    next.commit("something before\n");
    let anew = next.change("fair.c", "better\n", "sched/fair: stay close to the waker\n");
    next.commit("something after\n");
    assert_eq!(house.visit("next", day(4)), 1);
    is_instead_of(&mut house, &landed, &anew);
}

#[test]
fn a_daily_rebase_that_keeps_the_commit_is_no_news() {
    let (next, mut house, landed) = queued();
    for n in 4..8 {
        next.git(&["reset", "-q", "--hard", &landed]);
        next.commit(&format!("Add linux-next specific files for day {n}\n"));
        assert_eq!(house.visit("next", day(n)), 0);
    }
}

#[test]
fn gone_for_a_day_is_no_news_and_gone_for_good_is() {
    let (next, mut house, landed) = queued();
    next.git(&["reset", "-q", "--hard", "HEAD~1"]);
    next.commit("a day without it\n");
    assert_eq!(house.visit("next", day(4)), 0);
    next.git(&["reset", "-q", "--hard", &landed]);
    assert_eq!(house.visit("next", day(5)), 0);

    next.git(&["reset", "-q", "--hard", "HEAD~1"]);
    next.commit("many days without it\n");
    assert_eq!(house.visit("next", day(6)), 0);
    assert_eq!(house.visit("next", day(7)), 0);
    assert_eq!(house.state(), State::FixQueued);
    assert_eq!(house.visit("next", day(8)), 2);
    assert_eq!(house.state(), State::FixProposed, "nobody said that it is bad");
    assert_eq!(house.visit("next", day(9)), 0);

    next.change("fair.c", "better\n", &fix("Acked-by: Teo Dor <teo@example.org>"));
    assert_eq!(house.visit("next", day(20)), 2);
    assert_eq!(house.state(), State::FixQueued);
    golden("stories/dropped-and-back.txt", &house.show());
}

#[test]
fn a_tip_that_was_collected_as_garbage_is_survived() {
    let (next, mut house, landed) = queued();
    next.git(&["commit", "-q", "--amend", "-m", &fix("Acked-by: Teo Dor <teo@example.org>")]);
    next.git(&["reflog", "expire", "--expire=now", "--all"]);
    next.git(&["gc", "-q", "--prune=now"]);
    assert_eq!(house.visit("next", day(4)), 1);
    is_instead_of(&mut house, &landed, &next.head());
}
