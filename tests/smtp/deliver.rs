//! Transactions against a scripted relay: each recipient's fate, and what is the relay's own trouble.

use std::time::Duration;

use regard::smtp::{Delivery, Fate, Outcome, Parcel, Trouble, deliver};

use crate::support::fake::{Action, say, say_and_close};
use crate::support::fake_smtp::FakeSmtp;
use crate::{block_on, parcel, relay};

fn usual() -> FakeSmtp {
    FakeSmtp::start(|_, _| Action::Usual)
}

/// Answers commands that begin with `prefix` by `answer`.
fn answering(prefix: &'static str, answer: fn() -> Action) -> FakeSmtp {
    FakeSmtp::start(
        move |_, command| {
            if command.starts_with(prefix) { answer() } else { Action::Usual }
        },
    )
}

fn send(server: &FakeSmtp, parcels: &[Parcel]) -> Vec<Delivery> {
    let deliveries = block_on(deliver(&relay(server.port), parcels));
    let ids = |d: &Delivery| d.id.clone();
    assert_eq!(
        deliveries.iter().map(ids).collect::<Vec<_>>(),
        parcels.iter().map(|p| p.id.clone()).collect::<Vec<_>>()
    );
    deliveries
}

fn fates(delivery: &Delivery) -> Vec<&Fate> {
    match &delivery.outcome {
        Outcome::Answered(fates) => fates.iter().map(|(_, fate)| fate).collect(),
        Outcome::NotTried(trouble) => panic!("{}: {trouble}", delivery.id),
    }
}

fn trouble(delivery: &Delivery) -> &Trouble {
    match &delivery.outcome {
        Outcome::NotTried(trouble) => trouble,
        Outcome::Answered(fates) => panic!("{}: {fates:?}", delivery.id),
    }
}

fn accepted() -> Fate {
    Fate::Accepted { code: 250, text: "2.0.0 queued as F4K3".to_owned() }
}

#[test]
fn a_batch_goes_over_one_connection() {
    let server = usual();
    let deliveries = send(
        &server,
        &[parcel("a", &["x@example.org", "y@example.org"]), parcel("b", &["z@example.org"])],
    );
    assert_eq!(fates(&deliveries[0]), [&accepted(), &accepted()]);
    assert_eq!(fates(&deliveries[1]), [&accepted()]);
    assert_eq!(
        server.commands(""),
        [
            "CONNECT",
            "EHLO bench.example.org",
            "MAIL FROM:<bot@example.org>",
            "RCPT TO:<x@example.org>",
            "RCPT TO:<y@example.org>",
            "DATA",
            ".",
            "MAIL FROM:<bot@example.org>",
            "RCPT TO:<z@example.org>",
            "DATA",
            ".",
            "QUIT",
        ]
    );
    assert_eq!(server.heard().mails[1], b"Subject: b\r\n\r\nText of b.\r\n");
}

#[test]
fn one_refused_recipient_does_not_stop_the_others() {
    let server = FakeSmtp::start(|_, command| match command {
        "RCPT TO:<gone@example.org>" => say("550-5.1.1 no such\r\n550 5.1.1 user\r\n"),
        "RCPT TO:<grey@example.org>" => say("451 4.7.1 greylisted\r\n"),
        _ => Action::Usual,
    });
    let deliveries = send(
        &server,
        &[parcel("a", &["gone@example.org", "x@example.org", "grey@example.org", "no address"])],
    );
    let Outcome::Answered(fates) = &deliveries[0].outcome else { panic!("{deliveries:?}") };
    assert_eq!(fates[1], ("x@example.org".to_owned(), accepted()));
    let refused = Fate::Refused {
        reason: "recipient-refused".into(),
        code: Some(550),
        text: "5.1.1 no such user".into(),
    };
    assert_eq!(fates[0], ("gone@example.org".to_owned(), refused));
    let deferred = Fate::Deferred {
        reason: "recipient-deferred".into(),
        code: 451,
        text: "4.7.1 greylisted".into(),
    };
    assert_eq!(fates[2], ("grey@example.org".to_owned(), deferred));
    assert!(
        matches!(&fates[3].1, Fate::Refused { reason, code: None, .. } if reason == "bad-address")
    );
    assert_eq!(server.heard().mails.len(), 1);
}

