//! A mail that is going to be sent, before it is bytes.

use jiff::Timestamp;

use crate::mail::{Address, Attachment, MessageId};

/// What a mail says and to whom. Nothing here needs to be clean: [`super::compose`] sees to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// Its id, fixed beforehand (see [`MessageId::for_key`]): a second try carries the same.
    pub message_id: MessageId,
    /// Date header.
    pub date: Timestamp,
    /// Author, and sender of the envelope: bounces go there.
    pub from: Address,
    /// Where answers should go, if not to the author.
    pub reply_to: Vec<Address>,
    /// To.
    pub to: Vec<Address>,
    /// Cc.
    pub cc: Vec<Address>,
    /// One line.
    pub subject: String,
    /// The mail that it answers.
    pub in_reply_to: Option<MessageId>,
    /// Its thread, oldest first, without itself.
    pub references: Vec<MessageId>,
    /// Why a machine sends it.
    pub auto: Auto,
    /// More headers (`X-Regard-Reason`). Names that the mail has anyway are refused.
    pub headers: Vec<(String, String)>,
    /// The text, any line ends.
    pub text: String,
    /// Attached in this order.
    pub attachments: Vec<Attachment>,
}

/// The value of Auto-Submitted (RFC 3834 section 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auto {
    /// On our own account: a report, a digest.
    Generated,
    /// As an answer to a mail.
    Replied,
}

impl Auto {
    pub(super) fn value(self) -> &'static str {
        match self {
            Self::Generated => "auto-generated",
            Self::Replied => "auto-replied",
        }
    }
}
