//! The store: all of it or nothing, never twice, and a clear word when something is wrong.

mod outbox;
mod trees;

use jiff::Timestamp;
use regard::mail::{Address, Origin};
use regard::regression::{Cause, Entry, Happening, Opening, RegressionId, State};
use regard::report::ReportKind;
use regard::store::{Lock, Quarantined, Store, StoreError, StoredMessage};

pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_780_000_000 + second).expect("in range")
}

pub(crate) fn opening(seed: &str, commit: &str) -> (RegressionId, Entry) {
    let id = RegressionId::derive(seed);
    let about = Opening {
        id: id.clone(),
        kind: ReportKind::Regression,
        title: "fio.read_iops -7.1% regression".to_owned(),
        ours: true,
        report: Some(seed.to_owned()),
        reporter: None,
        by_robot: false,
        tree: None,
        branch: None,
        base: None,
        commit: Some(commit.to_owned()),
        commit_subject: None,
        author: None,
        maintainers: Vec::new(),
        readers: Vec::new(),
        patch: None,
        test: Some("fio".to_owned()),
        metric: Some("fio.read_iops".to_owned()),
        change_percent: Some(-7.1),
        machine: Some("lab-b".to_owned()),
        parameters: "bs=4k".to_owned(),
    };
    let cause =
        Cause::Results { message: "n@example.org".to_owned(), reason: "moderated-t".to_owned() };
    (id, Entry { at: at(0), cause, what: Happening::Opened(Box::new(about)) })
}

fn message(key: &str, regression: Option<RegressionId>) -> StoredMessage {
    StoredMessage {
        key: key.to_owned(),
        place: Some(("bot@localhost/INBOX".to_owned(), 7, 3)),
        received: at(10),
        sent: None,
        origin: Origin::Reply,
        from: Some(Address {
            name: "Ann \u{c5}ngstr\u{f6}m".to_owned(),
            email: "ann@example.org".to_owned(),
        }),
        subject: "Re: fio".to_owned(),
        recipients: vec!["bot@example.org".to_owned()],
        new_text: "I cannot see it here.".to_owned(),
        regression,
        labels: vec!["not-reproducible".to_owned()],
        evidence: Some("I cannot see it here.".to_owned()),
        rule: Some("cannot-see".to_owned()),
        defects: vec!["no Date".to_owned()],
    }
}

#[test]
fn a_message_comes_back_as_it_was_and_only_once() {
    let mut store = Store::in_memory().expect("memory");
    let (id, entry) = opening("r1@example.org", "aaaaaaaaaa");
    let m = message("m1@example.org", Some(id.clone()));
    store
        .transaction(|tx| {
            tx.append(&id, &entry)?;
            assert!(tx.put_message(&m)?, "new");
            assert!(
                !tx.put_message(&StoredMessage { subject: "other".to_owned(), ..m.clone() })?,
                "known"
            );
            Ok::<_, StoreError>(())
        })
        .expect("stored");
    let (found, of) =
        store.look(|tx| Ok((tx.message("m1@example.org")?, tx.messages_of(&id)?))).expect("read");
    assert_eq!(found.as_ref(), Some(&m));
    assert_eq!(of, vec![m]);
}

#[test]
fn a_failed_transaction_leaves_nothing_behind() {
    let mut store = Store::in_memory().expect("memory");
    let (id, entry) = opening("r1@example.org", "aaaaaaaaaa");
    let outcome = store.transaction(|tx| {
        tx.append(&id, &entry)?;
        tx.put_message(&message("m1@example.org", None))?;
        tx.set_cursor("bot@localhost/INBOX", 7, 3, at(10))?;
        Err::<(), _>(StoreError::Newer { found: 1, known: 0 })
    });
    assert!(outcome.is_err());
    let left = store
        .look(|tx| {
            Ok((
                tx.regression(&id)?,
                tx.knows_message("m1@example.org")?,
                tx.cursor("bot@localhost/INBOX")?,
            ))
        })
        .expect("read");
    assert_eq!(left, (None, false, None));
}

