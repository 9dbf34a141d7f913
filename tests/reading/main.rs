//! Reading reports: whole mails with what is read of them, what holds whatever happens to a mail, and our own mails.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests stop at the first surprise, and tell of it"
)]

mod folders;
mod golden;
mod mangled;
mod own;
mod subject;
mod wild;
