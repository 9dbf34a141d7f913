//! What one commit means: cases as data, each through a desk with one tracked regression.

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use regard::config::Tree;
use regard::daemon::Haul;
use regard::engine::{Effect, WatchedTree};
use regard::mail::Address;
use regard::regression::{
    Cause, Fix, Happening, Order, State, TreeCommit, same_commit, subject_key,
};
use regard::report::ReportKind;
use regard::store::Store;
use serde::Deserialize;

use crate::house::{House, append, day, track};

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    message: String,
    /// The message of a commit that came before; `{before}` in the message names it.
    before: Option<String>,
    #[serde(default = "mainline")]
    order: Order,
    #[serde(default = "linus")]
    tree: String,
    /// Where the regression stands before.
    #[serde(default = "open")]
    state: State,
    kind: Option<ReportKind>,
    /// Its culprit instead of the usual one.
    culprit: Option<String>,
    #[serde(default)]
    fix: Fix,
    /// Where it stands after, when it moves.
    to: Option<State>,
    /// `found`, `lost`, `noted`, `kept`, `reverted`, `reapplied`; nothing when the commit says nothing.
    did: Option<String>,
    /// What decided.
    link: Option<String>,
}

fn mainline() -> Order {
    Order::Mainline
}

fn linus() -> String {
    "linus".to_owned()
}

fn open() -> State {
    State::Open
}

/// Ids of the thread besides the report's.
const THREAD: [&str; 3] =
    ["2026/03/reply@example.org", "CAH=two+1@mail.example.org", "20260310.v2-1-mira@example.org"];
const AHEAD: &str = "0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const ID: &str = "fedcba9876543210fedcba9876543210fedcba98";

fn haul(case: &Case) -> Haul {
    let watched =
        WatchedTree { name: case.tree.clone(), label: case.tree.clone(), order: case.order };
    let author = Address { name: "Mira Okafor".to_owned(), email: "mira@example.org".to_owned() };
    let read = |id: &str, text: &str| {
        let text = text.replace("{before}", AHEAD);
        TreeCommit::read(id, author.clone(), Timestamp::UNIX_EPOCH, &text)
    };
    let before = case.before.iter().map(|text| read(AHEAD, text));
    Haul {
        tree: Tree {
            watched,
            path: PathBuf::new(),
            url: None,
            branch: None,
            maintainers: None,
            interval: Duration::from_secs(60),
        },
        tip: ID.to_owned(),
        commits: before.chain([read(ID, &case.message)]).collect(),
        remade: Vec::new(),
        missing: Vec::new(),
        present: Vec::new(),
        looked: Vec::new(),
        maintainers: None,
    }
}

fn did(what: &Happening) -> &'static str {
    match what {
        Happening::Found { .. } => "found",
        Happening::Lost { .. } => "lost",
        Happening::Noted { .. } => "noted",
        Happening::Kept { .. } => "kept",
        Happening::CulpritReverted { .. } => "reverted",
        Happening::CulpritReapplied { .. } => "reapplied",
        Happening::Moved { .. } => "moved",
        _ => "something else",
    }
}

