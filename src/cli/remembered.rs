//! Mail as the store remembers it, made readable again: the author's new words, and what they belong to.

use jiff::Timestamp;

use crate::mail::{self, Address, Message, MessageId, Origin};
use crate::regression::Regression;
use crate::regression::thread::{About, ThreadIndex};
use crate::store::StoredMessage;

/// One stored mail, in the thread of its regression.
pub(super) struct Remembered {
    pub(super) message: Message,
    report: Option<MessageId>,
    about: Option<About>,
}

impl Remembered {
    /// The store keeps no quotes: what hangs on them reads weaker than it did when the mail came.
    pub(super) fn new(m: &StoredMessage, regression: Option<&Regression>) -> Self {
        let report = regression.and_then(|r| r.about.report.as_deref()).and_then(MessageId::clean);
        let raw = raw(m, report.as_ref());
        let about = regression.map(|r| About {
            by_robot: !r.about.ours && r.about.by_robot,
            culprit: r.about.commit.clone(),
            author: r.about.author.clone(),
            reporter: r.about.reporter.clone(),
        });
        Self { message: mail::parse(raw.as_bytes()), report, about }
    }
}

fn raw(m: &StoredMessage, report: Option<&MessageId>) -> String {
    let line = |text: &str| text.replace(['\r', '\n'], " ");
    let mut raw = String::new();
    if let Some(id) = MessageId::clean(&m.key) {
        raw += &format!("Message-ID: {id}\n");
    }
    if let Some(Address { name, email }) = &m.from {
        let name = line(name).replace(['"', '\\'], "");
        raw += &format!("From: \"{name}\" <{}>\n", line(email));
    }
    // The prefix was taken off before it was stored; patches have none.
    let answer = if m.origin == Origin::Patch { "" } else { "Re: " };
    raw += &format!("Subject: {answer}{}\n", line(&m.subject));
    if let Some(report) = report {
        raw += &format!("In-Reply-To: {report}\n");
    }
    if let Some(sent) = m.sent {
        raw += &format!("Date: {}\n", date(sent));
    }
    raw += "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n";
    raw + &m.new_text + "\n"
}

fn date(at: Timestamp) -> String {
    at.strftime("%a, %d %b %Y %H:%M:%S +0000").to_string()
}

impl ThreadIndex for Remembered {
    fn report_of(&self, id: &MessageId) -> Option<MessageId> {
        self.report.clone().filter(|report| report == id)
    }

    fn report_of_token(&self, _: &str) -> Option<MessageId> {
        None
    }

    fn report_of_subject(&self, _: &str, _: &[String]) -> Option<MessageId> {
        None
    }

    fn about(&self, _: &MessageId) -> Option<About> {
        self.about.clone()
    }
}
