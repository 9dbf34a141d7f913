//! `[[tree]]` blocks: read, refused with their place, and checked.

use std::path::Path;

use regard::config;
use regard::regression::Order;

use crate::house::{House, golden, mainline};
use crate::repo::Repo;

#[test]
fn every_mistake_is_named_with_its_place_and_a_cure() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("tree.git")).unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let text = include_str!("config/broken.toml");
    let problems = config::parse(text, &folder.path().join("regard.toml")).unwrap_err();
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let here = format!("{}/", folder.path().display());
    golden("config/broken.txt", &(lines.join("\n").replace(&here, "") + "\n"));
}

#[test]
fn an_unknown_key_is_refused() {
    let text =
        "[bot]\naddress = \"bot@example.org\"\n[[tree]]\nname = \"x\"\npath = \".\"\ncolour = 1\n";
    let problems = config::parse(text, Path::new("regard.toml")).unwrap_err();
    let said = problems[0].to_string();
    assert!(said.contains("regard.toml:6:1: unknown field `colour`"), "{said}");
}

#[test]
fn the_sample_of_init_reads_with_its_tree_uncommented() {
    let from = config::SAMPLE.find("# [[tree]]").unwrap();
    let to = config::SAMPLE.find("[policy]").unwrap();
    // The sentences above a block stay comments.
    let sentence = |l: &&str| !l.starts_with("# A tree that") && !l.starts_with("# Who wants");
    let lines = config::SAMPLE[from..to].lines().filter(sentence);
    let text = lines.map(|l| l.strip_prefix("# ").unwrap_or(l)).collect::<Vec<_>>();
    let text = format!("[bot]\naddress = \"bot@example.org\"\n{}\n", text.join("\n"));
    let config = config::parse(&text, Path::new("regard.toml")).unwrap();
    let tree = &config.trees[0];
    assert_eq!((tree.watched.label.as_str(), tree.watched.order), ("linus", Order::Mainline));
    assert_eq!((tree.branch.as_deref(), tree.interval.as_secs()), (Some("master"), 900));
    assert!(config.policy.watches_trees);
    let reach = &config.policy.reach;
    assert_eq!(reach.private("ada", "topic").unwrap().owner.email, "ada@example.org");
    assert_eq!(reach.private("linus", "master"), None);
    let wish = &reach.opt_outs[0];
    assert_eq!((wish.who.as_str(), wish.area.as_deref()), ("bo@example.org", Some("drm")));
}

#[test]
fn branches_of_one_tree_are_told_apart() {
    let block = |branch: &str| {
        format!("[[tree]]\nname = \"stable\"\npath = \".\"\nbranch = \"{branch}\"\n")
    };
    let text = format!("[bot]\naddress = \"bot@example.org\"\n{}{}", block("6.12"), block("6.6"));
    let config = config::parse(&text, Path::new("regard.toml")).unwrap();
    let labels: Vec<&str> = config.trees.iter().map(|t| t.watched.label.as_str()).collect();
    assert_eq!(labels, ["stable/6.12", "stable/6.6"]);
}

#[test]
fn check_says_whether_each_tree_can_be_read() {
    let repo = Repo::new();
    let empty = tempfile::tempdir().unwrap();
    let (here, there) = (repo.path().display(), empty.path().display());
    let more = format!(
        "[[tree]]\nname = \"wrong-branch\"\npath = \"{here}\"\nbranch = \"none\"\n\
         [[tree]]\nname = \"wrong-file\"\npath = \"{here}\"\nmaintainers = \"OWNERS\"\n\
         [[tree]]\nname = \"no-repository\"\npath = \"{there}\"\n\
         [[tree]]\nname = \"not-yet\"\npath = \"{there}/mirror.git\"\nurl = \"{here}\"\n\
         [[tree]]\nname = \"wrong-url\"\npath = \"{there}/mirror.git\"\nurl = \"{here}\"\nbranch = \"none\"\n"
    );
    let house = House::build(&(mainline(&repo) + &more));
    let told = house.regard(&["check"]);
    let line = |name: &str| {
        let line = told.lines().find(|l| l.contains(&format!("tree {name}"))).unwrap();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let tip = &repo.head()[..12];
    assert_eq!(
        line("linus"),
        format!("ok tree linus {here}: master at {tip} (\"the beginning\"), no maintainers file")
    );
    assert!(line("wrong-branch").ends_with("has no branch `none`; check branch"));
    assert!(line("wrong-file").ends_with("HEAD has no file `OWNERS`; check maintainers"));
    assert!(line("no-repository").contains("WRONG tree no-repository"), "{told}");
    assert!(line("no-repository").contains("is no git repository"), "{told}");
    assert!(line("not-yet").starts_with("ok tree not-yet"), "{told}");
    assert!(line("not-yet").contains("does not exist yet; `regard run` fetches"), "{told}");
    assert!(line("wrong-url").ends_with("has no branch `none`; check url and branch"), "{told}");
}