#[test]
fn nobody_accepted_means_no_data_and_a_clean_slate() {
    let server = FakeSmtp::start(|_, command| match command {
        "RCPT TO:<gone@example.org>" => say("550 no\r\n"),
        _ => Action::Usual,
    });
    let deliveries =
        send(&server, &[parcel("a", &["gone@example.org"]), parcel("b", &["x@example.org"])]);
    assert!(matches!(fates(&deliveries[0])[0], Fate::Refused { code: Some(550), .. }));
    assert_eq!(fates(&deliveries[1]), [&accepted()]);
    assert_eq!(
        (
            server.commands("RSET").len(),
            server.commands("DATA").len(),
            server.commands("EHLO").len()
        ),
        (1, 1, 1)
    );
}

#[test]
fn answers_to_the_mail_decide_for_all_its_recipients() {
    for (answer, reason, refused) in [
        ("552 5.3.4 too big\r\n", "too-large", true),
        ("554 5.7.1 spam\r\n", "message-refused", true),
        ("451 4.3.0 try later\r\n", "message-deferred", false),
        ("421 4.3.2 going down\r\n", "message-deferred", false),
    ] {
        for at in ["DATA", "."] {
            let server = FakeSmtp::start(
                move |_, command| {
                    if command == at { say(answer) } else { Action::Usual }
                },
            );
            let deliveries = send(&server, &[parcel("a", &["x@example.org", "y@example.org"])]);
            if at == "DATA" && answer.starts_with("421") {
                assert_eq!(trouble(&deliveries[0]).reason(), "relay-busy");
                continue;
            }
            for fate in fates(&deliveries[0]) {
                match fate {
                    Fate::Refused { reason: found, .. } if refused => assert_eq!(found, reason),
                    Fate::Deferred { reason: found, .. } if !refused => assert_eq!(found, reason),
                    other => panic!("{at} {answer}: {other:?}"),
                }
            }
        }
    }
}

#[test]
fn no_answer_after_the_dot_is_ambiguous_and_the_next_mail_gets_a_new_connection() {
    let server = FakeSmtp::start(|number, command| match (number, command) {
        (1, ".") => say_and_close(""),
        _ => Action::Usual,
    });
    let deliveries =
        send(&server, &[parcel("a", &["x@example.org"]), parcel("b", &["x@example.org"])]);
    assert!(matches!(fates(&deliveries[0])[0], Fate::Ambiguous { .. }), "{deliveries:?}");
    assert_eq!(fates(&deliveries[1]), [&accepted()]);
    assert_eq!(server.commands("CONNECT").len(), 2);
}

#[test]
fn an_answer_that_is_none_to_a_mail_is_ambiguous() {
    for answer in ["354 what?\r\n", "hello\r\n"] {
        let server = FakeSmtp::start(move |number, command| match (number, command) {
            (1, ".") => say(answer),
            _ => Action::Usual,
        });
        let deliveries =
            send(&server, &[parcel("a", &["x@example.org"]), parcel("b", &["x@example.org"])]);
        assert!(matches!(fates(&deliveries[0])[0], Fate::Ambiguous { .. }), "{deliveries:?}");
        // The connection is out of step: it is not used again.
        assert_eq!(fates(&deliveries[1]), [&accepted()]);
        assert_eq!(server.commands("CONNECT").len(), 2);
    }
}

#[test]
fn silence_is_bounded_at_every_step() {
    for at in ["CONNECT", "EHLO", "MAIL", "RCPT", "DATA", "."] {
        let server =
            FakeSmtp::start(
                move |_, command| {
                    if command.starts_with(at) { Action::Hang } else { Action::Usual }
                },
            );
        let mut relay = relay(server.port);
        let short = Duration::from_millis(200);
        (relay.timing.connect, relay.timing.command, relay.timing.data) = (short, short, short);
        let deliveries = block_on(deliver(&relay, &[parcel("a", &["x@example.org"])]));
        match at {
            "." => {
                let fate = fates(&deliveries[0])[0];
                let text = "no answer to the end of the mail within 0.2";
                assert!(
                    matches!(fate, Fate::Ambiguous { text: found } if found.starts_with(text)),
                    "{fate:?}"
                );
            }
            _ => assert_eq!(trouble(&deliveries[0]).reason(), "no-answer", "{at}"),
        }
    }
}

#[test]
fn a_large_mail_gets_more_time() {
    let server = answering(".", || {
        std::thread::sleep(Duration::from_millis(300));
        Action::Usual
    });
    let mut relay = relay(server.port);
    relay.timing.data = Duration::from_millis(10);
    relay.timing.data_per_mib = Duration::from_secs(1000);
    let mut large = parcel("large", &["x@example.org"]);
    large.raw = b"Subject: large\r\n\r\n"
        .iter()
        .copied()
        .chain(b"line\r\n".iter().copied().cycle().take(60_000))
        .collect();
    let deliveries = block_on(deliver(&relay, &[large, parcel("small", &["x@example.org"])]));
    assert_eq!(fates(&deliveries[0]), [&accepted()]);
    assert!(matches!(fates(&deliveries[1])[0], Fate::Ambiguous { .. }));
}

