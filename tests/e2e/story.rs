//! The main job: a notification comes in, a report goes out, replies move its state.

use crate::bot::{House, REPORT, sample};

/// The first mail of `user`'s mailbox that has this Message-ID.
fn arrived(house: &House, user: &str, id: &str) -> String {
    let what = format!("<{id}> in the mailbox of {user}");
    crate::support::server::wait_for(&what, || {
        let wanted = format!("Message-ID: <{id}>");
        house.dovecot.mails(user).into_iter().find(|m| m.contains(&wanted))
    })
}

#[test]
fn moderated_the_report_waits_is_released_and_answered() {
    let house = House::build("moderated");
    let bot = house.start();
    house.mail("lab@example.org", "bot@example.org", &sample("01-hackbench-gets-worse.eml"));
    let row = house.wait_for_outbox("a held report", |r| r["key"] == "report/z3anh3v5");
    assert_eq!((&row["state"], &row["hold"]), (&"held".into(), &"moderation".into()));
    let number = row["id"].to_string();
    let shown = house.print(&["outbox", "show", &number]);
    assert!(
        shown.contains("FYI, we noticed a -9.3% regression of hackbench.throughput due to commit:"),
        "{shown}"
    );
    assert!(house.dovecot.mails("perf-reports").is_empty(), "nothing leaves before it is released");

    house.print(&["outbox", "release", &number]);
    let report = arrived(&house, "perf-reports", REPORT);
    assert!(
        report.contains("In-Reply-To: <20260219101500.4711-3-mira@example.org>"),
        "threaded below the patch"
    );
    assert!(
        report.contains("\n    412240            -9.6%     372588        hackbench.throughput"),
        "{report}"
    );
    assert!(!report.contains("quoted-printable"));
    for person in ["mira", "jonas", "sched"] {
        arrived(&house, person, REPORT);
    }
    house.wait_for_outbox("the echo", |r| {
        r["key"] == "report/z3anh3v5" && r["state"] == "confirmed"
    });

    house.mail("jonas@example.org", "bot@example.org", &sample("06-jonas-cannot-reproduce.eml"));
    let r = house.wait_for_state("not-reproducible");
    assert_eq!(r["id"], "z3anh3v5");
    let words = r["words"].as_str().unwrap();
    assert!(words.starts_with("I cannot reproduce this on two machines"), "{words}");
    let story = house.print(&["show", "z3anh3v5"]);
    assert!(story.contains("open -> not-reproducible") && story.contains("Jonas Weil"), "{story}");
    bot.stop();
}

#[test]
fn live_reports_go_out_at_once_and_only_once() {
    let house = House::build("live");
    let bot = house.start();
    let notification = sample("01-hackbench-gets-worse.eml");
    house.mail("lab@example.org", "bot@example.org", &notification);
    arrived(&house, "perf-reports", REPORT);
    // The same notification again, as a nervous script would.
    house.mail("lab@example.org", "bot@example.org", &notification);
    bot.wait_for_log("understood=\"known\"", 1);
    assert_eq!(house.dovecot.mails("perf-reports").len(), 1);
    assert_eq!(house.json(&["list"]).len(), 1);
}

#[test]
fn dry_run_sends_nothing_whatever_is_released() {
    let house = House::build("dry-run");
    let bot = house.start();
    house.mail("lab@example.org", "bot@example.org", &sample("01-hackbench-gets-worse.eml"));
    let row = house.wait_for_outbox("a held report", |r| r["key"] == "report/z3anh3v5");
    assert_eq!(row["hold"], "dry-run");
    house.print(&["outbox", "release", &row["id"].to_string()]);
    // A second mail has come all the way through: there was time enough to send the first.
    house.mail("lab@example.org", "bot@example.org", &sample("02-fio-gets-better.eml"));
    house.wait_for_outbox("a second report", |r| r["key"] == "report/2t3v36w9");
    assert!(house.dovecot.mails("perf-reports").is_empty());
    bot.stop();
}

#[test]
fn a_malformed_notification_is_answered_kept_and_reported_to_nobody() {
    let house = House::build("live");
    let bot = house.start();
    house.mail("lab@example.org", "bot@example.org", &sample("04-a-broken-notification.eml"));
    let answer = crate::support::server::wait_for("an answer to the lab", || {
        house.dovecot.mails("lab").pop()
    });
    for wanted in [
        "In-Reply-To: <20260302.0815.broken@lab.example.org>",
        "Auto-Submitted: auto-replied",
        "head",
        "metrics[0].direction",
    ] {
        assert!(answer.contains(wanted), "{wanted} in:\n{answer}");
    }
    // The loop goes on.
    house.mail("lab@example.org", "bot@example.org", &sample("01-hackbench-gets-worse.eml"));
    arrived(&house, "perf-reports", REPORT);
    assert_eq!(house.dovecot.mails("perf-reports").len(), 1);
    bot.stop();
}

#[test]
fn results_of_a_stranger_are_not_believed() {
    let house = House::build("live");
    let bot = house.start();
    let forged = sample("01-hackbench-gets-worse.eml")
        .replace("Lab A <lab@example.org>", "Mal <mal@example.org>");
    house.mail("mal@example.org", "bot@example.org", &forged);
    bot.wait_for_log("taken", 1);
    assert!(house.json(&["list", "--all"]).is_empty());
    assert!(house.json(&["outbox", "list"]).is_empty());
    bot.stop();
}

#[test]
fn submit_sends_what_the_bot_reads() {
    let house = House::build("moderated");
    let bot = house.start();
    let mail = sample("01-hackbench-gets-worse.eml");
    let json = &mail[mail.find("\n{").unwrap() + 1..=mail.rfind("\n}").unwrap() + 1];
    house.write("results.json", json);
    let file = house.path("results.json");
    let args =
        ["submit", file.to_str().unwrap(), "--to", "bot@example.org", "--from", "lab@example.org"];
    let printed = house.print(&[&args[..], &["--print"]].concat());
    assert!(
        printed.contains("results: hackbench on lab-a-ivb, 9c41d7e02b..3f1d0c5a9b"),
        "{printed}"
    );
    house.print(&args);
    house.wait_for_outbox("a held report", |r| {
        r["state"] == "held" && r["reason"].as_str().unwrap().starts_with("moderated-t")
    });
    bot.stop();
}

#[test]
fn check_logs_in_and_names_what_is_wrong() {
    let house = House::build("moderated");
    let good = house.regard(&["check"]);
    let text = String::from_utf8(good.stdout).unwrap();
    assert_eq!(good.status.code(), Some(0), "{text}");
    assert_eq!(
        text.lines().filter(|l| l.starts_with("ok") && l.contains("INBOX: 0 mails, IDLE")).count(),
        2,
        "{text}"
    );
    assert!(text.contains("encrypted, logged in"), "{text}");

    house.write("password", "wrong");
    let bad = house.regard(&["check"]);
    let text = String::from_utf8(bad.stdout).unwrap();
    assert_eq!(bad.status.code(), Some(1), "{text}");
    assert_eq!(text.lines().filter(|l| l.starts_with("WRONG")).count(), 3, "{text}");
    assert!(text.contains("check user and password"), "{text}");
}
