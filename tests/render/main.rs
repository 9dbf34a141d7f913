//! The render room: whole mails, compared whole.

mod back;
mod case;
mod decide;
mod docs;
mod golden;
mod hostile;
mod mails;
mod overrides;
