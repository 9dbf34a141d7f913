//! Getting in at a scripted relay.

use regard::net::Secret;
use regard::smtp::{Login, Outcome, deliver, probe};

use crate::support::fake::{Action, say};
use crate::support::fake_smtp::FakeSmtp;
use crate::{block_on, login, parcel, relay};

#[test]
fn plain_is_preferred_and_login_will_do() {
    let server = FakeSmtp::start(|_, _| Action::Usual);
    let mut relay = relay(server.port);
    relay.auth = login("secret");
    assert!(block_on(probe(&relay)).unwrap().logged_in);
    assert_eq!(server.commands("AUTH"), ["AUTH PLAIN AGJvdABzZWNyZXQ="]);

    let server = FakeSmtp::start(|_, command| match command {
        c if c.starts_with("EHLO") => say("250-fake\r\n250 AUTH LOGIN\r\n"),
        "AUTH LOGIN" => say("334 VXNlcm5hbWU6\r\n"),
        "Ym90" => say("334 UGFzc3dvcmQ6\r\n"),
        "c2VjcmV0" => say("235 welcome\r\n"),
        _ => Action::Usual,
    });
    relay.port = server.port;
    assert!(block_on(probe(&relay)).is_ok());
    assert_eq!(server.commands("c2VjcmV0").len(), 1);
}

#[test]
fn a_refused_token_is_heard_out() {
    let server = FakeSmtp::start(|_, command| match command {
        c if c.starts_with("AUTH XOAUTH2") => say("334 eyJzdGF0dXMiOiI0MDEifQ==\r\n"),
        "" => say("535 5.7.8 Username and Password not accepted\r\n"),
        _ => Action::Usual,
    });
    let mut relay = relay(server.port);
    relay.auth =
        Some(Login { user: "bot".into(), secret: Secret::TokenCommand("echo t0ken".into()) });
    let trouble = block_on(probe(&relay)).unwrap_err();
    let text = trouble.to_string();
    assert_eq!(
        text,
        "login refused for bot: 5.7.8 Username and Password not accepted {\"status\":\"401\"}"
    );
    assert!(trouble.needs_operator() && !text.contains("t0ken"));
}

#[test]
fn a_refused_login_holds_all_mail_and_loses_none() {
    for (answer, reason) in [
        ("535 5.7.8 bad credentials\r\n", "login-refused"),
        ("454 4.7.0 temporary failure\r\n", "relay-busy"),
        ("421 4.7.0 later\r\n", "relay-busy"),
    ] {
        let server = FakeSmtp::start(move |_, command| match command.starts_with("AUTH") {
            true => say(answer),
            false => Action::Usual,
        });
        let mut relay = relay(server.port);
        relay.auth = login("wrong");
        for delivery in block_on(deliver(
            &relay,
            &[parcel("a", &["x@example.org"]), parcel("b", &["x@example.org"])],
        )) {
            let Outcome::NotTried(trouble) = delivery.outcome else { panic!("{delivery:?}") };
            assert_eq!(trouble.reason(), reason);
        }
        assert_eq!(server.commands("AUTH").len(), 1, "no hammering");
    }
}

#[test]
fn no_login_offered_is_named() {
    let server = FakeSmtp::start(|_, command| match command.starts_with("EHLO") {
        true => say("250 fake\r\n"),
        false => Action::Usual,
    });
    let mut relay = relay(server.port);
    relay.auth = login("secret");
    let trouble = block_on(probe(&relay)).unwrap_err();
    assert_eq!(trouble.to_string(), "the relay offers no login by PLAIN or LOGIN");
    relay.auth = Some(Login { user: "bot".into(), secret: Secret::TokenCommand("echo x".into()) });
    assert_eq!(block_on(probe(&relay)).unwrap_err().reason(), "no-login-offered");
}

#[test]
fn what_can_be_known_before_connecting_is_told_then() {
    let server = FakeSmtp::start(|_, _| Action::Usual);
    let mut relay = relay(server.port);
    relay.host = "192.0.2.1".to_owned();
    assert_eq!(block_on(probe(&relay)).unwrap_err().reason(), "cleartext-refused");
    relay.host = "mail.invalid".to_owned();
    assert_eq!(block_on(probe(&relay)).unwrap_err().reason(), "unknown-host");
    relay.host = "127.0.0.1".to_owned();
    relay.auth =
        Some(Login { user: "bot".into(), secret: Secret::PasswordFile("/nonexistent".into()) });
    assert_eq!(block_on(probe(&relay)).unwrap_err().reason(), "no-secret");
    assert!(server.commands("").is_empty());
    (relay.auth, relay.port) = (None, 1);
    let trouble = block_on(probe(&relay)).unwrap_err();
    assert_eq!(
        trouble.to_string(),
        "cannot connect to 127.0.0.1:1: Connection refused (os error 111)"
    );
}

#[test]
fn the_probe_tells_what_the_relay_can() {
    let server = FakeSmtp::start(|_, _| Action::Usual);
    let found = block_on(probe(&relay(server.port))).unwrap();
    assert_eq!(
        (found.server.as_str(), found.size, found.eight_bit),
        ("fake", Some(1_000_000), true)
    );
    assert!(!found.encrypted && !found.logged_in);
    assert_eq!(found.extensions, ["8BITMIME", "SIZE 1000000", "AUTH PLAIN LOGIN XOAUTH2"]);
}
