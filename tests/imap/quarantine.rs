//! One mail that breaks things must not stop the others.

use regard::imap::Watcher;

use crate::support::fake::{Action, say, say_and_close};
use crate::support::fake_imap::FakeImap;
use crate::support::recorder::Recorder;

/// Answers every FETCH that includes UID 5 by `answer`.
fn spoiled(uids: impl IntoIterator<Item = u32>, answer: fn() -> Action) -> FakeImap {
    FakeImap::start(uids, move |_, command| {
        let set = command.strip_prefix("UID FETCH ").filter(|rest| rest.contains("BODY.PEEK"));
        let set = set.and_then(|rest| rest.split(' ').next()).unwrap_or_default();
        let includes = set.split(',').any(|part| {
            let (first, last) = part.split_once(':').unwrap_or((part, part));
            let (first, last) = (first.parse().unwrap_or(0), last.parse().unwrap_or(0));
            (first..=last).contains(&5)
        });
        if includes { answer() } else { Action::Usual }
    })
}

fn run(server: &FakeImap) -> Recorder {
    let recorder = Recorder::default();
    let watcher = Watcher::spawn(server.account(), recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    watcher.join();
    recorder
}

#[test]
fn a_mail_that_cannot_be_parsed_is_given_up_after_three_tries() {
    let server =
        spoiled(1..=9, || say("* 5 FETCH (UID 5 EMAILID (M6d99ac) NONSENSE\r\nTAG OK done\r\n"));
    run(&server).change(|log| {
        assert_eq!(log.uids(), [1, 2, 3, 4, 6, 7, 8, 9]);
        assert_eq!(log.quarantined.len(), 1);
        assert_eq!(
            log.quarantined[0],
            (5, "not understood: a line of the answer to UID FETCH".to_owned())
        );
        // The batch once, then the mail alone three times.
        assert_eq!(log.reasons(), ["not-understood"; 4]);
        assert_eq!(log.cursors["INBOX"].uid, 9);
    });
    assert_eq!(server.heard("UID FETCH 5 ").len(), 3);
}

#[test]
fn a_mail_that_kills_the_connection_gets_six_tries() {
    let server = spoiled([5], || say_and_close(""));
    run(&server).change(|log| {
        assert_eq!(
            log.quarantined,
            [(5, "connection lost: UID FETCH: closed by the server".to_owned())]
        );
        assert_eq!(log.reasons(), ["connection-lost"; 6]);
        // The cursor moved past it, though nothing was stored.
        assert_eq!((log.cursors["INBOX"].uid, log.batches.clone()), (5, vec![0]));
    });
}

/// I8: a server on its way out answers `* BYE`, then OK, without the mail. That is not "done".
#[test]
fn a_mail_that_did_not_come_is_asked_for_again() {
    let server =
        FakeImap::start(1..=3, |number, command| match (number, command.contains("BODY.PEEK")) {
            (1, true) => {
                let first = "* 1 FETCH (UID 1 BODY[] {8}\r\nTo: me\r\n)\r\n";
                say_and_close(&format!("{first}* BYE shutting down\r\nTAG OK done\r\n"))
            }
            _ => Action::Usual,
        });
    run(&server).change(|log| {
        assert_eq!(log.uids(), [1, 2, 3]);
        assert_eq!(log.reasons(), ["mail-missing"]);
        assert!(log.quarantined.is_empty());
    });
}

#[test]
fn a_mail_that_was_expunged_meanwhile_is_no_loss() {
    let server = FakeImap::start(1..=3, |_, _| Action::Usual);
    let other = server.clone();
    let server = FakeImap::start(1..=3, move |number, command| {
        if number == 1 && command.contains("BODY.PEEK") {
            other.change(|mailbox| mailbox.mails.remove(&2));
            return say("TAG OK done\r\n");
        }
        if number > 1 && command == "UID FETCH 1:3 (UID RFC822.SIZE)" {
            return say(
                "* 1 FETCH (UID 1 RFC822.SIZE 27)\r\n* 2 FETCH (UID 3 RFC822.SIZE 27)\r\nTAG OK done\r\n",
            );
        }
        Action::Usual
    });
    run(&server).change(|log| {
        assert_eq!(log.uids(), [1, 3]);
        assert!(log.quarantined.is_empty());
        assert_eq!(log.reasons(), ["mail-missing"]);
    });
}

#[test]
fn a_mail_that_is_listed_but_never_given_is_reported() {
    let server = spoiled(1..=9, || say("TAG OK done\r\n"));
    run(&server).change(|log| {
        assert_eq!(log.uids(), [1, 2, 3, 4, 6, 7, 8, 9]);
        assert_eq!(
            log.quarantined,
            [(5, "the server listed UID 5 but did not send it".to_owned())]
        );
    });
}

#[test]
fn a_body_of_nil_is_the_same_as_none() {
    let server = spoiled([5], || say("* 1 FETCH (UID 5 BODY[] NIL)\r\nTAG OK done\r\n"));
    run(&server).change(|log| assert_eq!(log.quarantined.len(), 1));
}

#[test]
fn odd_but_legal_answers_are_understood() {
    let server = spoiled([5], || {
        let flags = "* 1 FETCH (FLAGS (\\Seen))\r\n* 9 EXISTS\r\n* 2 EXPUNGE\r\n";
        let body = "* 1 FETCH (UID 5 X-GM-MSGID 1278455344230334865 INTERNALDATE \"99-Foo-2020 00:00:00 +0000\" BODY[] {5}\r\n";
        let mut answer = format!("{flags}{body}").into_bytes();
        answer.extend(b"a\0\xff\r\n)\r\n* 1 FETCH (FLAGS ())\r\nTAG OK done\r\n");
        Action::Say(answer)
    });
    run(&server).change(|log| {
        assert_eq!(log.mails[0].raw, b"a\0\xff\r\n");
        assert_eq!(log.mails[0].internal_date, None);
        assert!(log.reasons().is_empty(), "{:?}", log.reasons());
    });
}
