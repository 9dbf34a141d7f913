//! Against public-inbox-imapd, as on lore.kernel.org: read-only, in slices.

use jiff::civil::date;
use regard::imap::{Watcher, probe};

use crate::support::public_inbox::PublicInbox;
use crate::support::recorder::Recorder;

fn mail(number: u32, day: u32) -> String {
    format!(
        "From: Jo <jo@example.org>\nTo: perf@example.org\nSubject: mail {number}\n\
         Message-ID: <{number}@example.org>\nDate: Mon, {day} Aug 2026 10:00:00 +0000\n\nText {number}.\n"
    )
}

#[test]
fn slices_are_read_one_after_the_other() {
    let archive = PublicInbox::start();
    archive.deliver(&mail(1, 3));
    let mut account = archive.account();
    account.timing.idle = std::time::Duration::from_secs(1);
    let recorder = Recorder::default();
    let watcher = Watcher::spawn(account.clone(), recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.has("Text 1.") && log.watching() == 1);
    archive.deliver(&mail(2, 10));
    recorder.wait("mail in IDLE", |log| log.has("Text 2."));
    archive.fill_slice();
    archive.deliver(&mail(3, 17));
    recorder.wait("mail in the second slice", |log| log.has("Text 3."));
    watcher.join();
    recorder.change(|log| {
        assert!(log.reasons().is_empty(), "{:?}", log.reasons());
        let read: Vec<&str> = log.cursors.keys().map(String::as_str).collect();
        assert_eq!(read, ["inbox.test.perf.0", "inbox.test.perf.1"]);
    });
    // The second time it begins with the second slice, and repeats nothing.
    let _watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    archive.deliver(&mail(4, 24));
    recorder.wait("mail after coming back", |log| log.has("Text 4."));
    recorder.change(|log| assert_eq!(log.mails.len(), 4));
}

#[test]
fn only_what_is_new_since_a_day() {
    let archive = PublicInbox::start();
    archive.deliver(&mail(1, 3));
    archive.deliver(&mail(2, 10));
    let mut account = archive.account();
    account.since = Some(date(2026, 8, 5));
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    recorder.wait("the newer one", |log| log.has("Text 2.") && log.watching() == 1);
    recorder.change(|log| assert_eq!(log.mails.len(), 1));
}

#[test]
fn a_large_mail_keeps_its_header() {
    // public-inbox 1.9 gives the first part of the body when asked for the first part of the mail.
    let archive = PublicInbox::start();
    archive.deliver(&format!(
        "{}{}",
        mail(1, 3),
        "a line of some length, again and again\n".repeat(3000)
    ));
    archive.deliver(&mail(2, 3));
    let mut account = archive.account();
    account.limits.mail_bytes = 50_000;
    account.limits.cut_bytes = 10_000;
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    recorder.wait("both", |log| log.has("Text 2."));
    recorder.change(|log| {
        let text = String::from_utf8_lossy(&log.mails[0].raw).into_owned();
        assert!(log.mails[0].truncated && text.starts_with("From: Jo"), "{text}");
        assert!(text.contains("\r\n\r\nText 1.\r\n"), "{text}");
    });
}

#[test]
fn a_forgotten_or_missing_slice_number_is_advised_on() {
    let archive = PublicInbox::start();
    archive.deliver(&mail(1, 3));
    let sliced = archive.account();
    let found = probe(&sliced).unwrap();
    assert_eq!((found.mailbox.as_str(), found.messages, found.slices), ("inbox.test.perf.0", 1, 1));
    assert!(found.idle && found.advice.is_none());

    let mut account = sliced.clone();
    account.slices = false;
    let error = probe(&account).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot open the mailbox inbox.test.perf: it is only the name above others"
    );
    assert_eq!(error.cure(), "mailboxes there: INBOX.test.perf.0");

    account.mailbox = "inbox.test.perf.0".into();
    let advice = probe(&account).unwrap().advice.unwrap();
    assert!(advice.contains("set mailbox to inbox.test.perf and slices to true"), "{advice}");

    account = sliced;
    account.mailbox = "inbox.test.nothing".into();
    assert_eq!(probe(&account).unwrap_err().reason(), "no-mailbox");
}
#[test]
fn we_leave_politely() {
    // public-inbox 1.9 drops connections of other clients after one that goes away without ending TLS.
    let archive = PublicInbox::start();
    archive.deliver(&mail(1, 3));
    for round in 0..30 {
        let outcome = probe(&archive.account());
        assert!(outcome.is_ok(), "round {round}: {outcome:?}");
    }
}
