//! A draft becomes a mail: worded by a template, addressed, and put into the outbox in the state that the mode wants.

use jiff::Timestamp;

use crate::config::Mode;
use crate::engine::{Draft, Letter, Policy, Recipient};
use crate::mail::{Address, MessageId};
use crate::render::{Frame, Letterhead, Rendered, Renderer};
use crate::smtp::{self, Auto, Outgoing};
use crate::store::{OutboxRow, OutboxState, RecipientRow, RecipientState, StoreError};

/// Writes letters.
#[derive(Debug)]
pub struct Post {
    /// Standing orders.
    pub policy: Policy,
    /// What happens to a written mail.
    pub mode: Mode,
    /// The words.
    pub renderer: Renderer,
    /// Who we are, on paper.
    pub letterhead: Letterhead,
}

/// Why a letter could not be written.
#[derive(Debug)]
pub enum PostError {
    /// The store failed while looking something up.
    Store(StoreError),
    /// The template or the envelope failed.
    Letter(String),
    /// It answers somebody who wants no mail.
    Unwanted(String),
}

impl From<StoreError> for PostError {
    fn from(e: StoreError) -> Self {
        PostError::Store(e)
    }
}

impl Post {
    /// The row of the outbox for a draft, and its Message-ID. `unwilling` (canonical addresses) get nothing; `subject_of` finds
    /// the subject of a mail by its id.
    ///
    /// # Errors
    /// See [`PostError`].
    pub fn write(
        &self,
        draft: &Draft,
        unwilling: &[String],
        subject_of: impl Fn(&str) -> Result<Option<String>, StoreError>,
        now: Timestamp,
    ) -> Result<(OutboxRow, MessageId), PostError> {
        let id = MessageId::for_key(&draft.key, self.policy.domain());
        let mut draft = draft.clone();
        if draft.answers_subject.is_none()
            && let Some(answered) = &draft.in_reply_to
        {
            draft.answers_subject = subject_of(answered.as_str())?;
        }
        let left_out = self.keep_willing(&mut draft, unwilling);
        let nobody = draft.to.is_empty() && draft.cc.is_empty();
        if nobody && !left_out.is_empty() && matches!(draft.letter, Letter::Answer(_)) {
            return Err(PostError::Unwanted(left_out));
        }
        let (state, hold) = match (nobody, left_out.is_empty()) {
            (true, false) => {
                let hold = format!("opted-out: nobody is left, no mail is wanted by {left_out}");
                (OutboxState::Held, Some(hold))
            }
            _ => {
                let dropped = self.keep_allowed(&mut draft);
                self.fate(&draft, dropped)
            }
        };
        if draft.to.is_empty() && draft.cc.is_empty() {
            draft.to.push(self.operator());
        }
        let frame = Frame::new(&self.letterhead, &draft, Some(id.clone()));
        let rendered = self
            .renderer
            .letter(&draft.letter, &frame)
            .map_err(|e| PostError::Letter(e.to_string()))?;
        let subject = rendered.subject.clone();
        let composed = smtp::compose(&self.outgoing(&draft, &id, &frame, rendered, now))
            .map_err(|e| PostError::Letter(e.to_string()))?;
        let why = |address: &str| {
            let people = draft.to.iter().chain(&draft.cc);
            people
                .clone()
                .find(|r| r.address.email.eq_ignore_ascii_case(address))
                .map_or("", |r| &r.why)
                .to_owned()
        };
        let recipients = composed.rcpts.iter().map(|address| RecipientRow {
            address: address.clone(),
            why: why(address),
            state: RecipientState::Pending,
            answer: None,
        });
        let row = OutboxRow {
            id: 0,
            key: draft.key.clone(),
            message_id: id.as_str().to_owned(),
            regression: draft.regression.as_ref().map(ToString::to_string),
            reason: draft.reason.clone(),
            subject,
            sender: composed.envelope_from.clone(),
            recipients: recipients.collect(),
            raw: composed.raw,
            state,
            hold,
            created: now,
            next_try: None,
            attempts: 0,
            last: (!left_out.is_empty()).then(|| format!("left out, no mail wanted: {left_out}")),
        };
        Ok((row, id))
    }

