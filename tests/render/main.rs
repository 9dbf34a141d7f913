//! The render room: whole mails, compared whole.
#![allow(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod back;
mod case;
mod decide;
mod decided;
mod docs;
mod golden;
mod hostile;
mod mails;
mod overrides;
