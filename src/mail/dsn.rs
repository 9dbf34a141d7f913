//! Delivery status notifications (RFC 3464) and the older shapes of bounces.

use std::sync::LazyLock;

use regex::Regex;
use serde::Serialize;

use super::{Message, MessageId};

/// What happened to one recipient.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeliveryStatus {
    /// Address, lower case; the original one where the final one differs is not kept.
    pub recipient: String,
    /// `failed`, `delayed`, `delivered`, `relayed` or `expanded`.
    pub action: String,
    /// `5.1.1` and the like; empty when unknown.
    pub status: String,
    /// The remote server's words; empty when unknown.
    pub diagnostic: String,
}

impl DeliveryStatus {
    /// Whether trying again is pointless.
    pub fn is_permanent(&self) -> bool {
        self.action == "failed" && !self.status.starts_with('4')
    }
}

/// A bounce, understood.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Bounce {
    /// The mail that did not arrive, where its header came back.
    pub original: Option<MessageId>,
    /// One entry a recipient.
    pub recipients: Vec<DeliveryStatus>,
}

/// `<jo@example.org>: host said: 550 5.1.1 ...` as Postfix, Exim and qmail write it in plain words.
static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?is)<?([^\s<>:]+@[^\s<>:]+)>?:?\s(.{0,300}?\b([45]\d\d)(?:[ -]#?([45]\.\d{1,3}\.\d{1,3}))?[^\n]{0,200})").ok()
});

static ID: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?im)^message-id:\s*(<[^>]{1,900}>)").ok());

/// Reads what a bounce says of its recipients. An empty list when the mail is none, or tells nothing.
pub fn dsn(message: &Message) -> Bounce {
    let mut bounce = Bounce::default();
    for part in &message.attachments {
        let text = String::from_utf8_lossy(&part.bytes[..part.bytes.len().min(256 << 10)]);
        match part.content_type.as_str() {
            "message/delivery-status" | "message/global-delivery-status" => {
                read_status(&text, &mut bounce.recipients)
            }
            "text/rfc822-headers"
            | "message/rfc822"
            | "message/global"
            | "message/global-headers" => {
                bounce.original = bounce.original.or_else(|| original_id(&text));
            }
            _ => {}
        }
    }
    if bounce.recipients.is_empty() {
        read_words(message, &mut bounce.recipients);
        bounce.original = bounce.original.or_else(|| original_id(&message.body));
    }
    bounce
}

fn original_id(text: &str) -> Option<MessageId> {
    let hit = ID.as_ref()?.captures(text)?;
    MessageId::clean(&hit[1])
}

/// Groups of fields, parted by empty lines: the first speaks of the mail, each other one of a recipient.
fn read_status(text: &str, into: &mut Vec<DeliveryStatus>) {
    let text = text.replace("\r\n", "\n");
    for group in text.split("\n\n") {
        let field = |name: &str| {
            let mut value = String::new();
            let mut inside = false;
            for line in group.lines() {
                if inside && line.starts_with([' ', '\t']) {
                    value.push(' ');
                    value.push_str(line.trim());
                    continue;
                }
                inside = line.get(..name.len()).is_some_and(|l| l.eq_ignore_ascii_case(name))
                    && line.as_bytes().get(name.len()) == Some(&b':');
                if inside {
                    if !value.is_empty() {
                        break;
                    }
                    value = line[name.len() + 1..].trim().to_owned();
                }
            }
            value
        };
        let typed = |value: String| match value.split_once(';') {
            Some((_, rest)) => rest.trim().to_owned(),
            None => value,
        };
        let recipient = typed(field("Final-Recipient"));
        let recipient =
            if recipient.is_empty() { typed(field("Original-Recipient")) } else { recipient };
        if recipient.is_empty() || into.len() >= 1000 {
            continue;
        }
        into.push(DeliveryStatus {
            recipient: recipient.trim_matches(['<', '>']).to_ascii_lowercase(),
            action: field("Action").to_ascii_lowercase(),
            status: field("Status").split_whitespace().next().unwrap_or_default().to_owned(),
            diagnostic: typed(field("Diagnostic-Code")),
        });
    }
}

fn read_words(message: &Message, into: &mut Vec<DeliveryStatus>) {
    let Some(pattern) = WORDS.as_ref() else {
        return;
    };
    let end = message.body.char_indices().nth(8000).map_or(message.body.len(), |(at, _)| at);
    for hit in pattern.captures_iter(&message.body[..end]).take(100) {
        let text = |n: usize| hit.get(n).map_or("", |m| m.as_str());
        let permanent = text(3).starts_with('5');
        into.push(DeliveryStatus {
            recipient: text(1).to_ascii_lowercase(),
            action: if permanent { "failed" } else { "delayed" }.to_owned(),
            status: text(4).to_owned(),
            diagnostic: text(2).split_whitespace().collect::<Vec<_>>().join(" "),
        });
    }
    if into.is_empty()
        && let Some(failed) = message.header("x-failed-recipients")
    {
        into.extend(failed.split(',').map(str::trim).filter(|a| a.contains('@')).map(|address| {
            DeliveryStatus {
                recipient: address.to_ascii_lowercase(),
                action: "failed".to_owned(),
                status: String::new(),
                diagnostic: String::new(),
            }
        }));
    }
}
