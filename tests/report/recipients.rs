//! Who gets a report, and why.

use regard::bench::Person;
use regard::mail::Address;
use regard::report::maintainers::Maintainers;
use regard::report::{Brief, Finding, OptOut, PrivateTree, Reach, Recipient, recipients, why_line};

use crate::samples::{finding, kpi};

fn address(name: &str, email: &str) -> Address {
    Address { name: name.to_owned(), email: email.to_owned() }
}

fn reach() -> Reach {
    Reach {
        lists: vec![address("", "all@lists.example.org")],
        ..Reach::new(address("regard", "regard@example.org"))
    }
}

fn found(head: &[f64]) -> Finding {
    let mut finding = finding(vec![kpi("hackbench.throughput", &[100.0, 101.0, 99.0], head)]);
    let person = |role: &str, name: &str, email: &str| Person {
        role: role.to_owned(),
        name: name.to_owned(),
        email: email.to_owned(),
    };
    let head = &mut finding.notification.head;
    head.author = Some(address("Ada Ashby", "ada@example.org"));
    head.people = vec![
        person("Cc", "Everybody", "everybody@example.org"),
        person("Reviewed-by", "Bo Berg", "bo@example.org"),
        person("Signed-off-by", "Ada Ashby", "Ada+kernel@example.org"),
        person("signed-off-by", "Cleo Cruz", "cleo@example.org"),
        person("Reported-by", "regard", "regard+q3x7k2m9@example.org"),
        person("Tested-by", "nobody", "noreply@example.org"),
    ];
    head.lists = vec!["sched@lists.example.org".to_owned()];
    head.files = vec!["kernel/sched/fair.c".to_owned()];
    finding
}

fn regression() -> Brief {
    Brief::of(vec![found(&[90.0, 91.0, 89.0])]).unwrap()
}

fn told(recipients: &[Recipient]) -> String {
    why_line(recipients)
}

fn maintainers() -> Maintainers {
    Maintainers::read("MAINTAINERS", include_str!("maintainers/MAINTAINERS")).0
}

#[test]
fn author_people_of_the_trailers_and_lists() {
    let expected = "ada@example.org (author), cleo@example.org (signed-off-by), bo@example.org (reviewed-by), \
                    sched@lists.example.org (list), all@lists.example.org (list)";
    assert_eq!(told(&recipients(&regression(), &Maintainers::None, "", &reach())), expected);
}

#[test]
fn maintainers_of_the_touched_files_come_last() {
    // Bo and the list stand there already; Cleo reviews the section too.
    let mut brief = regression();
    brief.lead.notification.head.people.clear();
    let expected = "ada@example.org (author), bo@example.org (maintainer of EXAMPLE SCHEDULER), \
                    cleo@example.org (reviewer of EXAMPLE SCHEDULER), sched@lists.example.org (list), \
                    all@lists.example.org (list)";
    assert_eq!(told(&recipients(&brief, &maintainers(), "", &reach())), expected);
}

#[test]
fn a_private_tree_is_its_owners_business() {
    let owner = address("Oda", "oda@example.org");
    for tree in ["linus", "linus:master", "lin*"] {
        let private = PrivateTree { tree: tree.to_owned(), owner: owner.clone() };
        let reach = Reach { private_trees: vec![private], ..reach() };
        assert_eq!(
            told(&recipients(&regression(), &maintainers(), "", &reach)),
            "oda@example.org (tree owner)"
        );
    }
    let other = Reach {
        private_trees: vec![PrivateTree { tree: "linus:next".to_owned(), owner }],
        ..reach()
    };
    assert!(recipients(&regression(), &maintainers(), "", &other).len() > 1);
}

#[test]
fn people_are_capped_and_lists_are_not() {
    let reach = Reach { most: 1, ..reach() };
    let expected =
        "ada@example.org (author), sched@lists.example.org (list), all@lists.example.org (list)";
    assert_eq!(told(&recipients(&regression(), &maintainers(), "", &reach)), expected);
}

#[test]
fn who_opted_out_is_left_alone() {
    let out = |who: &str, area: Option<&str>| OptOut {
        who: who.to_owned(),
        area: area.map(str::to_owned),
    };
    let left = |opt_outs: Vec<OptOut>| {
        let all = recipients(&regression(), &Maintainers::None, "", &Reach { opt_outs, ..reach() });
        all.iter().map(|r| r.address.email.clone()).collect::<Vec<_>>()
    };
    let all = left(Vec::new());
    assert_eq!(all.len(), 5);
    assert!(!left(vec![out("ADA@example.org", None)]).contains(&"ada@example.org".to_owned()));
    assert_eq!(
        left(vec![out("@example.org", None)]),
        ["sched@lists.example.org", "all@lists.example.org"]
    );
    assert!(
        !left(vec![out("bo@example.org", Some("sched"))]).contains(&"bo@example.org".to_owned())
    );
    assert_eq!(
        left(vec![out("bo@example.org", Some("sch"))]),
        all,
        "an area is no prefix of a word"
    );
    assert_eq!(left(vec![out("bo@example.org", Some("net"))]), all);
}

#[test]
fn nobody_is_accused_without_a_bisection() {
    let mut brief = regression();
    brief.lead.notification.bisected = false;
    let expected = "sched@lists.example.org (list), all@lists.example.org (list)";
    assert_eq!(told(&recipients(&brief, &Maintainers::None, "", &reach())), expected);
}

#[test]
fn an_improvement_goes_to_author_and_lists() {
    let brief = Brief::of(vec![found(&[110.0, 111.0, 109.0])]).unwrap();
    let expected =
        "ada@example.org (author), sched@lists.example.org (list), all@lists.example.org (list)";
    assert_eq!(told(&recipients(&brief, &maintainers(), "", &reach())), expected);
}

#[test]
fn what_is_no_mailbox_gets_no_mail() {
    let mut brief = regression();
    let emails = [
        "a@b@c",
        "",
        "x",
        "a b@example.org",
        "<a@example.org>",
        "root@localhost",
        "a@host.invalid",
        "1+a@users.noreply.example.org",
    ];
    for email in emails {
        brief.lead.notification.head.author = Some(address("", email));
        let all = recipients(&brief, &Maintainers::None, "", &reach());
        assert!(all.iter().all(|r| r.why != "author"), "{email}");
    }
}
