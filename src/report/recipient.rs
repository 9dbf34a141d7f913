//! Who gets a mail, and why each of them.

use crate::mail::Address;

/// Somebody who gets the mail, and why (`author`, `reviewed-by`, `list`, `maintainer`, `lab`, `sender`, `operator`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    /// Mailbox.
    pub address: Address,
    /// The role that put it there.
    pub why: String,
}
