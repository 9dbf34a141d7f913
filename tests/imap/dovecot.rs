//! Against Dovecot: the whole way, and the ways that it breaks.

use std::time::Duration;

use regard::imap::{Status, Watcher, probe};
use regard::net::{Secret, Tls};

use crate::support::dovecot::Dovecot;
use crate::support::recorder::Recorder;

fn mail(number: u32) -> String {
    format!(
        "From: Jo <jo@example.org>\nTo: bot@example.org\nSubject: mail {number}\n\
         Message-ID: <{number}@example.org>\nDate: Mon, 3 Aug 2026 10:00:00 +0000\n\nText {number}.\n.\n..dots\n"
    )
}

#[test]
fn a_delivery_wakes_the_watcher() {
    let dovecot = Dovecot::start();
    dovecot.deliver("bot", &mail(1));
    let recorder = Recorder::default();
    let watcher = Watcher::spawn(dovecot.account("bot"), recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.has("Text 1.") && log.watching() == 1);
    dovecot.deliver("bot", &mail(2));
    recorder.wait("the delivery", |log| log.has("Text 2."));
    watcher.join();
    recorder.change(|log| {
        let text = String::from_utf8(log.mails[1].raw.clone()).unwrap();
        assert!(text.ends_with("\r\n\r\nText 2.\r\n.\r\n..dots\r\n"), "{text}");
        assert!(log.mails[1].internal_date.is_some());
        assert!(log.reasons().is_empty(), "{:?}", log.reasons());
    });
    // Nothing was marked as read.
    assert_eq!(dovecot.mails("bot").len(), 2);
}

