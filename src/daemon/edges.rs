//! From the configuration to the wire's own types.

use crate::config::{Mailbox, RelayConfig};
use crate::imap::{self, Account};
use crate::smtp::{self, Login, Relay};

/// The account of a configured mailbox.
pub fn account(m: &Mailbox) -> Account {
    Account {
        name: m.name.clone(),
        host: m.host.clone(),
        port: m.port,
        tls: m.tls,
        ca_file: m.ca_file.clone(),
        user: m.user.clone(),
        secret: m.secret.clone(),
        mailbox: m.mailbox.clone(),
        slices: m.slices,
        since: m.since,
        timing: imap::Timing { idle: m.idle, ..imap::Timing::default() },
        limits: imap::Limits::default(),
    }
}

/// The relay of the configuration.
pub fn relay(r: &RelayConfig) -> Relay {
    Relay {
        host: r.host.clone(),
        port: r.port,
        tls: r.tls,
        ca_file: r.ca_file.clone(),
        auth: r.login.clone().map(|(user, secret)| Login { user, secret }),
        hello: r.hello.clone(),
        timing: smtp::Timing::default(),
    }
}
