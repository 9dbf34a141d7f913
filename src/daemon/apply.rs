//! Effects become rows, all in the transaction of the event that they follow from.

use jiff::Timestamp;

use super::post::{Post, PostError};
use super::results;
use super::story::Story;
use crate::engine::{Draft, Effect, Letter};
use crate::mail::Address;
use crate::regression::{Entry, Happening, RegressionId};
use crate::store::{
    OutboxRow, OutboxState, Pending, RecipientRow, RecipientState, Review, StoreError, Tx,
};

/// Applies what was decided about `story`'s event.
pub(super) fn apply(
    tx: &mut Tx<'_>,
    effects: Vec<Effect>,
    story: &mut Story,
    post: &Post,
    now: Timestamp,
) -> Result<(), StoreError> {
    for effect in effects {
        match &effect {
            Effect::Append(id, entry) => {
                tx.append(id, entry)?;
                if let Happening::OptedOut { email, all: false } = &entry.what {
                    withdraw(tx, email, Some(id), now)?;
                }
                story.regression.get_or_insert_with(|| id.clone());
            }
            Effect::Join(id, message) => tx.join_thread(message.as_str(), id)?,
            Effect::Leave(id, message) => tx.leave_thread(message.as_str(), id)?,
            Effect::Send(draft) => send(tx, draft, story, post, now)?,
            Effect::Await { id, lab, finding } => {
                let finding = results::kept(finding).map_err(|e| StoreError::Row {
                    row: format!("pending {id}"),
                    what: e.to_string(),
                })?;
                tx.put_pending(&Pending { id: id.clone(), lab: lab.clone(), finding }, now)?;
            }
            Effect::Keep { id, lab, finding } => {
                let json = serde_json::to_string(&finding.notification).map_err(|e| {
                    StoreError::Row { row: format!("finding {id}"), what: e.to_string() }
                })?;
                tx.put_finding(id, lab, &json)?;
            }
            Effect::Release(id) => {
                let (from, to) = (OutboxState::Held, OutboxState::Queued);
                steer(tx, id, from, to, "released by command", now)?;
            }
            Effect::Reject(id) => {
                let (from, to) = (OutboxState::Held, OutboxState::Dropped);
                steer(tx, id, from, to, "rejected by command", now)?;
            }
            Effect::Unreject(id) => {
                for row in letters(tx, id, OutboxState::Dropped)? {
                    tx.hold_outbox(row, "unrejected: held again by command", now)?;
                }
            }
            Effect::OptOut { email } => {
                tx.put_opt_out(email, &story.key, now)?;
                withdraw(tx, email, None, now)?;
            }
            Effect::Settle { id } => tx.drop_pending(id)?,
            Effect::Review { why, label, words } => {
                let review = Review {
                    message: story.key.clone(),
                    regression: story.regression.as_ref().map(ToString::to_string),
                    label: label.clone(),
                    words: words.clone(),
                    why: why.clone(),
                };
                tx.put_review(&review, now)?;
            }
            Effect::Nothing(_) => {}
        }
        story.effects.push(effect);
    }
    Ok(())
}

/// Moves all letters about a regression that are in one state.
fn steer(
    tx: &mut Tx<'_>,
    id: &RegressionId,
    from: OutboxState,
    to: OutboxState,
    why: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    for row in letters(tx, id, from)? {
        tx.set_outbox(row, to, None, Some(why), now)?;
    }
    Ok(())
}

/// Takes an address off the letters that have not gone out yet; a letter to nobody is dropped.
fn withdraw(
    tx: &mut Tx<'_>,
    email: &str,
    about: Option<&RegressionId>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let answer = "opted out before it was sent";
    for state in [OutboxState::Held, OutboxState::Queued, OutboxState::Deferred] {
        for row in tx.outbox(Some(state))? {
            if about.is_some_and(|id| row.regression.as_deref() != Some(id.as_str())) {
                continue;
            }
            let is = |r: &&RecipientRow| {
                Address { name: String::new(), email: r.address.clone() }.canonical() == email
            };
            for r in row.recipients.iter().filter(is) {
                tx.set_recipient(row.id, &r.address, RecipientState::Refused, answer)?;
            }
            let left =
                row.recipients.iter().filter(|r| !is(r) && r.state != RecipientState::Refused);
            if row.recipients.iter().any(|r| is(&r)) && left.count() == 0 {
                let why = format!("{email} {answer}");
                tx.set_outbox(row.id, OutboxState::Dropped, None, Some(&why), now)?;
            }
        }
    }
    Ok(())
}

/// The letters about a regression that are in one state, by number.
pub(super) fn letters(
    tx: &Tx<'_>,
    id: &RegressionId,
    state: OutboxState,
) -> Result<Vec<i64>, StoreError> {
    let about = |row: &OutboxRow| row.regression.as_deref() == Some(id.as_str());
    Ok(tx.outbox(Some(state))?.iter().filter(|row| about(row)).map(|row| row.id).collect())
}

fn send(
    tx: &mut Tx<'_>,
    draft: &Draft,
    story: &mut Story,
    post: &Post,
    now: Timestamp,
) -> Result<(), StoreError> {
    let unwilling = unwilling(tx, draft)?;
    let (row, id) = match post.write(draft, &unwilling, |m| subject_of(tx, m), now) {
        Ok(written) => written,
        Err(PostError::Unwanted(who)) => {
            story
                .defects
                .push(format!("letter {} was not written: {who} wants no mail", draft.key));
            return Ok(());
        }
        Err(PostError::Store(e)) => return Err(e),
        // A letter that cannot be written must not take the event down with it: the operator sees why.
        Err(PostError::Letter(why)) => {
            story.defects.push(format!("letter {} could not be written: {why}", draft.key));
            tracing::error!(key = draft.key, "letter could not be written: {why}");
            return Ok(());
        }
    };
    let Some(number) = tx.put_outbox(&row)? else {
        story
            .defects
            .push(format!("letter {} was written before; nothing is sent twice", draft.key));
        return Ok(());
    };
    story.written.push(number);
    if let Some(regression) = &draft.regression
        && tx.regression(regression)?.is_some()
    {
        tx.join_thread(id.as_str(), regression)?;
        if let Some(cause) = story.effects.iter().rev().find_map(|e| match e {
            Effect::Append(of, entry) if of == regression => Some(entry.cause.clone()),
            _ => None,
        }) {
            let what = Happening::Wrote { key: draft.key.clone() };
            tx.append(regression, &Entry { at: now, cause, what })?;
        }
    }
    Ok(())
}

/// Who wants no mail: about anything, or about what the letter is about.
fn unwilling(tx: &Tx<'_>, draft: &Draft) -> Result<Vec<String>, StoreError> {
    let mut unwilling = tx.opt_outs()?;
    // Who asks something about a thread gets an answer, whatever he said about its news.
    let news = !matches!(draft.letter, Letter::Answer(_));
    if let Some(id) = draft.regression.as_ref().filter(|_| news)
        && let Some(regression) = tx.regression(id)?
    {
        unwilling.extend(regression.opted_out);
    }
    Ok(unwilling)
}

/// The subject of a mail that we saw or wrote.
fn subject_of(tx: &Tx<'_>, message_id: &str) -> Result<Option<String>, StoreError> {
    if let Some(row) = tx.outbox_by_message_id(message_id)? {
        return Ok(Some(row.subject));
    }
    Ok(tx.message(message_id)?.map(|m| m.subject))
}
