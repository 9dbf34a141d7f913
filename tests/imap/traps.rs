//! What servers really do, and what the `imap` crate makes of it. Numbers as in the notes on mail plumbing (I1 to I17).

use std::time::Duration;

use regard::imap::{Watcher, probe};

use crate::support::fake::{Action, say, say_and_close};
use crate::support::fake_imap::FakeImap;
use crate::support::recorder::Recorder;
use crate::support::server::wait_for;

fn watch(server: &FakeImap) -> (Watcher, Recorder) {
    let recorder = Recorder::default();
    (Watcher::spawn(server.account(), recorder.clone()).unwrap(), recorder)
}

/// I1, I4: chatter ("Still here") does not prolong an IDLE; we end each and begin anew, on the same connection.
#[test]
fn an_idle_ends_in_time_despite_chatter() {
    let server = FakeImap::start([1], |_, command| match command {
        "IDLE" => say(&format!("+ idling\r\n{}", "* OK Still here\r\n".repeat(3))),
        _ => Action::Usual,
    });
    let mut account = server.account();
    account.timing.idle = Duration::from_millis(30);
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    wait_for("three IDLEs", || (server.heard("IDLE").len() >= 3).then_some(()));
    assert!(server.heard("DONE").len() >= 2);
    recorder.change(|log| assert!(log.reasons().is_empty(), "{:?}", log.reasons()));
}

/// I1: many IDLEs in a row use no stack and no new connection.
#[test]
fn a_quiet_mailbox_keeps_one_connection() {
    let server = FakeImap::start([1], |_, _| Action::Usual);
    let mut account = server.account();
    account.timing.idle = Duration::from_millis(1);
    let recorder = Recorder::default();
    let watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    wait_for("thirty IDLEs", || (server.heard("IDLE").len() > 30).then_some(()));
    watcher.join();
    assert_eq!(server.heard("LOGIN").len(), 1);
    recorder.change(|log| assert!(log.reasons().is_empty(), "{:?}", log.reasons()));
}

/// I2, I3: a peer that falls silent in IDLE is noticed when the IDLE ends, not waited for.
#[test]
fn a_silent_peer_in_idle_is_left() {
    let server = FakeImap::start([1], |number, command| match (number, command) {
        (1, "IDLE") => Action::Hang,
        _ => Action::Usual,
    });
    let mut account = server.account();
    account.timing.idle = Duration::from_millis(50);
    account.timing.io = Duration::from_millis(200);
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    recorder.wait("the second connection", |log| log.watching() == 2);
    recorder.change(|log| assert_eq!(log.reasons(), ["connection-lost"]));
}

/// I3: an answer that comes late belongs to another command; nothing more is done on that connection.
#[test]
fn a_late_answer_ends_the_connection() {
    let server = FakeImap::start([1], |number, command| match (number, command) {
        (1, "NOOP") => say("a1 OK late\r\n"),
        _ => Action::Usual,
    });
    let mut account = server.account();
    account.timing.idle = Duration::from_millis(20);
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    recorder.wait("the second connection", |log| log.watching() == 2);
    recorder.change(|log| {
        assert_eq!(
            log.errors().next().unwrap().to_string(),
            "not understood: an answer to another command"
        )
    });
}

/// I5: mail announced while another command runs is fetched without waiting for the end of an IDLE.
#[test]
fn mail_announced_between_commands_is_not_slept_over() {
    let server = FakeImap::start(1..=2, |number, command| match (number, command) {
        // One more is announced with the answer to the first look, and never again.
        (1, "UID FETCH 1:2 (UID RFC822.SIZE)") => {
            say("* 1 FETCH (UID 1 RFC822.SIZE 27)\r\n* 3 EXISTS\r\nTAG OK done\r\n")
        }
        (1, "UID FETCH 3:* (UID RFC822.SIZE)") => say("* 3 EXISTS\r\nTAG OK done\r\n"),
        (1, "IDLE") => Action::Hang,
        _ => Action::Usual,
    });
    let (_watcher, _recorder) = watch(&server);
    wait_for("an IDLE", || (!server.heard("IDLE").is_empty()).then_some(()));
    let heard = server.heard("");
    let first = |command: &str| heard.iter().position(|known| known == command);
    assert!(first("NOOP").is_some() && first("NOOP") < first("IDLE"), "{heard:?}");
}

