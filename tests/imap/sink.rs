//! A store that fails loses nothing and stops nobody else.

use regard::imap::{SinkError, Status, Watcher};

use crate::support::fake::Action;
use crate::support::fake_imap::FakeImap;
use crate::support::recorder::Recorder;

#[test]
fn a_busy_store_is_asked_again_with_the_same_batch() {
    let server = FakeImap::start(1..=3, |_, _| Action::Usual);
    let recorder = Recorder::default();
    let busy = SinkError::Transient("database is locked".into());
    recorder.change(|log| log.refusals.extend([busy.clone(), busy]));
    let _watcher = Watcher::spawn(server.account(), recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    recorder.change(|log| {
        assert_eq!((log.uids(), log.batches.clone()), (vec![1, 2, 3], vec![3]));
        let told = log
            .statuses
            .iter()
            .filter(|s| matches!(s, Status::SinkBusy { why, .. } if why == "database is locked"));
        assert_eq!(told.count(), 2);
        assert!(log.reasons().is_empty(), "the connection stays");
    });
    assert_eq!(server.heard("UID FETCH 1:3 (UID INTERNALDATE").len(), 1, "fetched once");
}

#[test]
fn a_store_that_gives_up_ends_the_watcher() {
    let server = FakeImap::start(1..=3, |_, _| Action::Usual);
    let recorder = Recorder::default();
    recorder.change(|log| log.refusals.push_back(SinkError::Fatal("corrupt".into())));
    let watcher = Watcher::spawn(server.account(), recorder.clone()).unwrap();
    recorder.wait("the end", |log| {
        log.statuses.last() == Some(&Status::Stopped { why: Some("corrupt".into()) })
    });
    watcher.join();
    recorder.change(|log| assert!(log.mails.is_empty() && log.cursors.is_empty()));
}

#[test]
fn a_busy_store_does_not_hold_up_a_stop() {
    let server = FakeImap::start([1], |_, _| Action::Usual);
    let recorder = Recorder::default();
    recorder.change(|log| log.refusals.push_back(SinkError::Transient("disk full".into())));
    let mut account = server.account();
    account.timing.retry_first = std::time::Duration::from_secs(3600);
    account.timing.retry_max = account.timing.retry_first;
    let watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    recorder.wait("to be busy", |log| {
        log.statuses.iter().any(|s| matches!(s, Status::SinkBusy { .. }))
    });
    watcher.join();
    recorder.change(|log| assert!(log.mails.is_empty()));
}

#[test]
fn a_mail_that_makes_the_store_panic_ends_in_quarantine() {
    let server = FakeImap::start(1..=5, |_, _| Action::Usual);
    let recorder = Recorder::default();
    recorder.change(|log| log.poison = Some("Text 3"));
    let _watcher = Watcher::spawn(server.account(), recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    recorder.change(|log| {
        assert_eq!(log.uids(), [1, 2, 4, 5]);
        assert_eq!(log.quarantined, [(3, "processing failed: poisoned mail".to_owned())]);
    });
}
