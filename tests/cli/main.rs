//! The command line around the rules engine, and the commands that people type into mails, with their effects.
#![allow(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod bounds;
mod config;
mod docs;
mod effects;
mod house;
mod looking;
mod review;
mod rules;
mod syzbot;
mod tolerance;
mod undo;
mod wishes;
