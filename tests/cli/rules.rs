//! `regard rules`: list, test, and what a change would have done to old mail.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::house::House;

fn regard(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_regard"))
        .current_dir(folder)
        .arg("--quiet")
        .args(args)
        .output()
        .unwrap()
}

fn told(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

/// A rule file that finds one way of speaking.
const HOUSE: &str = "label = \"investigating\"\neffect = \"open -> investigating\"\nrank = 40\nwhy = \"Somebody looks.\"\n\n\
                     [[rule]]\nid = \"marmots\"\nwhy = \"Our people trust in marmots.\"\nweight = 0.8\ntext = ['''\\bmarmots zig zag\\b''']\nmatches = [\"The marmots zig zag.\"]\nmisses = [\"Will the marmots go?\"]\n";

#[test]
fn the_list_names_verdict_rule_weight_and_why() {
    let folder = tempfile::tempdir().unwrap();
    let list = told(&regard(folder.path(), &["rules", "list", "--verdict", "expected"]), 0);
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(list.lines().next().unwrap()), ["verdict", "id", "weight", "why"]);
    assert!(list.lines().skip(1).all(|l| l.starts_with("expected ")), "{list}");
    let json = told(&regard(folder.path(), &["--json", "rules", "list"]), 0);
    let rules: Vec<Value> = json.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let rule = rules.iter().find(|r| r["id"] == "is-expected").unwrap();
    assert_eq!(
        (&rule["verdict"], &rule["effect"]),
        (&"expected".into(), &"open -> expected".into())
    );
    assert!(rule["file"] == "expected.toml" && rule["line"].as_u64().unwrap() > 1);
    assert!(rule["matches"].as_u64().unwrap() > 0 && rule["misses"].as_u64().unwrap() > 0);
}

#[test]
fn broken_rules_are_told_with_their_place_and_a_cure() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        (
            "label = \"expectd\"",
            "label = \"investigating\"",
            "mine.toml:1:9: unknown verdict `expectd`",
        ),
        ("marmots zig", "marmots (zig", "mine.toml:10:9: "),
        ("weight = 0.8", "weight = 8.0", "mine.toml:9:10: weight 8"),
        (
            "matches = [\"The marmots zig zag.\"]",
            "matches = [\"No marmots.\"]",
            "mine.toml:11:12: `marmots` does not find",
        ),
        (
            "misses = [\"Will the",
            "misses = [\"The marmots zig zag. Will the",
            "mine.toml:12:11: `marmots` finds what it must miss",
        ),
    ];
    for (number, (one, other, wanted)) in cases.into_iter().enumerate() {
        let (from, to) = if number == 0 { (other, one) } else { (one, other) };
        assert!(HOUSE.contains(from), "{from}");
        let file = write(folder.path(), "mine.toml", &HOUSE.replace(from, to));
        let said = told(&regard(folder.path(), &["rules", "test", file.to_str().unwrap()]), 1);
        let line =
            said.lines().find(|l| l.contains("mine.toml")).unwrap_or_else(|| panic!("{said}"));
        assert!(line.contains(wanted) && line.contains("; "), "{line}");
    }
}

#[test]
fn own_rules_are_tested_beside_the_built_in_ones() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "rules/mine.toml", HOUSE);
    let said = regard(folder.path(), &["rules", "test", "rules"]);
    let text = String::from_utf8(said.stdout).unwrap();
    assert!(!text.contains("rules/mine.toml:"), "{text}");
}

