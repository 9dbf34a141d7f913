//! Watched git trees: what a commit means for what is tracked, on repositories that the tests make.
#![allow(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod commits;
mod config;
mod daemon;
mod held;
mod history;
mod house;
mod letters;
mod links;
mod repo;
mod results;
mod rewritten;
mod stories;
