//! A person's mail: which regression it belongs to, what it says, what follows.

use super::apply::{apply, letters};
use super::desk::Clerk;
use super::gather;
use super::index::StoreIndex;
use super::story::{Story, Understood};
use crate::engine::{self, Effect, Event, MailRef, SeenMail};
use crate::intake;
use crate::mail::{Message, MessageId};
use crate::regression::command::{Command, Commands, Target};
use crate::regression::thread::{Via, named_ids};
use crate::regression::{Happening, Regression};
use crate::store::{OutboxState, StoreError, Tx};

/// Works through a reply, a patch, or whatever else may belong to a thread. `raw` is kept when its report has not come yet.
pub(super) fn take(
    clerk: &Clerk<'_>,
    tx: &mut Tx<'_>,
    raw: &[u8],
    message: &Message,
    story: &mut Story,
) -> Result<(), StoreError> {
    let mind = clerk.mind;
    let index = StoreIndex::new(tx, &mind.policy);
    let understood = intake::understand(message, &mind.rules, &mind.identity, &index, false);
    index.end()?;
    story.origin = Some(understood.origin);
    story.defects.clone_from(&understood.defects);
    let regression = match &understood.report {
        // Where a command names another report, the mail does not belong to that one.
        Some((report, Via::Words)) if understood.commands.name(report) => None,
        Some((report, _)) => of_thread(tx, report)?,
        None => None,
    };
    story.regression = regression.as_ref().map(|r| r.id().clone());
    if understood.origin.is_machine() {
        return Ok(());
    }
    let untracked = regression.is_none();
    if untracked && understood.commands.is_empty() {
        return wait(clerk, tx, raw, message);
    }
    let from = message.from.as_ref();
    let known = from.map_or(crate::regression::Role::Other, |a| {
        engine::role(a, regression.as_ref(), &mind.policy)
    });
    let role = known.max(understood.role);
    if regression.is_some() {
        story.understood.push(Understood::Reply(understood.reading.clone()));
    }
    let mut snapshot = gather::for_thread(tx, regression, clerk.now)?;
    snapshot.pointers = pointers(tx, &understood.commands)?;
    snapshot.answered_today = gather::answered(tx, message, clerk.now)?;
    snapshot.opened_by = gather::opened_by(clerk, tx, snapshot.regression.as_ref())?;
    let mail = clerk.reference(message);
    if untracked {
        snapshot.seen = seen(tx, &mail, &understood.commands)?;
    }
    if let Some(regression) = &snapshot.regression {
        snapshot.held = letters(tx, regression.id(), OutboxState::Held)?.len();
        snapshot.dropped = letters(tx, regression.id(), OutboxState::Dropped)?.len();
    }
    let event = Event::Reply {
        mail,
        role,
        reading: understood.reading,
        commands: understood.commands,
        tags: understood.trailers,
        settled_by: None,
    };
    let effects = engine::decide(&event, &snapshot, &mind.policy, clerk.now);
    apply(tx, effects, story, clerk.post, clerk.now)?;
    let opened = story.effects.iter().find_map(|effect| match effect {
        Effect::Append(_, entry) => match &entry.what {
            Happening::Opened(about) => about.report.as_deref().and_then(MessageId::clean),
            _ => None,
        },
        _ => None,
    });
    match opened {
        // What was said in the thread before somebody had it tracked.
        Some(report) => clerk.adopt(tx, &report),
        None if untracked && story.regression.is_none() => wait(clerk, tx, raw, message),
        None => Ok(()),
    }
}

/// Keeps a mail until its report comes, or is pointed at.
fn wait(
    clerk: &Clerk<'_>,
    tx: &mut Tx<'_>,
    raw: &[u8],
    message: &Message,
) -> Result<(), StoreError> {
    let waits_for = message.references.iter().chain(&message.in_reply_to);
    tx.put_orphan(&message.key, waits_for, raw, clerk.now)
}

/// Mails that may be pointed at as reports: the thread's first and last one, and those that commands name.
fn seen(tx: &Tx<'_>, mail: &MailRef, commands: &Commands) -> Result<Vec<SeenMail>, StoreError> {
    let mut ids: Vec<MessageId> = Vec::new();
    ids.extend(mail.references.first().cloned());
    ids.extend(mail.references.last().cloned());
    for given in &commands.given {
        if let Command::Introduced { target: Target::Url(url), .. } = &given.command {
            ids.extend(named_ids(url).into_iter().take(1));
        }
    }
    let mut seen = Vec::new();
    for id in ids {
        if let Some(m) = tx.message(id.as_str())? {
            seen.push(SeenMail { id, from: m.from, subject: m.subject });
        }
    }
    Ok(seen)
}

fn of_thread(tx: &Tx<'_>, report: &MessageId) -> Result<Option<Regression>, StoreError> {
    match tx.regression_of(report.as_str())? {
        Some(id) => tx.regression(&id),
        None => Ok(None),
    }
}

/// What the commands point at, looked up: each pointer as the engine will ask for it.
fn pointers(tx: &Tx<'_>, commands: &Commands) -> Result<Vec<(String, Regression)>, StoreError> {
    let mut found: Vec<(String, Regression)> = Vec::new();
    for given in &commands.given {
        let text = match &given.command {
            Command::DupOf(reference) => engine::command::text_of(reference),
            Command::Use(Target::Url(url))
            | Command::Introduced { target: Target::Url(url), .. } => url.clone(),
            _ => continue,
        };
        if let Some(regression) = lookup(tx, &text)? {
            // The chain of duplicates, so that a circle is seen.
            let mut next = regression.duplicate_of.clone();
            found.push((text, regression));
            while let Some(id) = next.filter(|_| found.len() < 100) {
                let Some(further) = tx.regression(&id)? else { break };
                next = further.duplicate_of.clone();
                found.push((id.to_string(), further));
            }
        }
    }
    Ok(found)
}

/// A regression by anything that people point with: our id, a URL or Message-ID of its thread, a commit, its title.
pub(crate) fn lookup(tx: &Tx<'_>, pointer: &str) -> Result<Option<Regression>, StoreError> {
    let pointer = pointer.trim();
    if let Some(id) = crate::regression::RegressionId::parse(pointer)
        && let Some(regression) = tx.regression(&id)?
    {
        return Ok(Some(regression));
    }
    for id in crate::regression::thread::named_ids(pointer) {
        if let Some(found) = tx.regression_of(id.as_str())? {
            return tx.regression(&found);
        }
    }
    if pointer.len() >= 8 && pointer.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Ok(tx.regressions_of_commit(pointer)?.into_iter().next());
    }
    let lower = pointer.to_lowercase();
    Ok(tx.regressions(true)?.into_iter().find(|r| r.about.title.to_lowercase() == lower))
}