/// A server that repeats the number of mails with every answer announces nothing by it.
#[test]
fn repeated_numbers_of_mails_are_no_news() {
    let server = FakeImap::start([1], |_, command| match command {
        "IDLE" => say("+ idling\r\n* 1 EXISTS\r\n* 1 RECENT\r\n"),
        "UID FETCH 2:* (UID RFC822.SIZE)" => say("* 1 EXISTS\r\nTAG OK done\r\n"),
        _ => Action::Usual,
    });
    let mut account = server.account();
    account.timing.idle = Duration::from_millis(300);
    let _watcher = Watcher::spawn(account, Recorder::default()).unwrap();
    wait_for("two IDLEs", || (server.heard("IDLE").len() >= 2).then_some(()));
    // Had it taken them for news, it would have looked hundreds of times meanwhile.
    assert!(server.heard("NOOP").len() <= server.heard("IDLE").len());
}

/// I6: a quota warning in the answer to EXAMINE is legal, and lasts for weeks.
#[test]
fn a_warning_in_examine_is_no_reason_to_panic() {
    let server = FakeImap::start([1], |_, command| match command {
        "EXAMINE \"INBOX\"" => say(
            "* 1 EXISTS\r\n* NO [ALERT] mailbox is 95% full\r\n* BAD odd\r\n* OK [UIDVALIDITY 7] x\r\n\
             * OK [UIDNEXT 2] x\r\nTAG OK [READ-ONLY] done\r\n",
        ),
        _ => Action::Usual,
    });
    let (_watcher, recorder) = watch(&server);
    recorder.wait("the mail", |log| log.has("Text 1"));
    recorder.change(|log| assert!(log.reasons().is_empty(), "{:?}", log.reasons()));
}

/// I6: IDLE that is answered OK without `+` (the crate panics), refused, or not understood: polled from then on.
#[test]
fn a_server_that_cannot_idle_after_all_is_polled() {
    for answer in ["TAG OK done\r\n", "TAG NO not now\r\n", "TAG BAD unknown\r\n"] {
        let server = FakeImap::start([1], move |_, command| match command {
            "IDLE" => say(answer),
            _ => Action::Usual,
        });
        let mut account = server.account();
        account.timing.refused_max = Duration::from_secs(3600);
        let recorder = Recorder::default();
        let _watcher = Watcher::spawn(account, recorder.clone()).unwrap();
        recorder.wait("the second connection", |log| log.watching() == 2);
        server.deliver();
        recorder.wait("what arrived", |log| log.uids() == [1, 2]);
        assert_eq!(server.heard("IDLE").len(), 1, "{answer}");
    }
}

/// I6: mail announced before the `+` of IDLE is neither lost nor waited for.
#[test]
fn untagged_lines_before_the_plus_are_put_behind_it() {
    let server = FakeImap::start([1], |_, command| match command {
        "IDLE" => say("* 2 EXISTS\r\n+ idling\r\n"),
        _ => Action::Usual,
    });
    let mut account = server.account();
    (account.timing.idle, account.timing.io) = (Duration::from_secs(600), Duration::from_secs(600));
    let _watcher = Watcher::spawn(account, Recorder::default()).unwrap();
    wait_for("the end of IDLE", || (!server.heard("DONE").is_empty()).then_some(()));
}

