//! What a letter does not know of itself: who writes, to whom, under which id.

use crate::engine::Draft;
use crate::mail::{Address, MessageId};
use crate::regression::RegressionId;
use crate::report::Recipient;

/// The bot's own identity, from the config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letterhead {
    /// Its mailbox, without a tag.
    pub bot: Address,
    /// Where the lists are archived: `https://lore.example.org/r/`, completed by the Message-ID.
    pub archive: Option<String>,
    /// The page "how to read and answer this mail".
    pub help: Option<String>,
    /// Where people write to get no more mail.
    pub opt_out: Option<String>,
    /// Bodies in pure ASCII (names and units are transliterated; headers keep them).
    pub ascii: bool,
}

/// Everything around one letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The bot's mailbox, with the regression's id as its tag where there is one (`bot+ID@host`).
    pub bot: Address,
    /// See [`Letterhead::archive`].
    pub archive: Option<String>,
    /// See [`Letterhead::help`].
    pub help: Option<String>,
    /// See [`Letterhead::opt_out`].
    pub opt_out: Option<String>,
    /// See [`Letterhead::ascii`].
    pub ascii: bool,
    /// The regression that the letter belongs to.
    pub regression: Option<RegressionId>,
    /// Message-ID of this mail.
    pub message_id: Option<MessageId>,
    /// Everybody who gets it.
    pub recipients: Vec<Recipient>,
    /// Why it exists: a slug, maybe with details after `: `.
    pub reason: String,
    /// Subject of the mail that it answers.
    pub answers_subject: Option<String>,
}

impl Frame {
    /// The frame of a draft that goes out under `message_id`.
    pub fn new(letterhead: &Letterhead, draft: &Draft, message_id: Option<MessageId>) -> Self {
        let mut bot = letterhead.bot.clone();
        if let (Some(id), Some((local, domain))) =
            (&draft.regression, letterhead.bot.email.rsplit_once('@'))
        {
            bot.email = format!("{local}+{id}@{domain}");
        }
        Self {
            bot,
            archive: letterhead.archive.clone(),
            help: letterhead.help.clone(),
            opt_out: letterhead.opt_out.clone(),
            ascii: letterhead.ascii,
            regression: draft.regression.clone(),
            message_id,
            recipients: draft.to.iter().chain(&draft.cc).cloned().collect(),
            reason: draft.reason.clone(),
            answers_subject: draft.answers_subject.clone(),
        }
    }

    /// The archive's address of this mail; `None` without an archive or an id.
    pub(super) fn link(&self) -> Option<String> {
        let archive = self.archive.as_deref()?.trim_end_matches('/');
        Some(format!("{archive}/{}", path_segment(self.message_id.as_ref()?.as_str())))
    }
}

/// Percent-encodes what would end a path segment (RFC 3986 section 3.3): an id with a slash was lost by more than one tracker.
fn path_segment(id: &str) -> String {
    let mut text = String::new();
    for c in id.chars() {
        if c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:@".contains(c) {
            text.push(c);
        } else {
            let mut bytes = [0; 4];
            for b in c.encode_utf8(&mut bytes).bytes() {
                text += &format!("%{b:02X}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn ids_become_one_path_segment() {
        assert_eq!(super::path_segment("a/b?c#d%e@example.org"), "a%2Fb%3Fc%23d%25e@example.org");
    }
}
