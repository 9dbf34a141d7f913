//! The daemon itself, as an operator runs it, between a real Dovecot and a real Exim.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "helpers of tests stop at the first surprise, and tell of it"
)]

#[path = "../support/mod.rs"]
mod support;

mod bot;
mod crash;
mod mailboxes;
mod outbox;
mod story;