#[test]
fn a_part_fails_alone() {
    let mut store = Store::in_memory().expect("memory");
    store
        .transaction(|tx| {
            tx.put_message(&message("m1@example.org", None))?;
            let part = tx.part(|tx| {
                tx.put_message(&message("m2@example.org", None))?;
                Err::<(), _>(StoreError::Newer { found: 1, known: 0 })
            });
            assert!(part.is_err());
            tx.put_message(&message("m3@example.org", None))?;
            Ok::<_, StoreError>(())
        })
        .expect("stored");
    let known = |key: &str| key.to_owned();
    let found = store
        .look(|tx| {
            ["m1", "m2", "m3"]
                .map(|m| tx.knows_message(&known(&format!("{m}@example.org"))))
                .into_iter()
                .collect::<Result<Vec<_>, _>>()
        })
        .expect("read");
    assert_eq!(found, [true, false, true]);
}

#[test]
fn a_log_is_folded_while_it_grows() {
    let mut store = Store::in_memory().expect("memory");
    let (id, entry) = opening("r1@example.org", "aaaaaaaaaa");
    let moved = |from, to| Entry { what: Happening::Moved { from, to }, ..entry.clone() };
    store
        .transaction(|tx| {
            tx.append(&id, &entry)?;
            tx.append(&id, &moved(State::Open, State::Confirmed))?;
            tx.append(&id, &moved(State::Confirmed, State::Dropped))?;
            let undo = Entry { what: Happening::Undone { entry: 3 }, ..entry.clone() };
            let r = tx.append(&id, &undo)?;
            assert_eq!((r.state, r.entries), (State::Confirmed, 4));
            let (nobody, first) =
                (RegressionId::derive("nobody"), moved(State::Open, State::Fixed));
            assert!(tx.append(&nobody, &first).is_err(), "a log begins with an opening");
            Ok::<_, StoreError>(())
        })
        .expect("stored");
    let (folded, log) = store.look(|tx| Ok((tx.regression(&id)?, tx.entries(&id)?))).expect("read");
    assert_eq!(folded, regard::regression::Regression::fold(&log));
}

#[test]
fn commits_match_when_either_is_abbreviated() {
    let mut store = Store::in_memory().expect("memory");
    let long = "3f1d0c5a9b7e42d68c1f0a5b9e7d3c2b1a0f9e8d";
    let near = "3f1d0c5affffffffffffffffffffffffffffffff";
    let (a, entry_a) = opening("a@example.org", long);
    let (b, entry_b) = opening("b@example.org", near);
    let (c, entry_c) = opening("c@example.org", "3f1d0c5a9b");
    store
        .transaction(|tx| {
            tx.append(&a, &entry_a)?;
            tx.append(&b, &entry_b)?;
            tx.append(&c, &entry_c)?;
            let ids = |found: Vec<regard::regression::Regression>| -> Vec<RegressionId> {
                found.iter().map(|r| r.id().clone()).collect()
            };
            assert_eq!(ids(tx.regressions_of_commit(long)?), [a.clone(), c.clone()]);
            assert_eq!(ids(tx.regressions_of_commit("3f1d0c5a9b7e")?), [a.clone(), c.clone()]);
            assert_eq!(ids(tx.regressions_of_commit("v6.1")?), []);
            assert_eq!(tx.regressions_of_series("fio lab-b bs=4k fio.read_iops")?.len(), 3);
            let closed = Entry {
                what: Happening::Moved { from: State::Open, to: State::Fixed },
                ..entry_a.clone()
            };
            tx.append(&a, &closed)?;
            assert_eq!(
                ids(tx.regressions_of_commit(long)?),
                std::slice::from_ref(&c),
                "closed ones are left out"
            );
            assert_eq!(tx.regressions(false)?.len(), 2);
            assert_eq!(tx.regressions(true)?.len(), 3);
            Ok::<_, StoreError>(())
        })
        .expect("stored");
}