#[test]
fn cases() {
    let cases: Cases = toml::from_str(include_str!("commits.toml")).unwrap();
    assert!(cases.case.len() > 50);
    let mut house = House::build("");
    let mut wrong = Vec::new();
    for case in cases.case {
        house.desk.store = Store::in_memory().unwrap();
        let thread = THREAD.map(str::to_owned);
        let id = track(&mut house.desk, "report@example.org", &thread, |about| {
            about.kind = case.kind.unwrap_or(about.kind);
            about.commit = case.culprit.clone().or(about.commit.take());
        });
        assert_eq!(id.as_str(), "ackyckr8", "the token of the cases");
        if case.fix != Fix::default() {
            append(&mut house.desk, &id, day(2), Happening::FixNamed(case.fix.clone()));
        }
        if case.state != State::Open {
            let moved = Happening::Moved { from: State::Open, to: case.state };
            append(&mut house.desk, &id, day(2), moved);
        }
        let haul = haul(&case);
        let commits = haul.commits.len();
        let stories = house.desk.commits(haul, day(3)).unwrap();
        let entries: Vec<_> = stories
            .iter()
            .filter(|s| s.subject == case.message.lines().next().unwrap_or_default())
            .flat_map(|s| &s.effects)
            .filter_map(|e| match e {
                Effect::Append(_, entry) => Some((**entry).clone()),
                _ => None,
            })
            .collect();
        assert!(stories.len() <= commits);
        let now = house.desk.store.look(|tx| tx.regression(&id)).unwrap().unwrap();
        let moved = entries.iter().find_map(|e| match e.what {
            Happening::Moved { to, .. } => Some(to),
            _ => None,
        });
        let first = entries.first();
        let link = first.map(|e| match &e.cause {
            Cause::Commit { link, .. } => link.clone(),
            other => panic!("{}: {other:?}", case.name),
        });
        let told = (moved, first.map(|e| did(&e.what).to_owned()), link);
        let wanted_link = case.link.clone().or(told.2.clone());
        let wanted = (case.to, case.did.clone(), wanted_link);
        if told != wanted {
            wrong.push(format!("{}:\n  found {told:?}\n  want  {wanted:?}", case.name));
        }
        if let Some(to) = moved {
            assert_eq!(now.state, to, "{}", case.name);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ids_agree_from_eight_digits_on() {
    assert!(same_commit("3f1d0c5a", "3F1D0C5A9B7E42D6"));
    assert!(!same_commit("3f1d0c5", "3f1d0c5"), "seven digits are too few");
    assert!(!same_commit("3f1d0c5a", "3f1d0c5b9b7e42d6"));
    assert!(!same_commit("", "") && !same_commit("v6.12-rc1-x", "v6.12-rc1-x"));
}

#[test]
fn pages_of_commits_name_them() {
    let id = Some("0123456789abcdef".to_owned());
    for url in [
        "https://git.example.org/linux.git/commit/?id=0123456789abcdef",
        "https://git.example.org/linux/c/0123456789abcdef",
        "https://forge.example.com/o/r/-/commit/0123456789ABCDEF.patch",
        "https://git.example.org/?p=linux.git;a=commit;h=0123456789abcdef",
        "https://git.example.org/linux/commit/kernel/sched?h=master&id=0123456789abcdef",
    ] {
        assert_eq!(regard::regression::commit_of_url(url), id, "{url}");
    }
    for url in [
        "0123456789abcdef",
        "https://lists.example.org/r/0123456789abcdef@example.org/",
        "https://forge.example.com/o/r/issues/12345678",
        "https://git.example.org/commit/?id=abc",
        "",
    ] {
        assert_eq!(regard::regression::commit_of_url(url), None, "{url}");
    }
}

#[test]
fn subjects_agree_whatever_mail_did_to_them() {
    let key = subject_key("sched/fair: keep a wakeup home");
    for text in [
        "[PATCH v2 1/3] sched/fair: Keep a wakeup home",
        "Re: [PATCH] [RFC] sched/fair:  keep a\twakeup home.",
        "(\"sched/fair: keep a wakeup home\")",
        "\u{201c}sched/fair: keep a wakeup home\u{201d}",
    ] {
        assert_eq!(subject_key(text), key, "{text}");
    }
    assert_eq!(subject_key("[PATCH]"), "");
    assert!(subject_key(&"[x] ".repeat(100_000)).is_empty());
}

#[test]
fn hostile_messages_are_read_in_linear_time() {
    let address = Address { name: String::new(), email: String::new() };
    let read = |text: &str| TreeCommit::read("x", address.clone(), Timestamp::UNIX_EPOCH, text);
    for text in [
        "Revert \"".repeat(20_000),
        format!("x\n\n{}", "This reverts commit 01234567 and ".repeat(2_000)),
        format!("x\n\n{}", "Closes: https://a.example.org/r/a@b\n".repeat(2_000)),
        format!("x\n\nFixes: {}", "0".repeat(60_000)),
        format!("x\n\nthis reverts commit {}", "0123456 ".repeat(8_000)),
        "\u{0}\u{feff}\r\r\n\n\u{201c}".repeat(10_000),
    ] {
        let commit = read(&text);
        assert!(commit.links.len() <= 40 && commit.reverts.len() <= 40 && commit.fixes.len() <= 40);
    }
}
