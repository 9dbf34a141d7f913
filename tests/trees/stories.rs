//! Stories: mail comes in, commits land, are reverted, land again.

use std::fmt::Write as _;

use regard::regression::{Fix, Gone, Happening, Order, State};

use crate::house::{CULPRIT, House, ID, REPORT, day, fix, golden, mainline, tree};
use crate::repo::Repo;

const SUBJECT: &str = "sched/fair: keep a wakeup in the cluster when the waker sleeps";

fn closes() -> String {
    fix(&format!("Closes: https://lists.example.org/r/{REPORT}"))
}

/// What the tree and the list of regressions look like after a look.
fn scene(house: &House, repo: &Repo, day: &str) -> String {
    let log = repo.git(&[
        "log",
        "--reverse",
        "--abbrev=12",
        "--format=%h %s%n    %(trailers:only,separator=%x3B )",
    ]);
    let log = log.lines().filter(|l| !l.trim().is_empty()).collect::<Vec<_>>().join("\n");
    format!("{day}\n\n$ git log --reverse\n{log}\n\n$ regard list\n{}\n", house.regard(&["list"]))
}

#[test]
fn a_tagged_fix_lands_is_reverted_and_lands_again() {
    let repo = Repo::new();
    let mut house = House::with_report(&mainline(&repo));
    assert_eq!(house.visit("linus", day(2)), 0);
    let mut story = scene(&house, &repo, "2026-03-03: reported, and no fix yet");
    let landed = repo.change("fair.c", "one\n", &closes());
    assert_eq!(house.visit("linus", day(4)), 2);
    assert_eq!(house.state(), State::FixQueued);
    story += &scene(&house, &repo, "2026-03-05: a fix with Closes: lands");
    repo.revert(&landed, SUBJECT);
    assert_eq!(house.visit("linus", day(9)), 2);
    assert_eq!(house.state(), State::Open);
    story += &scene(&house, &repo, "2026-03-10: it is reverted");
    repo.change("fair.c", "two\n", &closes());
    assert_eq!(house.visit("linus", day(12)), 2);
    assert_eq!(house.visit("linus", day(13)), 0, "nothing is told twice");
    story += &scene(&house, &repo, "2026-03-13: a better one lands under the same name");
    golden(
        "stories/landed-reverted-landed.txt",
        &format!("{story}$ regard show {ID}\n{}", house.show()),
    );
}

#[test]
fn the_same_in_one_look_ends_the_same() {
    let repo = Repo::new();
    let mut house = House::with_report(&mainline(&repo));
    let landed = repo.change("fair.c", "one\n", &closes());
    let out = repo.revert(&landed, SUBJECT);
    repo.commit(&format!("Reapply \"{SUBJECT}\"\n\nThis reverts commit {out}.\n"));
    assert_eq!(house.visit("linus", day(4)), 6);
    assert_eq!(house.state(), State::FixQueued);
    let moves = house.show().lines().filter(|l| l.contains(" -> ")).count();
    assert_eq!(moves, 3);
}

#[test]
fn closes_a_reply_of_the_report() {
    let repo = Repo::new();
    let mut house = House::with_report(&mainline(&repo));
    house.mail("06-jonas-cannot-reproduce.eml", day(2));
    let reply = "878qc0jv3.fsf@jonas.example.org";
    repo.commit(&fix(&format!("Closes: https://archive.example.net/all/{reply}/T/#u")));
    let folder = tempfile::tempdir().unwrap();
    let mut bare = house.tree("linus");
    bare.path = repo.bare(folder.path());
    house.desk.visit(&bare, day(4)).unwrap();
    assert_eq!(house.state(), State::FixQueued);
}

#[test]
fn links_to_the_posting_of_the_announced_fix() {
    let repo = Repo::new();
    let mut house = House::with_report(&mainline(&repo));
    let patch = Some("20260305.v2-1-mira@example.org".to_owned());
    house.append(day(2), Happening::FixNamed(Fix { patch, ..Fix::default() }));
    repo.commit(&fix("Link: https://patch.msgid.link/20260305.v2-1-mira@example.org"));
    house.visit("linus", day(4));
    assert_eq!(house.state(), State::FixQueued);
}