#[test]
fn many_slow_answers_are_bounded_together() {
    let server = answering("RCPT", || {
        std::thread::sleep(Duration::from_millis(40));
        Action::Usual
    });
    let mut relay = relay(server.port);
    relay.timing.data = Duration::from_millis(400);
    let to: Vec<String> = (0..200).map(|n| format!("x{n}@example.org")).collect();
    let to: Vec<&str> = to.iter().map(String::as_str).collect();
    let deliveries = block_on(deliver(&relay, &[parcel("a", &to)]));
    assert_eq!(trouble(&deliveries[0]).reason(), "no-answer");
    assert!(server.commands("RCPT").len() < 30);
}

#[test]
fn trouble_with_the_relay_is_no_fault_of_the_mails() {
    type Case = (&'static str, fn() -> Action, &'static str);
    let cases: [Case; 9] = [
        ("CONNECT", || say("421 4.3.2 too many connections\r\n"), "relay-busy"),
        ("CONNECT", || say("554 go away\r\n"), "turned-away"),
        ("CONNECT", || say("* OK IMAP4rev1\r\n"), "not-understood"),
        ("EHLO", || say_and_close(""), "connection-lost"),
        ("MAIL", || say("421 4.7.0 slow down\r\n"), "relay-busy"),
        ("MAIL", || say("530 5.7.0 authentication required\r\n"), "login-refused"),
        ("MAIL", || say("553 5.7.1 not your address\r\n"), "sender-refused"),
        ("RCPT", || say("421 4.7.0 slow down\r\n"), "relay-busy"),
        ("RCPT", || say("530 5.7.0 authentication required\r\n"), "login-refused"),
    ];
    for (at, answer, reason) in cases {
        let server = answering(at, answer);
        let deliveries =
            send(&server, &[parcel("a", &["x@example.org"]), parcel("b", &["x@example.org"])]);
        for delivery in &deliveries {
            assert_eq!(trouble(delivery).reason(), reason, "{at}");
        }
        assert!(server.heard().mails.is_empty());
        assert!(server.commands("MAIL").len() <= 1, "{at}: the second was not even tried");
    }
}

#[test]
fn a_lost_connection_does_not_take_the_other_mails_along() {
    let server = FakeSmtp::start(|number, command| match (number, command) {
        (1, "RCPT TO:<bad@example.org>") => say_and_close(""),
        _ => Action::Usual,
    });
    let deliveries =
        send(&server, &[parcel("a", &["bad@example.org"]), parcel("b", &["x@example.org"])]);
    assert_eq!(trouble(&deliveries[0]).reason(), "connection-lost");
    assert_eq!(fates(&deliveries[1]), [&accepted()]);
}

#[test]
fn a_relay_that_breaks_every_connection_is_left_alone() {
    let server = answering("MAIL", || say_and_close(""));
    let parcels: Vec<Parcel> =
        (0..20).map(|n| parcel(&n.to_string(), &["x@example.org"])).collect();
    let deliveries = send(&server, &parcels);
    assert!(deliveries.iter().all(|delivery| trouble(delivery).reason() == "connection-lost"));
    assert_eq!(server.commands("CONNECT").len(), 3);
}

#[test]
fn a_sender_that_is_deferred_or_a_mail_that_is_too_large_concerns_one_mail() {
    for (answer, deferred) in [("452 4.3.1 no room\r\n", true), ("552 5.3.4 too large\r\n", false)]
    {
        let server = FakeSmtp::start(move |_, command| match command {
            "MAIL FROM:<big@example.org>" => say(answer),
            _ => Action::Usual,
        });
        let mut big = parcel("big", &["x@example.org"]);
        big.from = "big@example.org".to_owned();
        let deliveries = send(&server, &[big, parcel("b", &["x@example.org"])]);
        let fate = fates(&deliveries[0])[0];
        assert_eq!(matches!(fate, Fate::Deferred { .. }), deferred, "{fate:?}");
        assert_eq!(matches!(fate, Fate::Refused { .. }), !deferred, "{fate:?}");
        assert_eq!(fates(&deliveries[1]), [&accepted()]);
    }
}

