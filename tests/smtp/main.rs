//! (to come)
#[path = "../support/mod.rs"]
mod support;
