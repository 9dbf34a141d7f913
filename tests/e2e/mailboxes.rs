//! What mail servers do to a daemon that watches them.

use crate::bot::{House, REPORT, sample};
use crate::support::public_inbox::PublicInbox;
use crate::support::server::wait_for;

fn reports(house: &House) -> usize {
    let wanted = format!("Message-ID: <{REPORT}>");
    house.dovecot.mails("perf-reports").iter().filter(|m| m.contains(&wanted)).count()
}

#[test]
fn a_server_that_dies_or_falls_silent_is_found_again() {
    let mut house = House::build("live");
    let bot = house.start();
    house.dovecot.kill();
    bot.wait_for_log("connection-lost", 1);
    house.dovecot.restart();
    house.mail("lab@example.org", "bot@example.org", &sample("01-hackbench-gets-worse.eml"));
    wait_for("the report", || (reports(&house) == 1).then_some(()));
    bot.stop();
}

#[test]
fn a_renumbered_mailbox_is_read_again_and_nothing_is_done_twice() {
    let mut house = House::build("live");
    let bot = house.start();
    house.mail("lab@example.org", "bot@example.org", &sample("01-hackbench-gets-worse.eml"));
    wait_for("the report", || (reports(&house) == 1).then_some(()));
    house.dovecot.change_uidvalidity("bot");
    bot.wait_for_log("renumbered", 1);
    bot.wait_for_log("understood=\"known\"", 1);
    assert_eq!(reports(&house), 1);
    assert_eq!(house.json(&["list"]).len(), 1);
    bot.stop();
}

#[test]
fn a_public_inbox_serves_the_list_as_well() {
    let house = House::build("live");
    let inbox = PublicInbox::start();
    let account = inbox.account();
    let more = format!(
        "\n[[mailbox]]\nname = \"archive\"\nhost = \"localhost\"\nport = {}\nca_file = \"{}\"\nuser = \"anonymous\"\n\
         password_file = \"password\"\nmailbox = \"{}\"\nslices = true\nidle_seconds = 2\n",
        account.port,
        account.ca_file.unwrap().display(),
        account.mailbox
    );
    house.configure(|text| text + &more);
    let bot = house.spawn(None);
    bot.wait_for_log("watching", 3);
    house.mail("lab@example.org", "bot@example.org", &sample("01-hackbench-gets-worse.eml"));
    house.wait_for_state("open");
    let reply = sample("06-jonas-cannot-reproduce.eml")
        .replace("sched@lists.example.org", "perf@lists.test");
    inbox.deliver(&reply);
    house.wait_for_state("not-reproducible");
    bot.stop();
}

#[test]
fn a_second_daemon_on_the_same_store_is_refused() {
    let house = House::build("dry-run");
    let bot = house.start();
    let second = house.regard(&["run"]);
    assert_eq!(second.status.code(), Some(2));
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(said.contains("another regard daemon"), "{said}");
    bot.stop();
}

#[test]
fn a_wrong_password_is_told_and_nothing_is_hammered() {
    let house = House::build("dry-run");
    house.write("password", "wrong");
    let bot = house.spawn(None);
    bot.wait_for_log("login-refused", 2);
    house.write("password", crate::support::dovecot::PASSWORD);
    let refused = bot.log().iter().filter(|l| l.contains("login-refused")).count();
    assert_eq!(refused, 2, "one try a mailbox: {:#?}", bot.log());
    bot.stop();
}