/// Four mails of an archive: a report, two answers to it, and one that belongs to nothing.
fn archive(folder: &Path) -> PathBuf {
    let mails = [
        "From: perf-robot@example.net\nTo: ada@example.org\nMessage-ID: <report@example.net>\nSubject: [sched] 1d7bb6093f0c: \
         hackbench.throughput -12.3% regression\n\nHello,\n\nwe noticed a -12.3% regression of hackbench.throughput on commit:\n\n\
         commit: 1d7bb6093f0c45b8b7ba2a3b6e6a5e4f3d2c1b0a (\"sched: x\")\n",
        "From: ada@example.org\nMessage-ID: <one@example.org>\nIn-Reply-To: <report@example.net>\nSubject: Re: [sched] \
         1d7bb6093f0c: hackbench.throughput -12.3% regression\n\n> we noticed a -12.3% regression\n\nThe marmots zig zag next week.\n",
        "From: bo@example.org\nMessage-ID: <two@example.org>\nReferences: <report@example.net> <one@example.org>\nSubject: Re: \
         [sched] 1d7bb6093f0c: hackbench.throughput -12.3% regression\n\nThis is expected.\n",
        "From: cy@example.org\nMessage-ID: <three@example.org>\nIn-Reply-To: <other@example.org>\nSubject: Re: lunch\n\nThe marmots \
         zig zag, too.\n",
    ];
    // Answers before their report: threads are known before anything is read.
    for (number, mail) in mails.iter().enumerate() {
        write(folder, &format!("mail/{}.eml", 9 - number), mail);
    }
    folder.join("mail")
}

#[test]
fn a_backtest_tells_what_a_new_rule_finds() {
    let folder = tempfile::tempdir().unwrap();
    archive(folder.path());
    write(folder.path(), "rules/mine.toml", HOUSE);
    let said = told(&regard(folder.path(), &["rules", "backtest", "mail", "--rules", "rules"]), 1);
    assert!(
        said.contains("gained   investigating\n         mail/8.eml  <one@example.org>\n"),
        "{said}"
    );
    assert!(said.contains("         answers <report@example.net>\n"), "{said}");
    assert!(
        said.contains("    now  \"The marmots zig zag next week.\" [marmots, weight 0.80, open -> investigating]\n"),
        "{said}"
    );
    assert!(
        said.ends_with(
            "4 mails; 3 by people, 2 of them in the thread of a report: 2 verdicts gained, 0 lost, 0 changed, 0 the same by \
             another rule, 1 the same\n"
        ),
        "{said}"
    );
    let threads = ["rules", "backtest", "mail", "--rules", "rules", "--threads"];
    assert!(
        told(&regard(folder.path(), &threads), 1).contains("2 by people, 2 of them in the thread")
    );
}

#[test]
fn a_backtest_tells_what_is_lost_and_changed() {
    let folder = tempfile::tempdir().unwrap();
    archive(folder.path());
    // The built-in file is replaced: all that it found is lost, or found by others.
    write(folder.path(), "lost/expected.toml", HOUSE);
    let said = told(
        &regard(folder.path(), &["--json", "rules", "backtest", "mail", "--rules", "lost"]),
        1,
    );
    let lines: Vec<Value> = said.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let two = lines.iter().find(|l| l["message_id"] == "<two@example.org>").unwrap();
    assert_eq!(
        (&two["change"], &two["report_id"]),
        (&"lost".into(), &"<report@example.net>".into())
    );
    assert_eq!(two["was"]["rule"], "is-expected");
    assert_eq!(two["was"]["sentence"], "This is expected.");
    assert_eq!(two["now"], Value::Null);
    let summary = &lines.last().unwrap()["summary"];
    assert_eq!((&summary["mails"], &summary["lost"]), (&4.into(), &1.into()));

    let changed = HOUSE.replace("marmots zig zag\\b", "is expected\\b");
    let changed = changed.replace("rank = 40", "rank = 400");
    let changed = changed.replace("[\"The marmots zig zag.\"]", "[\"This is expected.\"]");
    write(folder.path(), "changed/mine.toml", &changed);
    let said =
        told(&regard(folder.path(), &["rules", "backtest", "mail", "--rules", "changed"]), 1);
    assert!(
        said.contains(
            "changed  expected -> investigating\n         mail/7.eml  <two@example.org>\n"
        ),
        "{said}"
    );
}

