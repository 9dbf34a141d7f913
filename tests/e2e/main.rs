//! The daemon itself, as an operator runs it, between a real Dovecot and a real Exim.

#[path = "../support/mod.rs"]
mod support;

mod bot;
mod crash;
mod mailboxes;
mod outbox;
mod story;
