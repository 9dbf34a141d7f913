//! Where a mail comes from, decided before any rule reads a word of it.

use serde::{Deserialize, Serialize};

/// The sort of sender and purpose of a mail. Machine mail never moves a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Sent by ourselves and seen again (a list's echo confirms delivery; its commands are disarmed).
    Own,
    /// Vacation notes, ticket systems, anything with Auto-Submitted other than `no` that is not a known robot's report.
    AutoReply,
    /// Delivery status of something that somebody sent (RFC 3464, or an older shape).
    Bounce,
    /// List software asking or telling (held for approval, confirm subscription).
    Moderation,
    /// Carries benchmark results for us.
    Notification,
    /// Tells a list of a regression or improvement: another robot's or a person's report.
    Report,
    /// A person's mail in a thread.
    Reply,
    /// A patch posting (`[PATCH ...]`, or a commit mail).
    Patch,
    /// Everything else.
    Other,
}
