//! The parsed message that all other rooms read.

use jiff::Timestamp;

use super::{Address, MessageId};

/// A mail, decoded. Bodies are UTF-8 with LF line ends and without NUL; format=flowed is undone.
#[derive(Debug, Clone, Default)]
pub struct Message {
    /// The first Message-ID header, cleaned. `None` when absent or beyond repair: then `key` identifies the mail.
    pub id: Option<MessageId>,
    /// Stable identity: the id, or `sha256-<hex>` of the raw bytes for a mail without one.
    pub key: String,
    /// In-Reply-To, cleaned, last one first (old mailers put an address before the id).
    pub in_reply_to: Vec<MessageId>,
    /// References in header order, cleaned, without repeats.
    pub references: Vec<MessageId>,
    /// The author: From, with `Name via list` undone by X-Original-From, Reply-To or Cc where they agree.
    pub from: Option<Address>,
    /// What From said before it was undone, when it differs.
    pub munged_from: Option<Address>,
    /// Reply-To, as given.
    pub reply_to: Vec<Address>,
    /// To.
    pub to: Vec<Address>,
    /// Cc.
    pub cc: Vec<Address>,
    /// The Date header where it is believable (1990 to 2100), else `None`.
    pub date: Option<Timestamp>,
    /// Decoded, one line, no controls.
    pub subject: String,
    /// Every header that decisions read (lower-case name, unfolded decoded value), in order; bulky ones
    /// (ARC, DKIM, Received, X-MS-Exchange) are left out.
    pub headers: Vec<(String, String)>,
    /// Top-level media type, lower case, `type/subtype`.
    pub content_type: String,
    /// The text that a person reads: text/plain parts, or HTML turned into text when there is nothing else.
    pub body: String,
    /// `body`, line by line, told apart. The blocks cover every line in order and do not overlap.
    pub blocks: Vec<Block>,
    /// Parts with a file name or a non-text type, decoded; also inline patches of `text/x-patch` kind.
    pub attachments: Vec<Attachment>,
    /// What could not be understood, each a short sentence.
    pub defects: Vec<String>,
}

/// A run of lines of [`Message::body`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What the lines are.
    pub kind: BlockKind,
    /// Line numbers in the body, 0-based, end exclusive.
    pub lines: std::ops::Range<usize>,
    /// The same lines as offsets in the body, with their line ends.
    pub bytes: std::ops::Range<usize>,
}

/// Who wrote a run of lines, and what for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// The author's own words.
    New,
    /// Quoted, with the depth of the first line (1 = `> `).
    Quote(u8),
    /// "On Monday, X wrote:" in any language.
    Attribution,
    /// From the `-- ` line on, or a sign-off block.
    Signature,
    /// Appended by a list, a company or a scanner.
    Footer,
    /// An unmarked copy of earlier mail (Outlook's From/Sent/To/Subject, "Original Message", a forwarded block).
    History,
    /// An inline diff or a whole git-format patch.
    Patch,
    /// PGP armour and similar wrappers.
    Wrapper,
}

/// A decoded part that is not the body text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// As given, may be hostile (`../../x`): never use it as a path. Empty when none.
    pub name: String,
    /// Lower case `type/subtype`.
    pub content_type: String,
    /// Decoded bytes.
    pub bytes: Vec<u8>,
}

impl Message {
    /// The first value of a header, by lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// A block as it stands in the body.
    pub fn text(&self, block: &Block) -> &str {
        self.body.get(block.bytes.clone()).unwrap_or_default()
    }

    /// The blocks of that kind, one after the other.
    pub fn blocks_of(&self, kind: BlockKind) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(move |block| block.kind == kind)
    }

    /// The author's own lines: those of all [`BlockKind::New`] blocks.
    pub fn own_lines(&self) -> impl Iterator<Item = &str> {
        self.blocks_of(BlockKind::New).flat_map(|block| self.text(block).lines())
    }

    /// The author's own words: all [`BlockKind::New`] lines, runs parted by one empty line.
    pub fn new_text(&self) -> String {
        let runs = self.blocks_of(BlockKind::New).map(|block| self.text(block).trim_matches('\n'));
        runs.filter(|text| !text.trim().is_empty()).collect::<Vec<_>>().join("\n\n")
    }
}
