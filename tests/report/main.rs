//! The report room: table, box, plot, gate, recipients.

#[path = "../render/decide.rs"]
mod decide;
mod samples;
mod table;
