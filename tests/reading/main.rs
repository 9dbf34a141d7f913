//! Reading reports: whole mails with what is read of them, what holds whatever happens to a mail, and our own mails.

mod folders;
mod golden;
mod mangled;
mod own;
mod subject;
mod wild;