#[test]
fn our_token_in_reported_by_is_enough() {
    let repo = Repo::new();
    let mut house = House::with_report(&mainline(&repo));
    repo.commit(&fix(&format!("Reported-by: regard <bot+{ID}@example.org>")));
    house.visit("linus", day(4));
    assert_eq!(house.state(), State::FixQueued);
}

#[test]
fn a_fix_that_landed_before_anybody_named_it_is_found() {
    let repo = Repo::new();
    let mut house = House::with_report(&mainline(&repo));
    let (early, other) = (repo.commit(&fix("Acked-by: Teo Dor <teo@example.org>")), repo.head());
    assert_eq!(early, other);
    assert_eq!(house.visit("linus", day(4)), 0);
    let subject = Some("sched/fair: Keep a wakeup in the cluster when the waker sleeps".to_owned());
    house.append(day(5), Happening::FixNamed(Fix { subject, ..Fix::default() }));
    assert_eq!(house.visit("linus", day(6)), 2, "looked for though the tree did not move");
    let r = house.regression();
    assert_eq!((r.state, r.landings[0].commit.as_str()), (State::FixQueued, early.as_str()));
    assert_eq!(r.fix.unwrap().1, day(5), "announced when it was announced");
    assert_eq!(house.visit("linus", day(7)), 0);
}

#[test]
fn a_fix_named_by_its_id_is_found_even_when_it_was_reverted_meanwhile() {
    let repo = Repo::new();
    let mut house = House::with_report(&mainline(&repo));
    let early = repo.commit(&fix("Acked-by: Teo Dor <teo@example.org>"));
    repo.revert(&early, SUBJECT);
    house.visit("linus", day(4));
    let commit = Some(early[..12].to_owned());
    house.append(day(5), Happening::FixNamed(Fix { commit, ..Fix::default() }));
    house.visit("linus", day(6));
    let r = house.regression();
    assert_eq!(r.state, State::Open, "{}", house.show());
    assert!(matches!(r.landings[0].gone, Some(Gone::Reverted { .. })));
}

#[test]
fn a_report_that_came_after_its_fix_still_finds_it() {
    let repo = Repo::new();
    let mut house = House::build(&mainline(&repo));
    repo.commit(&fix(&format!("Closes: https://lists.example.org/r/{REPORT}")));
    assert_eq!(house.visit("linus", day(1)), 0);
    house.mail("01-hackbench-gets-worse.eml", day(2));
    assert_eq!(house.visit("linus", day(3)), 2);
    assert_eq!(house.state(), State::FixQueued);
}

#[test]
fn next_before_linus_is_incoming_then_found_then_silent() {
    let (linus, next) = (Repo::new(), Repo::new());
    let trees = tree("next", "incoming", next.path()) + &mainline(&linus);
    let mut house = House::with_report(&trees);
    assert_eq!(house.config.trees[0].watched.name, "linus", "mainline is looked at first");
    next.change("fair.c", "one\n", &closes());
    house.visit("linus", day(3));
    house.visit("next", day(3));
    let r = house.regression();
    assert_eq!((r.state, r.landings[0].order), (State::FixQueued, Order::Incoming));
    // Mainline takes it under another id, and next drops its own.
    linus.change("fair.c", "one\n", &closes());
    next.git(&["reset", "-q", "--hard", "HEAD~1"]);
    next.commit("something else\n");
    assert_eq!(house.visit("linus", day(5)), 1);
    for n in 5..12 {
        assert_eq!(house.visit("next", day(n)), 0);
    }
    let r = house.regression();
    assert_eq!((r.state, r.landings.len()), (State::FixQueued, 2), "{}", house.show());
}

