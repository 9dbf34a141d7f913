//! From an [`Outgoing`] to envelope and bytes.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use lettre::address::Envelope;
use lettre::message::header::{
    ContentTransferEncoding as Encoding, ContentType, HeaderName, HeaderValue,
};
use lettre::message::{
    Body, Mailbox, Mailboxes, Message, MessageBuilder, MultiPart, SinglePart, header,
};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{Outgoing, address, clean, text};
use crate::mail::{Address, Attachment, MessageId};

/// A mail ready for the wire: CRLF, no line above 998 bytes, headers in ASCII.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Composed {
    /// Sender of the envelope.
    pub envelope_from: String,
    /// Recipients of the envelope, each once.
    pub rcpts: Vec<String>,
    /// The mail.
    pub raw: Vec<u8>,
    /// Recipients that were left out, each with the reason: their addresses cannot be sent to.
    pub skipped: Vec<(Address, String)>,
}

/// Why there is nothing to send.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ComposeError {
    /// The author's address cannot be used.
    #[error("cannot send as {address}: {why}")]
    From {
        /// As given.
        address: String,
        /// What is wrong with it.
        why: String,
    },
    /// No recipient is left.
    #[error("nobody to send to ({} addresses cannot be used)", skipped.len())]
    NoRecipients {
        /// Those that cannot be used, and why.
        skipped: Vec<(Address, String)>,
    },
    /// A header of the caller's is not a header name, or one that the mail has anyway.
    #[error("`{name}` cannot be added as a header")]
    Header {
        /// As given.
        name: String,
    },
    /// The mail's own id is not one (it was never cleaned).
    #[error("`{0}` is not a message id")]
    MessageId(String),
    /// lettre refuses; not expected.
    #[error("cannot be built: {0}")]
    Build(String),
}

/// Composes the mail. The same input gives the same bytes.
///
/// # Errors
/// [`ComposeError`]; a recipient whose address cannot be used is no error as long as another is left.
pub fn compose(outgoing: &Outgoing) -> Result<Composed, ComposeError> {
    let own = MessageId::clean(outgoing.message_id.as_str())
        .ok_or_else(|| ComposeError::MessageId(outgoing.message_id.as_str().to_owned()))?;
    let from = address::mailbox(&outgoing.from)
        .map_err(|why| ComposeError::From { address: outgoing.from.email.clone(), why })?;
    let mut list = Recipients::default();
    let to = list.take(&outgoing.to);
    let cc = list.take(&outgoing.cc);
    let Recipients { addresses, skipped } = list;
    let rcpts: Vec<String> = addresses.iter().map(ToString::to_string).collect();
    let Ok(envelope) = Envelope::new(Some(from.email.clone()), addresses) else {
        return Err(ComposeError::NoRecipients { skipped });
    };
    let envelope_from = from.email.to_string();
    let builder = headers(outgoing, &own, from, to, cc)?.envelope(envelope);
    let body = part(text::body(&outgoing.text), "text/plain; charset=utf-8");
    let built = if outgoing.attachments.is_empty() {
        builder.singlepart(body)
    } else {
        let parts = MultiPart::mixed().boundary(boundary(&own)).singlepart(body);
        builder
            .multipart(outgoing.attachments.iter().map(attached).fold(parts, MultiPart::singlepart))
    };
    let message = built.map_err(|error| ComposeError::Build(error.to_string()))?;
    Ok(Composed { envelope_from, rcpts, raw: message.formatted(), skipped })
}

#[derive(Default)]
struct Recipients {
    addresses: Vec<lettre::Address>,
    skipped: Vec<(Address, String)>,
}

impl Recipients {
    /// The mailboxes for a header; who was taken before is left out.
    fn take(&mut self, wanted: &[Address]) -> Vec<Mailbox> {
        let mut mailboxes = Vec::new();
        for address in wanted {
            match address::mailbox(address) {
                Ok(mailbox) if self.has(&mailbox) => {}
                Ok(mailbox) => {
                    self.addresses.push(mailbox.email.clone());
                    mailboxes.push(mailbox);
                }
                Err(why) => self.skipped.push((address.clone(), why)),
            }
        }
        mailboxes
    }

    fn has(&self, mailbox: &Mailbox) -> bool {
        let email: &str = mailbox.email.as_ref();
        self.addresses.iter().any(|known| email.eq_ignore_ascii_case(known.as_ref()))
    }
}

