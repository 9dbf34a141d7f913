//! **regard** writes and triages regression reports by mail.
//!
//! The rooms, from the inside out (see `docs/architecture.md`):
//!
//! * inner, pure (no clock, no network, no files, no dice): [`mail`], [`bench`], [`stats`], [`report`], [`triage`],
//!   [`regression`], [`engine`];
//! * outer, one edge each: [`render`], [`store`], [`imap`], [`smtp`] (over [`net`]), [`archive`], [`git`];
//! * outermost, wiring: [`config`], [`daemon`], [`cli`].
//!
//! Inner rooms never import outer ones; `tests/rooms` checks it.

pub mod archive;
pub mod bench;
pub mod cli;
pub mod config;
pub mod daemon;
pub mod embedded;
pub mod engine;
pub mod git;
pub mod imap;
pub mod intake;
pub mod mail;
pub mod net;
pub mod plot;
pub mod regression;
pub mod render;
pub mod report;
pub mod smtp;
pub mod stats;
pub mod store;
pub mod triage;