#[test]
fn eight_bit_mail_is_announced_or_rewritten() {
    let raw = "Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
        Content-Transfer-Encoding: 8bit\r\n\r\ncaf\u{e9} \u{b1} 1 %\r\n.\r\n";
    let mut mail = parcel("a", &["x@example.org"]);
    mail.raw = raw.as_bytes().to_vec();

    let server = usual();
    assert_eq!(fates(&send(&server, std::slice::from_ref(&mail))[0]), [&accepted()]);
    assert_eq!(server.commands("MAIL"), ["MAIL FROM:<bot@example.org> BODY=8BITMIME"]);
    assert_eq!(server.heard().mails[0], raw.as_bytes(), "as it was, the dot as well");

    let old = answering("EHLO", || say("250 old\r\n"));
    assert_eq!(fates(&send(&old, std::slice::from_ref(&mail))[0]), [&accepted()]);
    assert_eq!(old.commands("MAIL"), ["MAIL FROM:<bot@example.org>"]);
    let sent = String::from_utf8(old.heard().mails[0].clone()).unwrap();
    assert_eq!(
        sent,
        "Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
         Content-Transfer-Encoding: quoted-printable\r\n\r\ncaf=C3=A9 =C2=B1 1 %\r\n.\r\n"
    );

    mail.raw = "Subject: caf\u{e9}\r\n\r\nx\r\n".as_bytes().to_vec();
    let deliveries = send(&old, &[mail, parcel("b", &["x@example.org"])]);
    assert!(
        matches!(fates(&deliveries[0])[0], Fate::Refused { reason, code: None, .. } if reason == "needs-8bitmime")
    );
    assert_eq!(fates(&deliveries[1]), [&accepted()]);
}

#[test]
fn parts_are_rewritten_one_by_one() {
    let raw = "Subject: x\r\nContent-Type: multipart/mixed;\r\n boundary=\"=-b\"\r\n\r\npreamble\r\n--=-b\r\n\
        Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n\u{e9}\r\n--=-b\r\n\
        Content-Type: text/plain\r\nContent-Transfer-Encoding: 7bit\r\n\r\nplain = plain\r\n--=-b--\r\n";
    let mut mail = parcel("a", &["x@example.org"]);
    mail.raw = raw.as_bytes().to_vec();
    let old = answering("EHLO", || say("250 old\r\n"));
    assert_eq!(fates(&send(&old, &[mail])[0]), [&accepted()]);
    let sent = String::from_utf8(old.heard().mails[0].clone()).unwrap();
    let expected = raw.replace("8bit", "quoted-printable").replace('\u{e9}', "=C3=A9");
    assert_eq!(sent, expected);
}

#[test]
fn bare_line_ends_do_not_reach_the_wire() {
    // Some servers take `\n.\n` for the end of the mail, and what follows for commands.
    let mut mail = parcel("a", &["x@example.org"]);
    mail.raw = b"Subject: x\n\nText\n.\nMAIL FROM:<evil@example.org>\r.\r\n.\r\n".to_vec();
    let server = usual();
    assert_eq!(fates(&send(&server, &[mail])[0]), [&accepted()]);
    let expected = b"Subject: x\r\n\r\nText\r\n.\r\nMAIL FROM:<evil@example.org>\r\n.\r\n.\r\n";
    assert_eq!(server.heard().mails, [expected.to_vec()]);
    assert_eq!(server.commands("MAIL").len(), 1);
}

#[test]
fn addresses_cannot_smuggle_commands() {
    let server = usual();
    let mut evil = parcel("a", &["x@example.org>\r\nRCPT TO:<y@example.org"]);
    evil.from = "bot@example.org>\r\nRSET".to_owned();
    let deliveries =
        send(&server, &[evil, parcel("b", &["x@example.org>\r\nRSET", "jos\u{e9}@example.org"])]);
    assert!(
        matches!(fates(&deliveries[0])[0], Fate::Refused { reason, .. } if reason == "bad-sender")
    );
    for fate in fates(&deliveries[1]) {
        assert!(matches!(fate, Fate::Refused { reason, .. } if reason == "bad-address"));
    }
    assert_eq!(server.commands(""), ["CONNECT", "EHLO bench.example.org", "QUIT"]);
}

#[test]
fn bounces_have_no_sender() {
    let server = usual();
    let mut bounce = parcel("a", &["x@example.org"]);
    bounce.from = String::new();
    assert_eq!(fates(&send(&server, &[bounce])[0]), [&accepted()]);
    assert_eq!(server.commands("MAIL"), ["MAIL FROM:<>"]);
}

#[test]
fn nothing_to_send_says_nothing() {
    let server = usual();
    assert!(send(&server, &[]).is_empty());
    assert!(server.commands("").is_empty());
}
