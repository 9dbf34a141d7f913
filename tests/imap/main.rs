//! The mailbox edge against scripted servers (each trap of the protocol and of the `imap` crate) and against real ones.
#![allow(clippy::unwrap_used)] // Helpers of tests fail as tests do.

#[path = "../support/mod.rs"]
mod support;

mod catch_up;
mod dovecot;
mod login;
mod public_inbox;
mod quarantine;
mod sink;
mod traps;
