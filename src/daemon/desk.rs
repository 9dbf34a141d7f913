//! The desk: takes a mail, understands it, decides, and keeps all of it in one transaction.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::{SignedDuration, Timestamp};

use super::apply::apply;
use super::mind::Mind;
use super::post::Post;
use super::story::{Story, Understood};
use super::{gather, reply, results};
use crate::engine::{self, Event, MailRef};
use crate::intake;
use crate::mail::{self, Message, MessageId, Origin};
use crate::regression::{Regression, RegressionId};
use crate::report;
use crate::store::{
    OutboxRow, OutboxState, Quarantined, RecipientState, Store, StoreError, StoredMessage, Tx,
};

/// How long a reply waits for its report.
const ORPHANED: SignedDuration = SignedDuration::from_hours(24 * 30);

/// Everything that is needed to work through mail.
#[derive(Debug)]
pub struct Desk {
    /// Where it is kept.
    pub store: Store,
    /// What is known beforehand.
    pub mind: Mind,
    /// How letters are written.
    pub post: Post,
}

/// A mail as it came in.
#[derive(Debug, Clone)]
pub struct Incoming {
    /// The bytes.
    pub raw: Vec<u8>,
    /// When the server got it.
    pub received: Option<Timestamp>,
    /// Mailbox, UIDVALIDITY and UID.
    pub place: Option<(String, u32, u32)>,
    /// Only the first part of a mail that is too large.
    pub cut: bool,
}

/// Why one mail could not be worked through.
enum Trouble {
    Store(StoreError),
    Panic(String),
}

impl From<StoreError> for Trouble {
    fn from(e: StoreError) -> Self {
        Trouble::Store(e)
    }
}

impl Desk {
    /// Works through mails and moves the mailbox's cursor, all in one transaction. A mail that breaks processing goes
    /// to quarantine and the others go on.
    ///
    /// # Errors
    /// Of the store: then nothing of it happened, and the same call can be made again.
    pub fn receive(
        &mut self,
        mails: &[Incoming],
        cursor: Option<(&str, u32, u32)>,
        now: Timestamp,
    ) -> Result<Vec<Story>, StoreError> {
        let Self { store, mind, post } = self;
        let clerk = Clerk { mind, post, now };
        store.transaction(|tx| {
            let stories = mails.iter().map(|mail| clerk.one(tx, mail)).collect::<Result<_, _>>()?;
            if let Some((mailbox, uid_validity, uid)) = cursor {
                tx.set_cursor(mailbox, uid_validity, uid, now)?;
            }
            Ok(stories)
        })
    }

    /// Lets time do its work on every regression that is not closed.
    ///
    /// # Errors
    /// Of the store.
    pub fn tick(&mut self, now: Timestamp) -> Result<Vec<Story>, StoreError> {
        let Self { store, mind, post } = self;
        store.transaction(|tx| {
            let mut stories = Vec::new();
            let forgotten = tx.drop_orphans_before(now - ORPHANED)?;
            if forgotten > 0 {
                tracing::info!("forgot {forgotten} references of mails whose report never came");
            }
            for regression in tx.regressions(false)? {
                let mut story = Story::new("");
                story.regression = Some(regression.id().clone());
                let snapshot = gather::for_thread(tx, Some(regression), now)?;
                let effects = engine::decide(&Event::Tick, &snapshot, &mind.policy, now);
                if !effects.is_empty() {
                    apply(tx, effects, &mut story, post, now)?;
                    stories.push(story);
                }
            }
            Ok(stories)
        })
    }
}

/// Works on one transaction's mails.
pub(super) struct Clerk<'a> {
    pub(super) mind: &'a Mind,
    pub(super) post: &'a Post,
    pub(super) now: Timestamp,
}