#[test]
fn a_thread_keeps_its_first_claim() {
    let mut store = Store::in_memory().expect("memory");
    let (a, b) = (RegressionId::derive("a"), RegressionId::derive("b"));
    store
        .transaction(|tx| {
            tx.join_thread("x@example.org", &a)?;
            tx.join_thread("x@example.org", &b)?;
            assert_eq!(tx.regression_of("x@example.org")?, Some(a.clone()));
            assert_eq!(tx.regression_of("y@example.org")?, None);
            Ok::<_, StoreError>(())
        })
        .expect("stored");
}

#[test]
fn quarantine_keeps_the_mail_whole() {
    let mut store = Store::in_memory().expect("memory");
    let mail = Quarantined {
        mailbox: Some("box".to_owned()),
        uid: Some((7, 9)),
        key: None,
        why: "cannot be parsed".to_owned(),
        raw: Some(vec![0, 255, 13, 10]),
    };
    store.transaction(|tx| tx.put_in_quarantine(&mail, at(0))).expect("stored");
    assert_eq!(store.look(|tx| tx.quarantine()).expect("read"), vec![mail]);
}

#[test]
fn a_newer_schema_is_refused() {
    let dir = tempfile::tempdir().expect("temp dir");
    let path = dir.path().join("regard.db");
    drop(Store::open(&path).expect("made"));
    let db = rusqlite::Connection::open(&path).expect("open");
    db.pragma_update(None, "user_version", 99).expect("set");
    drop(db);
    let message = Store::open(&path).expect_err("refused").to_string();
    assert!(message.contains("99") && message.contains("newer"), "{message}");
}

#[test]
fn a_file_that_is_no_database_is_an_error_in_words() {
    let dir = tempfile::tempdir().expect("temp dir");
    let path = dir.path().join("regard.db");
    std::fs::write(&path, "this is a letter to my aunt, not a database file at all\n".repeat(100))
        .expect("write");
    let message = Store::open(&path).expect_err("refused").to_string();
    assert!(message.contains("not a database"), "{message}");
}

#[test]
fn one_daemon_a_store() {
    let dir = tempfile::tempdir().expect("temp dir");
    let path = dir.path().join("regard.db");
    let held = Lock::take(&path).expect("free");
    let message = Lock::take(&path).expect_err("held").to_string();
    assert!(message.contains(&std::process::id().to_string()), "{message}");
    drop(held);
    Lock::take(&path).expect("free again");
}

#[test]
fn a_locked_database_is_a_passing_trouble() {
    let dir = tempfile::tempdir().expect("temp dir");
    let path = dir.path().join("regard.db");
    let mut store = Store::open(&path).expect("made");
    store.set_patience(std::time::Duration::from_millis(50)).expect("set");
    let other = rusqlite::Connection::open(&path).expect("open");
    other.execute_batch("begin immediate").expect("lock");
    let error = store.transaction(|tx| tx.set_cursor("box", 1, 1, at(0))).expect_err("locked");
    assert!(error.is_transient(), "{error}");
    other.execute_batch("rollback").expect("unlock");
    store.transaction(|tx| tx.set_cursor("box", 1, 1, at(0))).expect("free again");
}

#[test]
fn a_full_disk_is_a_passing_trouble_and_loses_nothing() {
    let dir = tempfile::tempdir().expect("temp dir");
    let path = dir.path().join("regard.db");
    let mut store = Store::open(&path).expect("made");
    store.limit_pages(40).expect("set");
    let mail = |n: usize| Quarantined {
        mailbox: None,
        uid: None,
        key: None,
        why: format!("{n}"),
        raw: Some(vec![b'x'; 60_000]),
    };
    let mut kept = 0;
    let error = loop {
        match store.transaction(|tx| tx.put_in_quarantine(&mail(kept), at(0))) {
            Ok(()) => kept += 1,
            Err(e) => break e,
        }
    };
    assert!(matches!(error, StoreError::Full(_)) && error.is_transient(), "{error}");
    assert_eq!(store.look(|tx| tx.quarantine()).expect("read").len(), kept);
}
