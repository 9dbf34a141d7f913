//! Real servers and scripted ones, shared by the test binaries that need them (`#[path = "../support/mod.rs"]`).
//!
//! A server that is not installed fails the test, with the name of its Debian package.
#![allow(dead_code)] // Each binary uses a part of it.
#![allow(clippy::unwrap_used)] // A helper that fails fails the test.

pub(crate) mod dovecot;
pub(crate) mod exim;
pub(crate) mod fake;
pub(crate) mod fake_imap;
pub(crate) mod fake_smtp;
pub(crate) mod public_inbox;
pub(crate) mod recorder;
pub(crate) mod server;
