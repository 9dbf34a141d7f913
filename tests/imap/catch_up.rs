//! Everything once, in order, in batches, from wherever we were.

use jiff::civil::date;
use regard::imap::{Cursor, Status, Watcher};

use crate::support::fake::{Action, say};
use crate::support::fake_imap::{FakeImap, mail};
use crate::support::recorder::Recorder;

fn usual(uids: impl IntoIterator<Item = u32>) -> FakeImap {
    FakeImap::start(uids, |_, _| Action::Usual)
}

#[test]
fn everything_there_comes_in_batches_then_what_arrives() {
    let server = usual((1..=120).map(|n| n * 3));
    let recorder = Recorder::default();
    let watcher = Watcher::spawn(server.account(), recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    recorder.change(|log| {
        assert_eq!(log.uids(), (1..=120).map(|n| n * 3).collect::<Vec<_>>());
        assert_eq!(log.batches, [50, 50, 20]);
        let first = &log.mails[0];
        assert_eq!((&first.raw, first.truncated, first.size), (&mail(3), false, 27));
        assert_eq!(first.internal_date.unwrap().to_string(), "2026-08-03T08:00:00Z");
        assert_eq!(log.cursors["INBOX"], Cursor { uid_validity: 7, uid: 360 });
    });
    assert_eq!(server.deliver(), 361);
    recorder.wait("what arrived in IDLE", |log| log.mails.last().unwrap().uid == 361);
    watcher.join();
    recorder.change(|log| assert_eq!(log.statuses.last(), Some(&Status::Stopped { why: None })));
    assert!(server.heard("SELECT").is_empty() && server.heard("UID STORE").is_empty(), "read-only");
}

#[test]
fn goes_on_where_it_was() {
    let server = usual(1..=10);
    let recorder = Recorder::default();
    recorder.change(|log| log.cursors.insert("INBOX".into(), Cursor { uid_validity: 7, uid: 8 }));
    let _watcher = Watcher::spawn(server.account(), recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    recorder.change(|log| assert_eq!(log.uids(), [9, 10]));
}

#[test]
fn the_last_mail_that_a_server_names_for_an_empty_range_is_not_taken_again() {
    let server = usual(1..=10);
    let recorder = Recorder::default();
    recorder.change(|log| log.cursors.insert("INBOX".into(), Cursor { uid_validity: 7, uid: 10 }));
    let _watcher = Watcher::spawn(server.account(), recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    assert_eq!(server.heard("UID FETCH"), ["UID FETCH 11:* (UID RFC822.SIZE)"]);
    recorder.change(|log| assert!(log.batches.is_empty()));
}

#[test]
fn another_uidvalidity_means_all_again() {
    let server = usual(1..=3);
    let recorder = Recorder::default();
    let was = Cursor { uid_validity: 6, uid: 40 };
    recorder.change(|log| log.cursors.insert("INBOX".into(), was));
    let _watcher = Watcher::spawn(server.account(), recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    recorder.change(|log| {
        assert_eq!(log.uids(), [1, 2, 3]);
        let told = Status::Renumbered { mailbox: "INBOX".into(), was, uid_validity: 7 };
        assert!(log.statuses.contains(&told));
    });
}

#[test]
fn uids_that_went_back_mean_the_same() {
    // Some providers renumber without a new UIDVALIDITY; UIDNEXT gives them away.
    let server = usual(1..=3);
    let recorder = Recorder::default();
    recorder.change(|log| log.cursors.insert("INBOX".into(), Cursor { uid_validity: 7, uid: 4 }));
    let _watcher = Watcher::spawn(server.account(), recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    recorder.change(|log| {
        assert_eq!(log.uids(), [1, 2, 3]);
        // The cursor moved back before anything was read: more mail than before may come while we are away.
        assert_eq!(log.batches, [0, 3]);
    });
}

#[test]
fn a_large_mail_is_cut_and_its_neighbours_are_not() {
    let server = usual(1..=3);
    let large = [&b"Subject: large\r\n\r\n"[..], &b"x".repeat(5000)].concat();
    server.change(|mailbox| mailbox.mails.insert(2, large.clone()));
    let mut account = server.account();
    account.limits.mail_bytes = 1000;
    account.limits.cut_bytes = 300;
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    recorder.change(|log| {
        assert_eq!(log.uids(), [1, 2, 3]);
        assert_eq!(log.batches, [3]);
        let cut = &log.mails[1];
        assert_eq!((cut.raw.as_slice(), cut.truncated, cut.size), (&large[..300], true, 5018));
        assert!(!log.mails[2].truncated && log.mails[2].raw == mail(3));
    });
}

#[test]
fn wide_gaps_between_uids_cost_few_commands() {
    let server = usual([5, 30, 3_000_000]);
    // UIDNEXT says nothing of where the mails are.
    server.change(|mailbox| mailbox.uid_next = 4_000_000_000);
    let mut account = server.account();
    account.limits.window = 10;
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    recorder.change(|log| assert_eq!(log.uids(), [5, 30, 3_000_000]));
    assert!(server.heard("UID FETCH").len() < 30, "{:?}", server.heard("UID FETCH"));
}

#[test]
fn a_list_that_takes_too_long_is_asked_for_in_smaller_pieces() {
    let server = FakeImap::start([1, 999, 2000], |_, command| match command {
        "UID FETCH 1:1000 (UID RFC822.SIZE)" => Action::Hang,
        _ => Action::Usual,
    });
    let mut account = server.account();
    account.limits.window = 1000;
    account.timing.io = std::time::Duration::from_millis(200);
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    recorder.change(|log| assert_eq!(log.uids(), [1, 999, 2000]));
    assert_eq!(server.heard("UID FETCH 1:250 (UID RFC822.SIZE)").len(), 1);
}

#[test]
fn only_what_arrived_since_a_day() {
    let server = FakeImap::start(1..=9, |_, command| match command {
        "UID SEARCH SINCE 1-Aug-2026" => say("* SEARCH 9 7 8\r\nTAG OK done\r\n"),
        _ => Action::Usual,
    });
    let mut account = server.account();
    account.since = Some(date(2026, 8, 1));
    let recorder = Recorder::default();
    let watcher = Watcher::spawn(account.clone(), recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    recorder.change(|log| assert_eq!(log.uids(), [7, 8, 9]));
    watcher.join();
    // The second time the cursor is known, and nothing is searched.
    let _watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    recorder.wait("to be watching again", |log| log.watching() == 2);
    assert_eq!(server.heard("UID SEARCH").len(), 1);
}

#[test]
fn nothing_since_that_day_starts_at_the_end() {
    let server = FakeImap::start(1..=9, |_, command| match command {
        "UID SEARCH SINCE 1-Aug-2026" => say("* SEARCH\r\nTAG OK done\r\n"),
        _ => Action::Usual,
    });
    let mut account = server.account();
    account.since = Some(date(2026, 8, 1));
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    recorder.change(|log| assert_eq!(log.cursors["INBOX"].uid, 9));
    server.deliver();
    recorder.wait("what arrived", |log| log.uids() == [10]);
}

#[test]
fn without_idle_the_server_is_polled() {
    let server = usual([1]);
    server.change(|mailbox| mailbox.capabilities = "IMAP4rev1".to_owned());
    let recorder = Recorder::default();
    let watcher = Watcher::spawn(server.account(), recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    server.deliver();
    recorder.wait("what arrived", |log| log.uids() == [1, 2]);
    watcher.join();
    assert!(server.heard("IDLE").is_empty());
    recorder.change(|log| {
        assert!(log.statuses.iter().any(|s| matches!(s, Status::Watching { idle: false, .. })));
    });
}

#[test]
fn an_empty_mailbox_is_watched() {
    let server = usual([]);
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(server.account(), recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    server.deliver();
    recorder.wait("the first mail", |log| log.uids() == [1]);
}
