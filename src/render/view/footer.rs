//! The foot of every mail.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::clean::Cleaner;
use super::super::frame::Frame;
use crate::report::Recipient;

/// Who writes, why, and how to make it stop.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FooterView {
    /// The bot's name, or its address where it has none.
    pub bot: String,
    /// The bot's mailbox, with the regression's id as its tag: answers to it find their thread.
    pub address: String,
    /// Id of the regression.
    pub regression: Option<String>,
    /// The page that tells how to read and answer the mail.
    pub help: Option<String>,
    /// Where to write to get no more mail.
    pub opt_out: Option<String>,
    /// Why each recipient is on the mail, by role.
    pub why: Vec<WhyView>,
    /// The slug of the decision that made the mail.
    pub reason: String,
}

/// One role and who has it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct WhyView {
    /// `author`, `reviewed-by`, `list`, `maintainer`, ...
    pub role: String,
    /// Names (people) or addresses (lists, and people without a name), parted by `, `.
    pub who: String,
}

impl FooterView {
    pub(in crate::render) fn new(frame: &Frame, clean: Cleaner) -> Self {
        let reason = frame.reason.split(':').next().unwrap_or_default();
        Self {
            bot: clean.brief_text(if frame.bot.name.is_empty() {
                &frame.bot.email
            } else {
                &frame.bot.name
            }),
            address: clean.text(&frame.bot.email),
            regression: frame.regression.as_ref().map(ToString::to_string),
            help: frame.help.clone(),
            opt_out: frame.opt_out.clone(),
            why: why(&frame.recipients, clean),
            reason: clean.brief_text(reason),
        }
    }
}

/// Roles in the order of their first bearer.
fn why(recipients: &[Recipient], clean: Cleaner) -> Vec<WhyView> {
    let mut roles: Vec<WhyView> = Vec::new();
    for recipient in recipients {
        let role = clean.brief_text(&recipient.why);
        let name = if recipient.address.name.is_empty() || role.starts_with("list") {
            &recipient.address.email
        } else {
            &recipient.address.name
        };
        let who = clean.brief_text(name);
        match roles.iter_mut().find(|r| r.role == role) {
            Some(known) => known.who += &format!(", {who}"),
            None => roles.push(WhyView { role, who }),
        }
    }
    roles
}