impl Clerk<'_> {
    /// One mail. Its own trouble is its own: only the store's passing troubles stop the batch.
    fn one(&self, tx: &mut Tx<'_>, mail: &Incoming) -> Result<Story, StoreError> {
        let taken = tx.part(|tx| match catch_unwind(AssertUnwindSafe(|| self.take(tx, mail))) {
            Ok(outcome) => outcome.map_err(Trouble::Store),
            Err(panic) => Err(Trouble::Panic(words_of(&*panic))),
        });
        let why = match taken {
            Ok(story) => return Ok(story),
            Err(Trouble::Store(e)) if !matches!(e, StoreError::Row { .. }) => return Err(e),
            Err(Trouble::Store(e)) => e.to_string(),
            Err(Trouble::Panic(words)) => format!("processing panicked: {words}"),
        };
        tracing::error!(place = ?mail.place, "mail put into quarantine: {why}");
        self.quarantine(tx, mail, None, &why)?;
        let mut story = Story::new("");
        story.understood.push(Understood::Quarantined { why });
        Ok(story)
    }

    pub(super) fn quarantine(
        &self,
        tx: &mut Tx<'_>,
        mail: &Incoming,
        key: Option<&str>,
        why: &str,
    ) -> Result<(), StoreError> {
        let aside = Quarantined {
            mailbox: mail.place.as_ref().map(|p| p.0.clone()),
            uid: mail.place.as_ref().map(|p| (p.1, p.2)),
            key: key.map(str::to_owned),
            why: why.to_owned(),
            raw: Some(mail.raw.clone()),
        };
        tx.put_in_quarantine(&aside, self.now)
    }

    fn take(&self, tx: &mut Tx<'_>, incoming: &Incoming) -> Result<Story, StoreError> {
        let message = mail::parse(&incoming.raw);
        let mut story = Story::new(&message.key);
        story.from.clone_from(&message.from);
        story.subject.clone_from(&message.subject);
        story.defects.clone_from(&message.defects);
        if tx.knows_message(&message.key)? {
            story.understood.push(Understood::Known);
            return Ok(story);
        }
        let origin = match tx.outbox_by_message_id(&message.key)? {
            // Lists munge the From of what they forward: the id tells.
            Some(_) => Origin::Own,
            None => mail::origin(&message, &self.mind.identity),
        };
        story.origin = Some(origin);
        match origin {
            Origin::Own => self.echo(tx, &message, &mut story)?,
            Origin::Bounce => self.bounce(tx, &message, &mut story)?,
            Origin::Notification => results::take(self, tx, incoming, &message, &mut story)?,
            Origin::Report => self.report(tx, &incoming.raw, &message, &mut story)?,
            Origin::Reply | Origin::Patch | Origin::AutoReply | Origin::Other => {
                reply::take(self, tx, &incoming.raw, &message, &mut story)?;
            }
            Origin::Moderation => {}
        }
        tx.put_message(&self.stored(incoming, &message, &story))?;
        Ok(story)
    }

    /// Our own mail came back over a list: now we know that it went out. Its commands are disarmed by its origin.
    fn echo(
        &self,
        tx: &mut Tx<'_>,
        message: &Message,
        story: &mut Story,
    ) -> Result<(), StoreError> {
        if let Some(row) = tx.outbox_by_message_id(&message.key)? {
            self.confirm(tx, &row)?;
            story.understood.push(Understood::Echo { outbox: row.id });
        }
        story.regression = self.thread(tx, message)?.map(|r| r.id().clone());
        Ok(())
    }

    /// The relay took the mail: whoever it never answered about has it. Who was told to wait still waits.
    fn confirm(&self, tx: &mut Tx<'_>, row: &OutboxRow) -> Result<(), StoreError> {
        use OutboxState::{Deferred, Queued, Sending, Sent};
        if !matches!(row.state, Deferred | Queued | Sending | Sent) {
            return Ok(());
        }
        let echo = "came back over a list";
        for r in row.recipients.iter().filter(|r| r.state == RecipientState::Pending) {
            tx.set_recipient(row.id, &r.address, RecipientState::Accepted, echo)?;
        }
        if row.recipients.iter().all(|r| r.state != RecipientState::Deferred) {
            tx.set_outbox(row.id, OutboxState::Confirmed, None, Some(echo), self.now)?;
        }
        Ok(())
    }

    fn bounce(
        &self,
        tx: &mut Tx<'_>,
        message: &Message,
        story: &mut Story,
    ) -> Result<(), StoreError> {
        let bounce = mail::dsn(message);
        let failed: Vec<(String, String)> = bounce
            .recipients
            .iter()
            .filter(|r| r.is_permanent())
            .map(|r| {
                (r.recipient.clone(), format!("{} {}", r.status, r.diagnostic).trim().to_owned())
            })
            .collect();
        if let Some(row) = bounce
            .original
            .as_ref()
            .map(|id| tx.outbox_by_message_id(id.as_str()))
            .transpose()?
            .flatten()
        {
            for (address, why) in &failed {
                tx.set_recipient(row.id, address, RecipientState::Refused, why)?;
            }
        }
        story.understood.push(Understood::Bounce { recipients: failed });
        Ok(())
    }

    fn report(
        &self,
        tx: &mut Tx<'_>,
        raw: &[u8],
        message: &Message,
        story: &mut Story,
    ) -> Result<(), StoreError> {
        let found = report::read_mail(&message.subject, &message.body).reports;
        let report = found.into_iter().find(|r| !r.quoted);
        let about = intake::about(message, &self.mind.identity);
        let (Some(report), Some(about)) = (report, about) else {
            return reply::take(self, tx, raw, message, story);
        };
        story.understood.push(Understood::Report { title: message.subject.clone() });
        let snapshot = gather::for_report(tx, &report, self.now)?;
        let event =
            Event::Reported { mail: self.reference(message), report: Box::new(report), about };
        let effects = engine::decide(&event, &snapshot, &self.mind.policy, self.now);
        apply(tx, effects, story, self.post, self.now)?;
        message.id.as_ref().map_or(Ok(()), |id| self.adopt(tx, id))
    }

    /// Replies that came before their report are worked through now.
    pub(super) fn adopt(&self, tx: &mut Tx<'_>, id: &MessageId) -> Result<(), StoreError> {
        for (key, raw) in tx.take_orphans(id.as_str())? {
            let message = mail::parse(&raw);
            let mut story = Story::new(&key);
            reply::take(self, tx, &raw, &message, &mut story)?;
            if story.regression.is_some() {
                let place = Incoming { raw, received: None, place: None, cut: false };
                tx.adopt_message(&self.stored(&place, &message, &story))?;
            }
        }
        Ok(())
    }

    /// The regression in whose thread a mail stands: by In-Reply-To and References, or by the tag in our address.
    fn thread(&self, tx: &Tx<'_>, message: &Message) -> Result<Option<Regression>, StoreError> {
        let near = message.in_reply_to.iter().chain(message.references.iter().rev());
        for id in message.id.iter().chain(near) {
            if let Some(found) = tx.regression_of(id.as_str())? {
                return tx.regression(&found);
            }
        }
        let bot = self.mind.policy.bot.canonical();
        let tagged = message.to.iter().chain(&message.cc).filter(|a| a.canonical() == bot);
        for id in tagged.filter_map(|a| a.tag()).filter_map(RegressionId::parse) {
            if let Some(found) = tx.regression(&id)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// What the engine needs to know of the mail itself.
    pub(super) fn reference(&self, message: &Message) -> MailRef {
        let bot = self.mind.policy.bot.canonical();
        let mut references: Vec<MessageId> = message.references.clone();
        for id in message.in_reply_to.iter().take(1) {
            if !references.contains(id) {
                references.push(id.clone());
            }
        }
        MailRef {
            key: message.key.clone(),
            part: String::new(),
            id: message.id.clone(),
            from: message.from.clone(),
            subject: message.subject.clone(),
            references,
            addressed: message.to.iter().chain(&message.cc).any(|a| a.canonical() == bot),
            no_answer: mail::may_answer(message, &self.mind.identity).err().map(str::to_owned),
            unproven: self.unproven(message),
        }
    }

    /// Why nothing proves that a mail is by whom it says; `None` when something does, or nobody asks.
    fn unproven(&self, message: &Message) -> Option<String> {
        let asked = self.mind.policy.authentication.as_ref()?;
        let Some(results) = mail::auth(message, &asked.authserv_id) else {
            return Some(format!("it has no Authentication-Results of {}", asked.authserv_id));
        };
        let email = message.from.as_ref().map_or("", |from| from.email.as_str());
        let domain = email.rsplit_once('@').map_or("", |(_, domain)| domain);
        (!results.proves(email)).then(|| format!("neither DMARC nor DKIM passed for {domain}"))
    }

    pub(super) fn stored(
        &self,
        incoming: &Incoming,
        message: &Message,
        story: &Story,
    ) -> StoredMessage {
        let reading = story.understood.iter().find_map(|u| match u {
            Understood::Reply(reading) => Some(reading),
            _ => None,
        });
        let primary = reading.and_then(|r| r.primary());
        let labels =
            |r: &crate::triage::Reading| r.findings.iter().map(|f| f.label.to_string()).collect();
        StoredMessage {
            key: message.key.clone(),
            place: incoming.place.clone(),
            received: incoming.received.unwrap_or(self.now),
            sent: message.date,
            origin: story.origin.unwrap_or(Origin::Other),
            from: message.from.clone(),
            subject: mail::bare_subject(&message.subject).to_owned(),
            recipients: message
                .to
                .iter()
                .chain(&message.cc)
                .map(mail::Address::canonical)
                .collect(),
            new_text: message.new_text(),
            regression: story.regression.clone(),
            labels: reading.map_or_else(Vec::new, labels),
            evidence: primary.map(|f| f.evidence.text.clone()),
            rule: primary.map(|f| f.rule.clone()),
            defects: story.defects.clone(),
        }
    }
}

/// The text of a panic.
pub(super) fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without words").to_owned()
}
