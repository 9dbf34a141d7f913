//! What relays do to mail.

use serde_json::Value;

use crate::bot::{House, REPORT, sample};
use crate::support::server::wait_for;

/// The demo's first notification with other people in the commit.
fn with_people(emails: &[&str]) -> String {
    let mail = sample("01-hackbench-gets-worse.eml");
    let mut mail = mail.replace("jonas@example.org", emails[0]);
    if let Some(second) = emails.get(1) {
        mail = mail.replace("\"mira@example.org\"", &format!("\"{second}\""));
    }
    mail
}

fn recipient<'a>(row: &'a Value, address: &str) -> &'a Value {
    row["recipients"].as_array().unwrap().iter().find(|r| r["address"] == address).unwrap()
}

#[test]
fn greylisted_is_tried_again_for_that_one_alone() {
    let house = House::build("live");
    let bot = house.start();
    house.mail("lab@example.org", "bot@example.org", &with_people(&["greylist1@example.org"]));
    let row = house.wait_for_outbox("the deferred recipient to be taken", |r| {
        r["key"] == "report/z3anh3v5"
            && r["recipients"].as_array().unwrap().iter().all(|r| r["state"] == "accepted")
    });
    assert!(row["attempts"].as_u64().unwrap() >= 2, "{row}");
    wait_for("its mail", || house.dovecot.mails("greylist1").pop());
    let wanted = format!("Message-ID: <{REPORT}>");
    assert_eq!(
        house.dovecot.mails("perf-reports").iter().filter(|m| m.contains(&wanted)).count(),
        1
    );
    assert_eq!(house.dovecot.mails("mira").len(), 1, "those who have it do not get it again");
    bot.stop();
}

#[test]
fn one_refused_recipient_does_not_keep_it_from_the_others() {
    let house = House::build("live");
    let bot = house.start();
    house.mail("lab@example.org", "bot@example.org", &with_people(&["reject1@example.org"]));
    let row = house.wait_for_outbox("the report to be sent", |r| {
        r["key"] == "report/z3anh3v5" && (r["state"] == "sent" || r["state"] == "confirmed")
    });
    let refused = recipient(&row, "reject1@example.org");
    assert_eq!(refused["state"], "refused", "{row}");
    assert!(refused["answer"].as_str().unwrap().contains("550"), "{row}");
    assert_eq!(recipient(&row, "mira@example.org")["state"], "accepted");
    wait_for("the author's copy", || house.dovecot.mails("mira").pop());
    bot.stop();
}

#[test]
fn a_relay_that_is_away_is_no_reason_to_lose_mail() {
    let mut house = House::build("live");
    let bot = house.start();
    let mail = sample("01-hackbench-gets-worse.eml");
    house.exim.kill();
    house.dovecot.deliver("bot", &mail);
    house.wait_for_outbox("a deferred report", |r| r["state"] == "deferred");
    house.exim.restart();
    wait_for("the report", || house.dovecot.mails("perf-reports").pop());
    bot.stop();
}

#[test]
fn nobody_outside_the_allow_list_gets_mail() {
    let house = House::build("live");
    house.configure(|text| {
        text.replace("[bot]\n", "[bot]\nallow_recipients = [\"perf-reports@example.org\"]\n")
    });
    let bot = house.start();
    house.mail("lab@example.org", "bot@example.org", &sample("01-hackbench-gets-worse.eml"));
    let row = house.wait_for_outbox("the report", |r| r["state"] == "confirmed");
    assert_eq!(row["recipients"].as_array().unwrap().len(), 1, "{row}");
    assert!(house.dovecot.mails("mira").is_empty());
    bot.stop();
}
