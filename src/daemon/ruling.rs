//! The operator says what a mail means: it takes effect as if a rule had found it, by the same way through the engine.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::apply::apply;
use super::desk::Desk;
use super::gather;
use super::story::Story;
use crate::engine::{self, Event, MailRef};
use crate::mail::MessageId;
use crate::regression::command::Commands;
use crate::regression::{Cause, Entry, Happening, RegressionId, Role};
use crate::store::{Review, StoreError, Tx};
use crate::triage::{Evidence, Finding, Label, Reading};

/// What the operator said of one mail; kept as JSON beside the mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruling {
    /// What it means.
    pub label: Label,
    /// The words that say so; may be empty.
    #[serde(default)]
    pub span: String,
    /// What the words point at, where they do: a commit, a subject, a Message-ID, a URL.
    #[serde(default)]
    pub points_at: Option<String>,
    /// Who said so.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// Whether triage had guessed it.
    pub accepted: bool,
    /// The verdict that it was read as before, and the rule, where a rule had decided.
    #[serde(default)]
    pub was: Option<(String, String)>,
}

impl Desk {
    /// Lets a ruling about a stored mail take effect: what the mail's words moved before is taken back, and the new verdict goes
    /// through the engine with the mail's own author in the role that he has. `None` when no such mail is stored.
    ///
    /// # Errors
    /// Of the store: then nothing of it happened.
    pub fn rule(&mut self, key: &str, ruling: &Ruling) -> Result<Option<Story>, StoreError> {
        let Self { store, mind, post } = self;
        let now = ruling.at;
        store.transaction(|tx| {
            let Some(mut mail) = tx.message(key)? else { return Ok(None) };
            let mut story = Story::new(key);
            story.from.clone_from(&mail.from);
            story.subject.clone_from(&mail.subject);
            story.regression.clone_from(&mail.regression);
            if let Some(id) = &mail.regression {
                take_back(tx, id, key, ruling)?;
            }
            let regression = match &mail.regression {
                Some(id) => tx.regression(id)?,
                None => None,
            };
            let role = mail
                .from
                .as_ref()
                .map_or(Role::Other, |from| engine::role(from, regression.as_ref(), &mind.policy));
            let event = Event::Reply {
                mail: MailRef {
                    key: key.to_owned(),
                    id: MessageId::clean(key),
                    from: mail.from.clone(),
                    subject: mail.subject.clone(),
                    no_answer: Some("settled-by-the-operator".to_owned()),
                    ..MailRef::default()
                },
                role,
                reading: reading(ruling, mind.rules.effect_of(ruling.label)),
                commands: Commands::default(),
                tags: Vec::new(),
                settled_by: Some(ruling.by.clone()),
            };
            let snapshot = gather::for_thread(tx, regression, now)?;
            let effects = engine::decide(&event, &snapshot, &mind.policy, now);
            apply(tx, effects, &mut story, post, now)?;
            mail.labels = vec![ruling.label.to_string()];
            mail.rule = Some("review".to_owned());
            mail.evidence = Some(ruling.span.clone()).filter(|span| !span.is_empty());
            tx.adopt_message(&mail)?;
            settle(tx, &mail.regression, key, ruling)?;
            Ok(Some(story))
        })
    }
}

fn reading(
    ruling: &Ruling,
    effect: Option<(Option<crate::regression::State>, crate::regression::State)>,
) -> Reading {
    let finding = Finding {
        label: ruling.label,
        rule: "review".to_owned(),
        effect,
        weight: 1.0,
        evidence: Evidence { text: ruling.span.clone(), ..Evidence::default() },
        points_at: ruling.points_at.clone(),
    };
    Reading { findings: vec![finding], hints: Vec::new() }
}

/// Takes back what the mail's words moved when they were read otherwise.
fn take_back(
    tx: &mut Tx<'_>,
    id: &RegressionId,
    key: &str,
    ruling: &Ruling,
) -> Result<(), StoreError> {
    let log = tx.entries(id)?;
    let undone = |n: usize| log.iter().any(|e| e.what == Happening::Undone { entry: n });
    let moves = log.iter().enumerate().filter(|(_, entry)| {
        let words = matches!(&entry.cause, Cause::Words { message, .. } if message == key);
        words && matches!(entry.what, Happening::Moved { .. })
    });
    for number in moves.map(|(n, _)| n + 1).filter(|n| !undone(*n)).collect::<Vec<_>>() {
        let cause = Cause::Operator {
            who: ruling.by.clone(),
            line: format!("review correct <{key}> {}", ruling.label),
        };
        let what = Happening::Undone { entry: number };
        tx.append(id, &Entry { at: ruling.at, cause, what })?;
    }
    Ok(())
}

fn settle(
    tx: &mut Tx<'_>,
    regression: &Option<RegressionId>,
    key: &str,
    ruling: &Ruling,
) -> Result<(), StoreError> {
    let json = serde_json::to_string(ruling)
        .map_err(|e| StoreError::Row { row: format!("review {key}"), what: e.to_string() })?;
    // A mail that a rule had decided was never on the list.
    let review = Review {
        message: key.to_owned(),
        regression: regression.as_ref().map(ToString::to_string),
        label: ruling.was.as_ref().map(|(label, _)| label.clone()),
        words: ruling.span.clone(),
        why: "corrected".to_owned(),
    };
    tx.put_review(&review, ruling.at)?;
    tx.settle_review(key, &json)?;
    Ok(())
}
