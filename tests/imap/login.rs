//! Getting in, and telling apart why not.

use std::time::Duration;

use regard::imap::{ImapError, Watcher, probe};
use regard::net::{DialError, Secret, Tls};

use crate::support::fake::{Action, say, say_and_close};
use crate::support::fake_imap::FakeImap;
use crate::support::recorder::Recorder;

fn refusing(answer: &'static str) -> FakeImap {
    FakeImap::start([1], move |_, command| match command.starts_with("LOGIN") {
        true => say(answer),
        false => Action::Usual,
    })
}

#[test]
fn a_refused_password_is_not_a_network_failure() {
    let server = refusing("TAG NO [AUTHENTICATIONFAILED] Authentication failed.\r\n");
    let error = probe(&server.account()).unwrap_err();
    assert_eq!(error.reason(), "login-refused");
    assert!(error.needs_operator());
    let text = error.to_string();
    assert!(
        text.starts_with("login refused for bot") && text.contains("Authentication failed"),
        "{text}"
    );
    assert!(!text.contains("secret"), "{text}");
}

#[test]
fn a_busy_server_is_not_a_wrong_password() {
    for answer in [
        "TAG NO [UNAVAILABLE] Temporary authentication failure.\r\n",
        "TAG NO [ALERT] Too many simultaneous connections. (Failure)\r\n",
        "* BYE shutting down\r\nTAG BYE too late\r\n",
    ] {
        let error = probe(&refusing(answer).account()).unwrap_err();
        assert!(!error.needs_operator(), "{answer}: {error:?}");
    }
}

#[test]
fn refused_logins_are_repeated_slowly() {
    let server = refusing("TAG NO [AUTHENTICATIONFAILED] no\r\n");
    let mut account = server.account();
    account.timing.refused_first = Duration::from_secs(3600);
    account.timing.refused_max = Duration::from_secs(3600);
    let recorder = Recorder::default();
    let watcher = Watcher::spawn(account, recorder.clone()).unwrap();
    recorder.wait("the refusal", |log| log.reasons() == ["login-refused"]);
    // Asleep for an hour, it still ends at once.
    watcher.join();
    assert_eq!(server.heard("LOGIN").len(), 1);
}

#[test]
fn the_greeting_is_looked_at() {
    for (greeting, reason) in [
        ("* BYE too many connections", "connection-lost"),
        ("* PREAUTH welcome root", "unfit-greeting"),
        ("220 mail.example.org ESMTP", "unfit-greeting"),
    ] {
        let server = FakeImap::start([1], |_, _| Action::Usual);
        server.change(|mailbox| mailbox.greeting = greeting.to_owned());
        let error = probe(&server.account()).unwrap_err();
        assert_eq!(error.reason(), reason, "{error}");
        assert!(server.heard("LOGIN").is_empty(), "no password for an unfit server");
    }
}

#[test]
fn plain_sasl_where_login_will_not_do() {
    let server = FakeImap::start([1], |_, command| match command {
        "AUTHENTICATE PLAIN" => say("+\r\n"),
        _ => Action::Usual,
    });
    let mut account = server.account();
    account.secret = Secret::Password("gehe\u{ef}m".to_owned());
    server.change(|mailbox| mailbox.capabilities += " AUTH=PLAIN");
    assert!(probe(&account).is_ok());
    assert_eq!(server.heard("AGJvdABnZWhl"), ["AGJvdABnZWhlw69t"]);
    assert!(server.heard("LOGIN").is_empty());
}

#[test]
fn a_line_break_in_a_password_sends_nothing() {
    let server = FakeImap::start([1], |_, _| Action::Usual);
    let mut account = server.account();
    account.secret = Secret::Password("a\r\na9 DELETE INBOX".to_owned());
    assert_eq!(probe(&account).unwrap_err().reason(), "login-refused");
    assert!(server.heard("LOGIN").is_empty() && server.heard("DELETE").is_empty());
}

