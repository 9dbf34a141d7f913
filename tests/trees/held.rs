//! The gate before the door: what it holds waits in the outbox, with its reason in `regard outbox list`.

use serde_json::json;

use crate::house::{House, day, mainline};
use crate::repo::Repo;
use crate::results::results;

const BASE: &str = "9c41d7e02b6a58f3c0d94e1b7a2f6c8e5d3b0a17";

/// A notification about the n-th invented commit, with an author.
fn told(n: usize) -> serde_json::Value {
    let mut told = results("linus", BASE, &format!("{n:02}1d0c5a9b7e42d68c1f0a5b9e7d3c2b1a0f9e8d"));
    told["head"]["author"] = json!({"name": "Ada Ashby", "email": "ada@example.org"});
    told["test"]["name"] = json!(format!("hackbench{n}"));
    told
}

/// State and note of each mail, oldest first.
fn notes(house: &House) -> Vec<String> {
    let lines = house.outbox();
    let rows = lines.lines().skip(1).map(|line| {
        let words: Vec<&str> = line.split("  ").map(str::trim).filter(|w| !w.is_empty()).collect();
        format!("{}: {}", words[1], words.last().unwrap())
    });
    rows.collect()
}

fn live() -> House {
    House::build("mode = \"live\"\n")
}

#[test]
fn unequal_environments() {
    let mut house = live();
    let mut results = told(1);
    results["head_environment"] =
        json!({"machine": "lab-a", "cpu": "8 threads Ivy Bridge", "memory": "32G"});
    house.results("first", &results, day(1));
    let notes = notes(&house);
    assert_eq!(notes.len(), 1);
    let expected = "held: unequal-environments: memory is \"16G\" on base and \"32G\"";
    assert!(notes[0].starts_with(expected), "{notes:?}");
}

#[test]
fn unequal_environments_without_a_change_are_no_mail() {
    let mut house = live();
    let mut results = told(1);
    results["head_environment"] = json!({"machine": "lab-b"});
    for metric in 0..2 {
        results["metrics"][metric]["head"] = results["metrics"][metric]["base"].clone();
    }
    house.results("first", &results, day(1));
    assert!(notes(&house).is_empty());
}

#[test]
fn nobody_to_write_to() {
    let mut house = live();
    let mut results = told(1);
    results["head"]["author"] = json!({"name": "Root", "email": "root@localhost"});
    house.results("first", &results, day(1));
    assert_eq!(notes(&house), ["held: no-recipient: nobody would get this mail"]);
}

#[test]
fn more_than_a_day_may_have() {
    let mut house = House::build("mode = \"live\"\n[policy]\ndaily_limit = 2\n");
    for n in 1..4 {
        house.results(&format!("m{n}"), &told(n), day(1));
    }
    assert_eq!(notes(&house)[2], "held: daily-limit: 2 of 2 reports a day are written");
    assert!(notes(&house)[..2].iter().all(|n| n.starts_with("queued")));
    house.results("m5", &told(5), day(3));
    assert!(notes(&house)[3].starts_with("queued"), "a new day: {:?}", notes(&house));
}

#[test]
fn somebody_reported_the_commit_already() {
    let mut house = live();
    let results = told(1);
    let commit = results["head"]["commit"].as_str().unwrap();
    let report = format!(
        "From: perf robot <perf-robot@example.net>\r\nTo: ada@example.org\r\n\
         Subject: [kernel:master] [sched] {}: hackbench.throughput -9.9% regression\r\n\
         Message-ID: <robot@example.net>\r\nDate: Sun, 01 Mar 2026 06:10:00 +0000\r\n\r\n\
         Hello,\r\n\r\nperf robot noticed a -9.9% regression of hackbench.throughput on:\r\n\r\n\
         commit: {commit} (\"sched/fair: x\")\r\n",
        &commit[..10]
    );
    house.take(report.into_bytes(), day(1));
    house.results("first", &results, day(2));
    let notes = notes(&house);
    assert!(notes[0].starts_with("held: duplicate-commit: "), "{notes:?}");
}

#[test]
fn the_same_series_over_ranges_that_git_knows_to_overlap() {
    let repo = Repo::new();
    let ids: Vec<String> = (0..5).map(|n| repo.commit(&format!("sched: step {n}\n"))).collect();
    let mut house = House::build(&("mode = \"live\"\n".to_owned() + &mainline(&repo)));
    let of = |base: usize, head: usize| {
        let mut results = results("linus", &ids[base], &ids[head]);
        results["head"]["lists"] = json!(["sched@lists.example.org"]);
        results
    };
    house.results("first", &of(0, 2), day(1));
    house.results("apart", &of(2, 3), day(2));
    house.results("across", &of(1, 4), day(3));
    let notes = notes(&house);
    assert!(notes[..2].iter().all(|n| n.starts_with("queued")), "{notes:?}");
    assert!(notes[2].starts_with("held: duplicate-series: "), "{notes:?}");
}

#[test]
fn the_same_results_again_are_no_second_mail() {
    let mut house = live();
    house.results("first", &told(1), day(1));
    house.results("sent-again", &told(1), day(1));
    house.results("measured-again", &told(1), day(5));
    assert_eq!(notes(&house).len(), 1);
}

#[test]
fn without_numbers_nothing_is_written() {
    let mut house = live();
    let mut results = told(1);
    results["metrics"][0]["head"] = json!([null, null, null]);
    results["metrics"][1]["head"] = json!([]);
    house.results("first", &results, day(1));
    assert!(notes(&house).is_empty());
}