/// I7: a line that the crate cannot parse ends the connection, not the watcher.
#[test]
fn unparsable_lines_cost_a_connection() {
    let server = FakeImap::start([1], |number, command| match (number, command) {
        (1, "CAPABILITY") => {
            Action::Say(b"* OK caf\xe9\r\n* CAPABILITY IMAP4rev1 IDLE\r\nTAG OK done\r\n".to_vec())
        }
        (2, "EXAMINE \"INBOX\"") => say("* XFOO 1 2\r\nTAG OK done\r\n"),
        _ => Action::Usual,
    });
    let (_watcher, recorder) = watch(&server);
    recorder.wait("the mail", |log| log.has("Text 1"));
    recorder.change(|log| assert_eq!(log.reasons(), ["not-understood", "not-understood"]));
}

/// I7: sizes above 4 GiB cannot be parsed; then the UIDs alone must do.
#[test]
fn one_absurd_size_does_not_hide_the_other_mails() {
    let server = FakeImap::start(1..=2, |_, command| match command {
        c if c.contains("RFC822.SIZE") => {
            say("* 1 FETCH (UID 1 RFC822.SIZE 5000000000)\r\nTAG OK done\r\n")
        }
        _ => Action::Usual,
    });
    let (_watcher, recorder) = watch(&server);
    recorder.wait("both mails", |log| log.uids() == [1, 2]);
}

/// I12, I14: goodbye in all its forms is one more way to lose a connection.
#[test]
fn goodbyes_are_survived() {
    let server = FakeImap::start([1], |number, command| match (number, command) {
        (1, "IDLE") => say_and_close("+ idling\r\n* BYE shutting down\r\n"),
        (2, "IDLE") => say_and_close("+ idling\r\n"),
        (3, "IDLE") => say_and_close("* BYE no\r\n"),
        (4, "NOOP") => say_and_close("* BYE Idle for too long\r\n"),
        _ => Action::Usual,
    });
    let mut account = server.account();
    account.timing.idle = Duration::from_millis(200);
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    recorder.wait("the fifth connection", |log| log.watching() == 5);
    recorder.change(|log| {
        assert_eq!(log.uids(), [1]);
        assert!(
            log.reasons().iter().all(|reason| *reason == "connection-lost"),
            "{:?}",
            log.reasons()
        );
    });
}

/// I15: stopping ends an IDLE, a silent server, and a pause at once.
#[test]
fn stopping_does_not_wait() {
    for hang_at in ["IDLE", "UID", "CAPABILITY", "nothing"] {
        let server = FakeImap::start([1], move |_, command| match command.starts_with(hang_at) {
            true => Action::Hang,
            false => Action::Usual,
        });
        let mut account = server.account();
        account.timing.idle = Duration::from_secs(600);
        account.timing.io = Duration::from_secs(600);
        account.timing.command = Duration::from_secs(600);
        let watcher = Watcher::spawn(account, Recorder::default()).unwrap();
        let last = if hang_at == "nothing" { "IDLE" } else { hang_at };
        wait_for(last, || (!server.heard(last).is_empty()).then_some(()));
        // nextest ends the test if this waits.
        watcher.join();
    }
}

/// I17: an answer without end is cut off.
#[test]
fn an_answer_without_end_is_cut() {
    let server = FakeImap::start([1], |_, command| match command.starts_with("EXAMINE") {
        true => Action::Say(b"* OK filler\r\n".repeat(10_000)),
        false => Action::Usual,
    });
    let mut account = server.account();
    account.limits.answer_bytes = 50_000;
    let error = probe(&account).unwrap_err();
    assert_eq!(error.to_string(), "not understood: EXAMINE: an answer of more than 50000 bytes");
}

/// A server that is silent from the start is left, too.
#[test]
fn silence_at_any_command_is_bounded() {
    for silent in ["CAPABILITY", "LOGIN", "EXAMINE"] {
        let server = FakeImap::start([1], move |_, command| match command.starts_with(silent) {
            true => Action::Hang,
            false => Action::Usual,
        });
        let mut account = server.account();
        account.timing.io = Duration::from_millis(50);
        let error = probe(&account).unwrap_err();
        assert_eq!(
            error.to_string(),
            "connection lost: SILENT: the server was silent for 0.05 s".replace("SILENT", silent)
        );
    }
}