#[test]
fn no_password_in_the_clear_to_another_machine() {
    let server = FakeImap::start([1], |_, _| Action::Usual);
    let mut account = server.account();
    account.host = "192.0.2.1".to_owned();
    let error = probe(&account).unwrap_err();
    assert_eq!(error, ImapError::Dial(DialError::Cleartext { host: "192.0.2.1".to_owned() }));
    assert!(error.cure().contains("starttls"));
}

#[test]
fn what_comes_before_tls_is_not_believed() {
    // Somebody in between appends an answer to the OK, to be taken for one that came encrypted.
    let server = FakeImap::start([1], |_, command| match command {
        "STARTTLS" => say("TAG OK begin\r\n* CAPABILITY IMAP4rev1 LOGINDISABLED\r\n"),
        _ => Action::Usual,
    });
    let mut account = server.account();
    account.tls = Tls::Starttls;
    let error = probe(&account).unwrap_err();
    assert_eq!(error.reason(), "tls-failed", "{error}");
    assert!(server.heard("LOGIN").is_empty());
}

#[test]
fn a_refused_starttls_ends_it() {
    let server = FakeImap::start([1], |_, command| match command {
        "STARTTLS" => say("TAG BAD unknown command\r\n"),
        _ => Action::Usual,
    });
    let mut account = server.account();
    account.tls = Tls::Starttls;
    assert_eq!(probe(&account).unwrap_err().reason(), "starttls-refused");
    assert!(server.heard("LOGIN").is_empty());
}

#[test]
fn tls_on_a_plain_port_is_named() {
    let server = FakeImap::start([1], |_, _| Action::Usual);
    let mut account = server.account();
    account.tls = Tls::Implicit;
    let error = probe(&account).unwrap_err();
    assert_eq!(error.reason(), "tls-failed", "{error}");
    assert!(error.cure().contains("does not speak TLS"), "{}", error.cure());
}

#[test]
fn a_dead_port_and_an_unknown_host_are_named() {
    let mut account = FakeImap::start([1], |_, _| Action::Usual).account();
    account.port = 1;
    let error = probe(&account).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot connect to 127.0.0.1:1: Connection refused (os error 111)"
    );
    account.host = "mail.invalid".to_owned();
    assert_eq!(probe(&account).unwrap_err().reason(), "unknown-host");
}

#[test]
fn a_missing_mailbox_comes_with_those_that_are_there() {
    let server = FakeImap::start([1], |_, command| match command {
        "EXAMINE \"INBOX\"" => say("TAG NO no such mailbox\r\n"),
        c if c.starts_with("LIST") => {
            say("* LIST () \"/\" \"lists\"\r\n* LIST () \"/\" Archive\r\nTAG OK done\r\n")
        }
        _ => Action::Usual,
    });
    let error = probe(&server.account()).unwrap_err();
    assert_eq!(error.to_string(), "cannot open the mailbox INBOX: no such mailbox");
    assert_eq!(error.cure(), "mailboxes there: lists, Archive");
}

#[test]
fn a_server_that_closes_at_once_is_tried_again() {
    let server = FakeImap::start([1], |number, command| match (number, command) {
        (1, "CAPABILITY") => say_and_close(""),
        _ => Action::Usual,
    });
    let recorder = Recorder::default();
    let _watcher = Watcher::spawn(server.account(), recorder.clone()).unwrap();
    recorder.wait("the mail", |log| log.has("Text 1"));
    recorder.change(|log| assert_eq!(log.reasons(), ["connection-lost"]));
}

#[test]
fn a_secret_that_cannot_be_had_needs_the_operator() {
    let server = FakeImap::start([1], |_, _| Action::Usual);
    let mut account = server.account();
    account.secret = Secret::PasswordCommand("exit 1".to_owned());
    let error = probe(&account).unwrap_err();
    assert_eq!(error.reason(), "no-secret");
    assert!(error.needs_operator());
    assert!(server.heard("").is_empty(), "asked for before connecting");
}
