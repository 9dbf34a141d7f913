//! Effects become rows, all in the transaction of the event that they follow from.

use jiff::Timestamp;

use super::post::{Post, PostError};
use super::results;
use super::story::Story;
use crate::engine::{Draft, Effect};
use crate::regression::{Entry, Happening};
use crate::store::{OutboxState, Pending, Review, StoreError, Tx};

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
                story.regression.get_or_insert_with(|| id.clone());
            }
            Effect::Join(id, message) => tx.join_thread(message.as_str(), id)?,
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
                for row in tx.outbox(Some(OutboxState::Held))? {
                    if row.regression.as_deref() == Some(id.as_str()) {
                        tx.set_outbox(
                            row.id,
                            OutboxState::Queued,
                            None,
                            Some("released by command"),
                            now,
                        )?;
                    }
                }
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

fn send(
    tx: &mut Tx<'_>,
    draft: &Draft,
    story: &mut Story,
    post: &Post,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (row, id) = match post.write(draft, |m| subject_of(tx, m), now) {
        Ok(written) => written,
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

/// The subject of a mail that we saw or wrote.
fn subject_of(tx: &Tx<'_>, message_id: &str) -> Result<Option<String>, StoreError> {
    if let Some(row) = tx.outbox_by_message_id(message_id)? {
        return Ok(Some(row.subject));
    }
    Ok(tx.message(message_id)?.map(|m| m.subject))
}
