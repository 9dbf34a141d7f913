//! The rules that travel with the program, rule files that are refused, and mails as rules read them.

mod broken;
mod embedded;
mod learned;
mod mails;
