//! The report room: brief, table, box, plot, gate, recipients, maintainers.
#![allow(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod brief;
#[path = "../render/decide.rs"]
mod decide;
mod gate;
mod maintainers;
mod plot;
mod recipients;
mod samples;
mod table;