fn headers(
    outgoing: &Outgoing,
    own: &MessageId,
    from: Mailbox,
    to: Vec<Mailbox>,
    cc: Vec<Mailbox>,
) -> Result<MessageBuilder, ComposeError> {
    let loop_guard = outgoing.from.canonical();
    let mut builder = Message::builder().from(from);
    if !to.is_empty() {
        builder = builder.header(header::To::from(to.into_iter().collect::<Mailboxes>()));
    }
    if !cc.is_empty() {
        builder = builder.header(header::Cc::from(cc.into_iter().collect::<Mailboxes>()));
    }
    let reply_to: Mailboxes =
        outgoing.reply_to.iter().filter_map(|a| address::mailbox(a).ok()).collect();
    if reply_to.iter().next().is_some() {
        builder = builder.header(header::ReplyTo::from(reply_to));
    }
    builder = builder
        .subject(clean::line(&outgoing.subject))
        .date(system_time(outgoing.date))
        .message_id(Some(own.to_string()));
    let parent = outgoing.in_reply_to.as_ref().and_then(|id| MessageId::clean(id.as_str()));
    if let Some(parent) = &parent {
        builder = builder.in_reply_to(parent.to_string());
    }
    let references = clean::references(&outgoing.references, parent.as_ref(), own);
    let references: Vec<String> = references.iter().map(ToString::to_string).collect();
    builder = builder.references(references.join(" "));
    let ours = [
        ("Auto-Submitted", outgoing.auto.value()),
        ("X-Auto-Response-Suppress", "All"),
        ("Precedence", "bulk"),
        ("X-Loop", &loop_guard),
    ];
    for (name, value) in ours {
        let name = HeaderName::new_from_ascii_str(name);
        builder = builder.raw_header(HeaderValue::new(name, value.to_owned()));
    }
    for (name, value) in &outgoing.headers {
        builder = builder.raw_header(extra(name, value)?);
    }
    Ok(builder)
}

/// The same for the same mail, so that it is composed alike each time.
fn boundary(own: &MessageId) -> String {
    let hash = Sha256::digest(own.as_str().as_bytes());
    let hex: String = hash.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("=-regard-{hex}")
}

/// lettre's clock; a date before 1970 is none.
fn system_time(date: Timestamp) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(date.as_second().try_into().unwrap_or(0))
}

/// A header of the caller's.
fn extra(name: &str, value: &str) -> Result<HeaderValue, ComposeError> {
    const OURS: [&str; 17] = [
        "from",
        "sender",
        "to",
        "cc",
        "bcc",
        "reply-to",
        "subject",
        "date",
        "message-id",
        "in-reply-to",
        "references",
        "auto-submitted",
        "x-auto-response-suppress",
        "precedence",
        "x-loop",
        "mime-version",
        "return-path",
    ];
    let lower = name.to_ascii_lowercase();
    let token = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let refused = || ComposeError::Header { name: name.to_owned() };
    if !token || name.len() > 76 || lower.starts_with("content-") || OURS.contains(&lower.as_str())
    {
        return Err(refused());
    }
    let name = HeaderName::new_from_ascii(name.to_owned()).map_err(|_| refused())?;
    Ok(HeaderValue::new(name, clean::listing(value)))
}

fn part(body: Body, content_type: &str) -> SinglePart {
    SinglePart::builder().header(media_type(content_type)).body(body)
}

fn media_type(text: &str) -> ContentType {
    let parsed = ContentType::parse(&clean::line(text))
        .or_else(|_| ContentType::parse("application/octet-stream"));
    parsed.expect("application/octet-stream is a media type")
}

/// Text stays readable in archives; anything else, and text that would have to change, goes as base64.
fn attached(attachment: &Attachment) -> SinglePart {
    let kind = clean::line(&attachment.content_type).to_ascii_lowercase();
    let is_text = kind.starts_with("text/") || kind.starts_with("application/json");
    let body = is_text.then(|| text::file(&attachment.bytes)).flatten();
    let content_type = match &body {
        Some(_) if kind.starts_with("text/") && !kind.contains("charset") => {
            media_type(&format!("{kind}; charset=utf-8"))
        }
        _ => media_type(&kind),
    };
    let name = clean::line(&attachment.name).replace(['/', '\\'], "_");
    let name = if name.is_empty() { "attachment".to_owned() } else { name };
    // Not `Body::new`: it leaves ASCII as it is, bare carriage returns included.
    let body = body.unwrap_or_else(|| {
        Body::new_with_encoding(attachment.bytes.clone(), Encoding::Base64)
            .expect("base64 takes anything")
    });
    lettre::message::Attachment::new(name).body(body, content_type)
}
