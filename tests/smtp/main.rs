//! The outgoing edge: whole mails as goldens, then transactions against scripted relays and against Exim.
#![allow(clippy::unwrap_used)] // Helpers of tests fail as tests do.

#[path = "../support/mod.rs"]
mod support;

mod compose;
mod deliver;
mod exim;
mod login;
mod round_trip;

use std::time::Duration;

use regard::net::{Secret, Tls};
use regard::smtp::{Login, Parcel, Relay, Timing};

/// Runs a future to its end.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(future)
}

/// A relay on a loopback port, without TLS and login, and with little patience.
fn relay(port: u16) -> Relay {
    let patience = Duration::from_secs(10);
    Relay {
        host: "127.0.0.1".to_owned(),
        port,
        tls: Tls::None,
        ca_file: None,
        auth: None,
        hello: Some("bench.example.org".to_owned()),
        timing: Timing {
            connect: patience,
            command: patience,
            data: patience,
            data_per_mib: patience,
            secret: patience,
        },
    }
}

fn login(password: &str) -> Option<Login> {
    let secret = Secret::Password(password.to_owned());
    Some(Login { user: "bot".to_owned(), secret })
}

fn parcel(id: &str, to: &[&str]) -> Parcel {
    Parcel {
        id: id.to_owned(),
        from: "bot@example.org".to_owned(),
        to: to.iter().map(|to| (*to).to_owned()).collect(),
        raw: format!("Subject: {id}\r\n\r\nText of {id}.\r\n").into_bytes(),
    }
}