#[test]
fn a_revert_in_next_waits_for_mainline() {
    let (linus, next) = (Repo::new(), Repo::new());
    let trees = tree("next", "incoming", next.path()) + &mainline(&linus);
    let mut house = House::with_report(&trees);
    let landed = linus.change("fair.c", "one\n", &closes());
    house.visit("linus", day(2));
    next.revert(&landed, SUBJECT);
    assert_eq!(house.visit("next", day(3)), 1);
    assert_eq!(house.state(), State::FixQueued);
    linus.revert(&landed, SUBJECT);
    house.visit("linus", day(5));
    assert_eq!(house.state(), State::Open);
}

#[test]
fn a_backport_is_noted_and_moves_nothing() {
    let (linus, stable) = (Repo::new(), Repo::new());
    let trees = tree("stable", "stable", stable.path()) + &mainline(&linus);
    let mut house = House::with_report(&trees);
    let landed = linus.change("fair.c", "one\n", &closes());
    house.visit("linus", day(2));
    stable.commit(&fix(&format!(
        "[ Upstream commit {landed} ]\n\nCloses: https://lists.example.org/r/{REPORT}"
    )));
    assert_eq!(house.visit("stable", day(4)), 1);
    assert!(house.show().contains("fix backported to stable: "), "{}", house.show());
    let r = house.regression();
    assert_eq!((r.state, r.since, r.landings.len()), (State::FixQueued, day(2), 2));
}

#[test]
fn the_culprit_is_reverted_and_comes_back() {
    let repo = Repo::new();
    let mut house = House::with_report(&mainline(&repo));
    let out = repo.revert(CULPRIT, "a change");
    house.visit("linus", day(3));
    assert_eq!(house.state(), State::Dropped);
    repo.commit(&format!("Reapply \"a change\"\n\nThis reverts commit {out}.\n"));
    house.visit("linus", day(5));
    assert_eq!(house.state(), State::Open);
    assert_eq!(house.visit("linus", day(6)), 0);
}

#[test]
fn a_fix_of_a_duplicate_moves_the_one_that_stays() {
    let repo = Repo::new();
    let mut house = House::with_report(&mainline(&repo));
    let other = crate::house::track(&mut house.desk, "other@example.net", &[], |about| {
        about.commit = Some("89abcdef0123456789abcdef0123456789abcdef".to_owned());
    });
    let of = regard::regression::RegressionId::parse(ID).unwrap();
    let moved = Happening::Moved { from: State::Open, to: State::Duplicate };
    crate::house::append(&mut house.desk, &other, day(2), moved);
    crate::house::append(&mut house.desk, &other, day(2), Happening::DuplicateOf { of });
    repo.commit(&fix("Closes: <other@example.net>"));
    assert_eq!(house.visit("linus", day(3)), 3);
    assert_eq!(house.state(), State::FixQueued);
    assert!(house.show().contains(&format!("(its duplicate {other})")), "{}", house.show());
}

#[test]
fn a_fix_that_does_not_come_is_asked_about_once_and_one_that_came_never() {
    let repo = Repo::new();
    let letters = |house: &House| house.regard(&["outbox", "list"]).matches("fix-missing").count();
    for comes in [false, true] {
        let mut house = House::with_report(&mainline(&repo));
        let subject = Some(format!("sched/fair: keep a wakeup home, {comes}"));
        house.append(day(2), Happening::FixNamed(Fix { subject, ..Fix::default() }));
        house.append(day(2), Happening::Moved { from: State::Open, to: State::FixQueued });
        if comes {
            repo.commit("sched/fair: keep a wakeup home, true\n");
            assert_eq!(house.visit("linus", day(80)), 1);
        }
        let mut told = String::new();
        for n in (85..120).step_by(5) {
            for story in house.desk.tick(day(n)).unwrap() {
                writeln!(told, "day {n}: {} letters", story.written.len()).unwrap();
                assert!(story.defects.is_empty(), "{:?}", story.defects);
            }
        }
        assert_eq!(told, if comes { "" } else { "day 95: 1 letters\n" });
        assert_eq!(letters(&house), usize::from(!comes));
    }
}
