//! Reading histories: complete, in order, bounded.

use regard::git::{Span, Tree};
use regard::regression::State;

use crate::house::{House, REPORT, day, mainline};
use crate::repo::Repo;

#[test]
fn five_thousand_commits_are_read_once() {
    let repo = Repo::new();
    let mut house = House::with_report(&mainline(&repo));
    house.visit("linus", day(2));
    repo.import(5_000, |n| {
        let closes = format!("Closes: https://lists.example.org/r/{REPORT}\n");
        format!(
            "mm: change number {n}\n\n{}\n{}Signed-off-by: Mira Okafor <mira@example.org>\n",
            "A paragraph that says why, as long as such paragraphs are.\n".repeat(8),
            if n == 2_500 {
                closes.as_str()
            } else {
                "Link: https://lists.example.org/r/other@example.net\n"
            }
        )
    });
    let question = house.desk.question(&house.tree("linus")).unwrap();
    let haul = regard::daemon::survey(&house.tree("linus"), &question, day(3)).unwrap();
    assert_eq!(haul.commits.len(), 5_000);
    assert!(haul.commits.windows(2).all(|w| w[0].authored <= w[1].authored), "oldest first");
    let again = haul.clone();
    assert_eq!(house.desk.commits(haul, day(3)).unwrap().len(), 1);
    assert_eq!(house.state(), State::FixQueued);
    assert!(house.desk.commits(again, day(3)).unwrap().is_empty(), "the same haul changes nothing");
    assert_eq!(house.visit("linus", day(4)), 0);
}

#[test]
fn what_is_too_long_is_cut_and_what_is_no_utf8_is_read() {
    let repo = Repo::new();
    let filler = "a line of a log that somebody pasted whole into his message\n".repeat(20_000);
    repo.import(3, |n| match n {
        0 => format!("long\n\n{filler}\nCloses: https://lists.example.org/r/{REPORT}\n"),
        1 => format!("Closes at once\n\nCloses: https://lists.example.org/r/{REPORT}\n\n{filler}"),
        _ => "plain\n".to_owned(),
    });
    let tree = Tree::open(repo.path()).unwrap();
    let tip = repo.head();
    let span = Span { tip: &tip, most: 3, ..Span::default() };
    let commits = tree.history(span).unwrap();
    let subjects: Vec<&str> = commits.iter().map(|c| c.subject.as_str()).collect();
    assert_eq!(subjects, ["long", "Closes at once", "plain"], "one cut message spoils no other");
    assert_eq!(commits.iter().map(|c| c.links.len()).collect::<Vec<_>>(), [0, 1, 0]);
}

#[test]
fn the_newest_are_taken_where_there_are_too_many() {
    let repo = Repo::new();
    repo.import(50, |n| format!("number {n}\n"));
    let tree = Tree::open(repo.path()).unwrap();
    let tip = repo.head();
    let commits = tree.history(Span { tip: &tip, most: 2, ..Span::default() }).unwrap();
    let subjects: Vec<&str> = commits.iter().map(|c| c.subject.as_str()).collect();
    assert_eq!(subjects, ["number 48", "number 49"]);
}

#[test]
fn texts_are_searched_letter_by_letter() {
    let repo = Repo::new();
    repo.commit("sched: a.b (c) [d] are no pattern\n");
    repo.commit("sched: aXb (c) [d] are no pattern\n");
    let tree = Tree::open(repo.path()).unwrap();
    let tip = repo.head();
    let span = Span { tip: &tip, most: 100, ..Span::default() };
    let many: Vec<String> = (0..120).map(|n| format!("nowhere in {n}")).collect();
    let texts = [many, vec!["a.b (c) [d]".to_owned(), "short".to_owned()]].concat();
    let found = tree.search(span, &texts).unwrap();
    assert_eq!(found.len(), 1);
}

#[test]
fn side_branches_come_before_their_merge() {
    let repo = Repo::new();
    let old = repo.head();
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.commit("on the side\n");
    repo.git(&["checkout", "-q", "master"]);
    repo.commit("on master\n");
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge the side", "side"]);
    let tree = Tree::open(repo.path()).unwrap();
    let tip = repo.head();
    let span = Span { tip: &tip, without: Some(&old), most: 100, ..Span::default() };
    let subjects: Vec<String> =
        tree.history(span).unwrap().into_iter().map(|c| c.subject).collect();
    assert_eq!(subjects.len(), 3);
    assert_eq!(subjects[2], "Merge the side");
    assert!(tree.contains(&tip, &old).unwrap() && !tree.contains(&old, &tip).unwrap());
    assert!(!tree.contains(&tip, "0123456789abcdef0123456789abcdef01234567").unwrap());
}

#[test]
fn a_mirror_is_made_and_kept_current() {
    let repo = Repo::new();
    let folder = tempfile::tempdir().unwrap();
    let mirror = folder.path().join("mirror.git");
    let url = repo.path().to_str().unwrap();
    let block = |name: &str, order: &str| {
        format!(
            "[[tree]]\nname = \"{name}\"\norder = \"{order}\"\npath = \"{}\"\nurl = \"{url}\"\nbranch = \"master\"\n",
            mirror.display()
        )
    };
    // Two trees share one mirror.
    let mut house = House::with_report(&(block("linus", "mainline") + &block("next", "incoming")));
    house.visit("linus", day(2));
    house.visit("next", day(2));
    repo.commit(&format!("a fix\n\nCloses: https://lists.example.org/r/{REPORT}\n"));
    assert_eq!(house.visit("linus", day(3)), 2);
    assert_eq!(house.visit("next", day(3)), 0, "mainline has the very same commit");
    repo.git(&["commit", "-q", "--amend", "--allow-empty", "-m", "no fix"]);
    house.visit("linus", day(4));
    assert_eq!(house.regard(&["check", "--offline"]).matches("\"no fix\"").count(), 1);
}

#[test]
fn keepers_come_from_the_tip() {
    let repo = Repo::new();
    let mut house = House::with_report(&mainline(&repo));
    house.visit("linus", day(2));
    assert!(matches!(
        house.desk.mind.policy.maintainers.as_slice(),
        [(name, regard::report::maintainers::Maintainers::None)] if name == "linus"
    ));
    repo.change(
        "MAINTAINERS",
        "SCHEDULER\nM:\tTeo Dor <teo@example.org>\nF:\tkernel/sched/\n",
        "add\n",
    );
    house.visit("linus", day(3));
    let (_, keepers) = &house.desk.mind.policy.maintainers[0];
    let found = keepers.of(&["kernel/sched/fair.c".to_owned()], "");
    assert_eq!(found[0].address.email, "teo@example.org");
    // A daemon that starts anew reads them though the tip stands still.
    house.desk.mind.policy.maintainers.clear();
    house.visit("linus", day(4));
    assert_eq!(house.desk.mind.policy.maintainers.len(), 1);
}