#[test]
fn a_killed_server_is_found_again() {
    let mut dovecot = Dovecot::start();
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(dovecot.account("bot"), recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    dovecot.kill();
    recorder.wait("the loss", |log| log.reasons().contains(&"connection-lost"));
    recorder.wait("refused connections", |log| log.reasons().contains(&"cannot-connect"));
    dovecot.restart();
    dovecot.deliver("bot", &mail(1));
    recorder.wait("mail after the restart", |log| log.has("Text 1."));
}

#[test]
fn a_frozen_server_is_noticed_in_idle() {
    let dovecot = Dovecot::start();
    let mut account = dovecot.account("bot");
    account.timing.idle = Duration::from_millis(300);
    account.timing.io = Duration::from_millis(500);
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    recorder.wait("to be watching", |log| log.watching() == 1);
    dovecot.freeze();
    // Twice: once in IDLE, once at the next try, where the kernel still takes connections for it.
    recorder.wait("two losses", |log| log.reasons().len() >= 2);
    recorder.change(|log| {
        assert!(log.errors().all(|e| e.reason() == "connection-lost"), "{:?}", log.reasons())
    });
    dovecot.thaw();
    dovecot.deliver("bot", &mail(1));
    recorder.wait("mail after the thaw", |log| log.has("Text 1."));
}

#[test]
fn a_renumbered_mailbox_is_read_again() {
    let mut dovecot = Dovecot::start();
    dovecot.deliver("bot", &mail(1));
    dovecot.deliver("bot", &mail(2));
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(dovecot.account("bot"), recorder.clone()).unwrap();
    recorder.wait("both", |log| log.uids() == [1, 2] && log.watching() == 1);
    let before = recorder.change(|log| log.cursors["INBOX"].uid_validity);
    dovecot.change_uidvalidity("bot");
    recorder.wait("both again", |log| log.uids() == [1, 2, 1, 2]);
    recorder.change(|log| {
        assert_eq!(log.cursors["INBOX"].uid_validity, before + 1000);
        assert!(
            log.statuses
                .iter()
                .any(|s| matches!(s, Status::Renumbered { was, .. } if was.uid_validity == before))
        );
    });
    dovecot.deliver("bot", &mail(3));
    recorder.wait("the next", |log| log.uids() == [1, 2, 1, 2, 3]);
}

#[test]
fn tokens_are_asked_for_at_each_login() {
    let mut dovecot = Dovecot::start();
    dovecot.introspect();
    dovecot.deliver("bot", &mail(1));
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    std::fs::write(&token, "stale-token\n").unwrap();
    let mut account = dovecot.account("bot");
    account.secret = Secret::TokenCommand(format!("cat {}", token.display()));
    let error = probe(&account).unwrap_err();
    assert_eq!(error.reason(), "login-refused");
    let text = error.to_string();
    assert!(text.contains("\"status\":\"401\"") && !text.contains("stale-token"), "{text}");
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    recorder.wait("the refusal", |log| log.reasons().contains(&"login-refused"));
    std::fs::write(&token, "good-token\n").unwrap();
    recorder.wait("mail with the new token", |log| log.has("Text 1."));
}

#[test]
fn what_is_wrong_is_named() {
    let dovecot = Dovecot::start();
    let good = dovecot.account("bot");
    let found = probe(&good).unwrap();
    assert!(found.idle && found.messages == 0 && found.uid_validity > 0, "{found:?}");
    assert!(found.capabilities.contains(&"UIDPLUS".to_owned()), "{found:?}");

    let mut account = good.clone();
    account.secret = Secret::Password("wrong".into());
    let error = probe(&account).unwrap_err();
    assert_eq!(
        error.to_string(),
        "login refused for bot: [AUTHENTICATIONFAILED] Authentication failed."
    );

    // Without a CA of its own, the system's are asked, which do not know the test's; nor does another CA.
    let other = tempfile::tempdir().unwrap();
    let script = crate::support::server::script("certificates.sh");
    assert!(
        std::process::Command::new("sh").arg(script).arg(other.path()).status().unwrap().success()
    );
    account = good.clone();
    account.ca_file = Some(other.path().join("ca.pem"));
    let error = probe(&account).unwrap_err();
    assert_eq!(error.reason(), "tls-failed", "{error}");

    account = good.clone();
    account.ca_file = Some(other.path().join("missing.pem"));
    assert_eq!(probe(&account).unwrap_err().reason(), "trust-store");

    account = good.clone();
    account.mailbox = "lists/perf".into();
    let error = probe(&account).unwrap_err();
    assert_eq!(error.reason(), "no-mailbox", "{error}");
    assert_eq!(error.cure(), "mailboxes there: INBOX");
}

#[test]
fn starttls_protects_the_login() {
    let dovecot = Dovecot::start();
    dovecot.deliver("bot", &mail(1));
    let mut account = dovecot.account("bot");
    account.port = dovecot.imap();
    account.tls = Tls::Starttls;
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(account.clone(), recorder.clone()).unwrap();
    recorder.wait("mail over STARTTLS", |log| log.has("Text 1.") && log.watching() == 1);
    dovecot.deliver("bot", &mail(2));
    recorder.wait("mail in IDLE over STARTTLS", |log| log.has("Text 2."));
    // Implicit TLS on the STARTTLS port.
    account.tls = Tls::Implicit;
    assert_eq!(probe(&account).unwrap_err().reason(), "tls-failed");
}

#[test]
fn a_large_mail_is_cut() {
    let dovecot = Dovecot::start();
    let large = format!("{}{}", mail(1), "a line of some length, again and again\n".repeat(20_000));
    dovecot.deliver("bot", &large);
    dovecot.deliver("bot", &mail(2));
    let mut account = dovecot.account("bot");
    account.limits.mail_bytes = 500_000;
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    recorder.wait("both", |log| log.uids() == [1, 2]);
    recorder.change(|log| {
        let cut = &log.mails[0];
        assert!(cut.truncated && cut.size > 700_000, "{}", cut.size);
        assert_eq!(cut.raw.len(), 262_144);
        assert!(String::from_utf8_lossy(&cut.raw).contains("Subject: mail 1\r\n"));
    });
}
