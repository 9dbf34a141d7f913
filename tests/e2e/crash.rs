//! kill -9 between each pair of steps: nothing is lost, nothing is sent twice.

use crate::bot::{House, REPORT, sample};
use crate::support::server::wait_for;

/// Lets the daemon stand still at `step`, kills it there, starts it again, and sees that the report arrived once.
fn killed_at(step: &str) {
    let house = House::build("live");
    let bot = house.spawn(Some(step));
    house.mail("lab@example.org", "bot@example.org", &sample("01-hackbench-gets-worse.eml"));
    bot.wait_for_log(&format!("stopped at {step}"), 1);
    bot.kill();

    let bot = house.start();
    let wanted = format!("Message-ID: <{REPORT}>");
    let copies = |house: &House| {
        house.dovecot.mails("perf-reports").iter().filter(|m| m.contains(&wanted)).count()
    };
    wait_for("the report", || (copies(&house) > 0).then_some(()));
    // Once its echo is confirmed, or it stands as sent, nothing can be due any more.
    house.wait_for_outbox("the end of the sending", |r| {
        r["state"] == "confirmed" || r["state"] == "sent"
    });
    // Whatever was still on its way would have come before a second report.
    house.mail("lab@example.org", "bot@example.org", &sample("02-fio-gets-better.eml"));
    wait_for("a second report", || {
        (house.dovecot.mails("perf-reports").len() > copies(&house)).then_some(())
    });
    assert_eq!(copies(&house), 1, "killed at {step}");
    assert_eq!(house.json(&["list"]).len(), 2);
    bot.stop();
}

#[test]
fn after_a_batch_was_fetched() {
    killed_at("batch-fetched");
}

#[test]
fn after_a_batch_was_stored() {
    killed_at("batch-stored");
}

#[test]
fn after_a_mail_was_marked_as_being_sent() {
    killed_at("sending-marked");
}

#[test]
fn after_the_relay_took_it_and_before_that_was_written_down() {
    killed_at("relay-answered");
}

#[test]
fn after_its_fate_was_written_down() {
    killed_at("fate-stored");
}