#[test]
fn the_same_rules_change_nothing_and_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    archive(folder.path());
    fs::create_dir(folder.path().join("empty")).unwrap();
    let same = regard(folder.path(), &["rules", "backtest", "mail", "--rules", "empty"]);
    assert!(told(&same, 0).contains("0 verdicts gained, 0 lost, 0 changed"));
    let none = regard(folder.path(), &["rules", "backtest", "mail"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&none.stderr).contains("there is nothing to compare"));
    let missing =
        regard(folder.path(), &["rules", "backtest", "no-such-place", "--rules", "empty"]);
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn an_mbox_and_a_public_inbox_are_archives_too() {
    let folder = tempfile::tempdir().unwrap();
    let mails = archive(folder.path());
    write(folder.path(), "rules/mine.toml", HOUSE);
    let read = |n: usize| fs::read_to_string(mails.join(format!("{n}.eml"))).unwrap();
    let mbox: String =
        (6..=9).rev().map(|n| format!("From x Mon Jan 12 10:00:00 2026\n{}\n", read(n))).collect();
    write(folder.path(), "list.mbox", &mbox);
    let said =
        told(&regard(folder.path(), &["rules", "backtest", "list.mbox", "--rules", "rules"]), 1);
    assert!(said.contains("list.mbox#2  <one@example.org>"), "{said}");

    let inbox = folder.path().join("inbox");
    let git = |args: &[&str]| {
        let done = Command::new("git")
            .args(["-c", "user.name=x", "-c", "user.email=x@example.org"])
            .arg("-C")
            .arg(&inbox)
            .args(args)
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    fs::create_dir(&inbox).unwrap();
    git(&["init", "--quiet"]);
    for number in (6..=9).rev() {
        fs::write(inbox.join("m"), read(number)).unwrap();
        git(&["add", "m"]);
        git(&["commit", "--quiet", "-m", "a mail"]);
    }
    let said = told(&regard(folder.path(), &["rules", "backtest", "inbox", "--rules", "rules"]), 1);
    assert!(said.contains("inbox@") && said.contains("2 verdicts gained"), "{said}");
}

#[test]
fn the_mail_of_the_store_is_read_again() {
    let mut house = House::build("");
    house.reply("mira@example.org", "The marmots zig zag next week.");
    house.reply("bo@example.org", "This is expected.");
    write(house.folder.path(), "rules/mine.toml", HOUSE);
    let said = house.run(&["rules", "backtest", "--stored", "--rules", "rules"]);
    let said = told(&said, 1);
    assert!(
        said.contains("gained   investigating\n         stored  <mail-1@example.net>\n"),
        "{said}"
    );
    assert!(
        said.contains(
            "2 by people, 2 of them in the thread of a report: 1 verdicts gained, 0 lost, 0 changed"
        ),
        "{said}"
    );
}

#[test]
fn sayings_are_learned_from() {
    let folder = tempfile::tempdir().unwrap();
    let sayings = "expected\tthis was meant\nconfirmed\tsame here\n".repeat(4);
    write(folder.path(), "say/all.txt", &sayings);
    write(folder.path(), "say/weights.tsv", "old\n");
    let said = told(&regard(folder.path(), &["rules", "learn", "say"]), 0);
    assert!(said.contains("weights.tsv: written"), "{said}");
    let weights = fs::read_to_string(folder.path().join("say/weights.tsv")).unwrap();
    assert!(weights.starts_with("digest\t") && weights.contains("\nmeant\t"), "{weights}");
    let files: Vec<_> = fs::read_dir(folder.path().join("say")).unwrap().collect();
    assert_eq!(files.len(), 2, "nothing is left lying about: {files:?}");
    write(folder.path(), "say/all.txt", "expected no tab\n");
    let refused = regard(folder.path(), &["rules", "learn", "say"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let why = String::from_utf8_lossy(&refused.stderr);
    assert!(why.contains("all.txt:1:1: a line without a tab"), "{why}");
    let kept = fs::read_to_string(folder.path().join("say/weights.tsv")).unwrap();
    assert_eq!(kept, weights, "what was there stays");
}