    fn outgoing(
        &self,
        draft: &Draft,
        id: &MessageId,
        frame: &Frame,
        rendered: Rendered,
        now: Timestamp,
    ) -> Outgoing {
        let addresses = |list: &[Recipient]| list.iter().map(|r| r.address.clone()).collect();
        let why: Vec<String> =
            frame.recipients.iter().map(|r| format!("{} ({})", r.address.email, r.why)).collect();
        let mut headers = vec![
            ("X-Regard-Reason".to_owned(), draft.reason.clone()),
            ("X-Regard-Recipients".to_owned(), why.join(", ")),
        ];
        if let Some(regression) = &draft.regression {
            headers.push(("X-Regard-Regression".to_owned(), regression.to_string()));
        }
        let answers = matches!(draft.letter, Letter::Answer(_));
        Outgoing {
            message_id: id.clone(),
            date: now,
            from: self.policy.bot.clone(),
            // Replies to the tagged address find their regression even when every References header is lost.
            reply_to: draft.regression.iter().map(|_| frame.bot.clone()).collect(),
            to: addresses(&draft.to),
            cc: addresses(&draft.cc),
            subject: rendered.subject,
            in_reply_to: draft.in_reply_to.clone(),
            references: draft.references.clone(),
            auto: if answers { Auto::Replied } else { Auto::Generated },
            headers,
            text: rendered.text,
            attachments: Vec::new(),
        }
    }

    /// The last door: takes out who wants no mail, whatever the letter and whoever put them there; their addresses.
    fn keep_willing(&self, draft: &mut Draft, unwilling: &[String]) -> String {
        let wants = |r: &Recipient| {
            let email = r.address.canonical();
            !unwilling.contains(&email) && !self.policy.reach.is_opted_out(&email)
        };
        let mut left_out = Vec::new();
        for list in [&mut draft.to, &mut draft.cc] {
            list.retain(|r| {
                let wants = wants(r);
                if !wants {
                    left_out.push(r.address.email.clone());
                }
                wants
            });
        }
        left_out.join(", ")
    }

    /// Takes out who is not on the allow-list; how many that were.
    fn keep_allowed(&self, draft: &mut Draft) -> usize {
        if self.policy.allowed.is_empty() {
            return 0;
        }
        let before = draft.to.len() + draft.cc.len();
        draft.to.retain(|r| self.policy.allowed.contains(&r.address));
        draft.cc.retain(|r| self.policy.allowed.contains(&r.address));
        before - draft.to.len() - draft.cc.len()
    }

    /// Whom a mail without recipients is addressed to: it is held, and the operator decides.
    fn operator(&self) -> Recipient {
        let first = self
            .policy
            .operators
            .addresses()
            .next()
            .map(|email| Address { name: String::new(), email: email.to_owned() });
        Recipient {
            address: first.unwrap_or_else(|| self.policy.bot.clone()),
            why: "operator".to_owned(),
        }
    }

    /// The gate's hold comes first, then the mode's.
    fn fate(&self, draft: &Draft, dropped: usize) -> (OutboxState, Option<String>) {
        if let Some(hold) = &draft.hold {
            return (OutboxState::Held, Some(hold.clone()));
        }
        if draft.to.is_empty() && draft.cc.is_empty() {
            let why = if dropped > 0 {
                "no-allowed-recipient: all are outside allow_recipients"
            } else {
                "no-recipient"
            };
            return (OutboxState::Held, Some(why.to_owned()));
        }
        match self.mode {
            Mode::DryRun => (OutboxState::Held, Some("dry-run".to_owned())),
            Mode::Moderated => (OutboxState::Held, Some("moderation".to_owned())),
            Mode::Live => (OutboxState::Queued, None),
        }
    }
}
