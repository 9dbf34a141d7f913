//! Against Exim, which passes mail on to Dovecot.

use std::time::Duration;

use regard::mail::{Address, MessageId};
use regard::net::Tls;
use regard::smtp::{Auto, Fate, Outcome, Outgoing, Parcel, Relay, compose, deliver, probe};

use crate::support::dovecot::Dovecot;
use crate::support::exim::Exim;
use crate::{block_on, login, parcel, relay};

fn secure(dovecot: &Dovecot, port: u16, tls: Tls) -> Relay {
    let mut relay = relay(port);
    relay.host = "localhost".to_owned();
    relay.tls = tls;
    relay.ca_file = Some(dovecot.ca());
    relay.auth = login("secret");
    relay
}

fn fates(relay: &Relay, parcel: Parcel) -> Vec<Fate> {
    match block_on(deliver(relay, &[parcel])).remove(0).outcome {
        Outcome::Answered(fates) => fates.into_iter().map(|(_, fate)| fate).collect(),
        Outcome::NotTried(trouble) => panic!("{trouble}"),
    }
}

fn trouble(relay: &Relay) -> &'static str {
    match block_on(deliver(relay, &[parcel("a", &["list@example.org"])])).remove(0).outcome {
        Outcome::NotTried(trouble) => trouble.reason(),
        Outcome::Answered(fates) => panic!("{fates:?}"),
    }
}

#[test]
fn a_composed_mail_arrives_as_it_was_written() {
    let dovecot = Dovecot::start();
    let exim = Exim::start(&dovecot);
    let text = format!(
        "caf\u{e9} \u{b1} 0.4 %\n\n{:<50} {:>50}\n{}\n.\n..dots\nend\n",
        "metric",
        "change",
        "-".repeat(101)
    );
    let address =
        |email: &str| Address { name: "J\u{f6}rg, of the lab".into(), email: email.into() };
    let composed = compose(&Outgoing {
        message_id: MessageId::for_key("report/1", "bench.example.org"),
        date: "2026-08-03T10:00:00Z".parse().unwrap(),
        from: address("bot@example.org"),
        reply_to: Vec::new(),
        to: vec![address("list@example.org")],
        cc: vec![address("jo@example.org"), address("list@example.org")],
        subject: "[tree:branch] metric -12.3% regression \u{2013} \u{fc}ber alles".into(),
        in_reply_to: None,
        references: Vec::new(),
        auto: Auto::Generated,
        headers: vec![("X-Regard-Reason".into(), "regression".into())],
        text: text.clone(),
        attachments: Vec::new(),
    })
    .unwrap();
    let parcel = Parcel {
        id: "1".into(),
        from: composed.envelope_from,
        to: composed.rcpts,
        raw: composed.raw.clone(),
    };
    let starttls = secure(&dovecot, exim.smtp(), Tls::Starttls);
    let sent = fates(&starttls, parcel.clone());
    assert_eq!(sent.len(), 2);
    assert!(sent.iter().all(|fate| matches!(fate, Fate::Accepted { code: 250, .. })), "{sent:?}");
    for user in ["list", "jo"] {
        let mail = dovecot.wait_for_mails(user, 1).remove(0);
        let raw = String::from_utf8(composed.raw.clone()).unwrap().replace("\r\n", "\n");
        assert!(mail.ends_with(&raw), "changed on the way:\n{mail}");
        assert!(mail.ends_with(&text));
        assert!(
            mail.contains("\nReturn-Path: <bot@example.org>\n")
                || mail.starts_with("Return-Path: <bot@example.org>\n")
        );
    }
    // The same again by implicit TLS.
    let implicit = secure(&dovecot, exim.smtps(), Tls::Implicit);
    assert!(matches!(fates(&implicit, parcel)[0], Fate::Accepted { .. }));
    dovecot.wait_for_mails("jo", 2);
}

#[test]
fn each_recipient_has_a_fate_of_its_own() {
    let dovecot = Dovecot::start();
    let exim = Exim::start(&dovecot);
    let relay = relay(exim.smtp());
    let to = ["list@example.org", "reject1@example.org", "jo@example.org", "greylist1@example.org"];
    let first = fates(&relay, parcel("a", &to));
    assert!(
        matches!(first[0], Fate::Accepted { .. }) && matches!(first[2], Fate::Accepted { .. }),
        "{first:?}"
    );
    let refused = Fate::Refused {
        reason: "recipient-refused".into(),
        code: Some(550),
        text: "5.1.1 no such user".into(),
    };
    assert_eq!(first[1], refused);
    let deferred = Fate::Deferred {
        reason: "recipient-deferred".into(),
        code: 451,
        text: "4.7.1 greylisted, try again".into(),
    };
    assert_eq!(first[3], deferred);
    // The second try passes the greylist.
    let second = fates(&relay, parcel("a", &["greylist1@example.org"]));
    assert!(matches!(second[0], Fate::Accepted { .. }), "{second:?}");
    dovecot.wait_for_mails("greylist1", 1);
    dovecot.wait_for_mails("list", 1);
    dovecot.wait_for_mails("jo", 1);
    assert_eq!(dovecot.mails("list").len(), 1, "nobody got it twice");
    assert!(dovecot.mails("reject1").is_empty());
}

#[test]
fn what_is_wrong_with_the_relay_is_told_apart() {
    let dovecot = Dovecot::start();
    let mut exim = Exim::start(&dovecot);
    let good = secure(&dovecot, exim.smtp(), Tls::Starttls);
    let found = block_on(probe(&good)).unwrap();
    assert!(found.encrypted && found.logged_in && found.eight_bit, "{found:?}");
    assert_eq!((found.server.as_str(), found.size), ("localhost", Some(5 << 20)));

    let mut wrong = good.clone();
    wrong.auth = login("wrong");
    assert_eq!(trouble(&wrong), "login-refused");
    wrong = good.clone();
    wrong.ca_file = None;
    assert!(["tls-failed", "trust-store"].contains(&trouble(&wrong)));
    wrong = good.clone();
    wrong.tls = Tls::Implicit;
    assert_eq!(trouble(&wrong), "tls-failed");
    wrong = good.clone();
    wrong.ca_file = Some(dovecot.tls().join("key.pem"));
    assert_eq!(trouble(&wrong), "trust-store");

    // Frozen: the kernel still takes connections, and nobody answers.
    let mut hasty = good.clone();
    hasty.timing.connect = Duration::from_millis(300);
    hasty.timing.command = Duration::from_millis(300);
    exim.freeze();
    assert_eq!(trouble(&hasty), "no-answer");
    exim.thaw();
    exim.kill();
    assert_eq!(trouble(&good), "cannot-connect");
    exim.restart();
    assert!(block_on(probe(&good)).is_ok());
    assert!(dovecot.mails("list").is_empty(), "nothing was sent");
}

#[test]
fn too_large_is_refused_for_good() {
    let dovecot = Dovecot::start();
    let exim = Exim::start(&dovecot);
    let mut large = parcel("a", &["list@example.org"]);
    large.raw.extend(b"a line of some length, again and again\r\n".repeat(140_000));
    let fate = fates(&relay(exim.smtp()), large).remove(0);
    assert!(
        matches!(&fate, Fate::Refused { reason, code: Some(552), .. } if reason == "too-large"),
        "{fate:?}"
    );
}
