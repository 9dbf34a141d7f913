//! The outbox: written once, counted, moved with what is to be remembered.

use regard::store::{OutboxRow, OutboxState, RecipientRow, RecipientState, Store, StoreError};

use crate::at;

fn row(key: &str, id: &str, state: OutboxState) -> OutboxRow {
    let recipient = |address: &str| RecipientRow {
        address: address.to_owned(),
        why: "list".to_owned(),
        state: RecipientState::Pending,
        answer: None,
    };
    OutboxRow {
        id: 0,
        key: key.to_owned(),
        message_id: id.to_owned(),
        regression: None,
        reason: "regression".to_owned(),
        subject: "subject".to_owned(),
        sender: "bot@example.org".to_owned(),
        raw: b"To: x\r\n\r\nhi\r\n".to_vec(),
        state,
        hold: (state == OutboxState::Held).then(|| "dry-run".to_owned()),
        created: at(0),
        next_try: None,
        attempts: 0,
        last: None,
        recipients: vec![recipient("a@example.org"), recipient("b@example.org")],
    }
}

#[test]
fn the_same_thing_is_never_written_twice() {
    let mut store = Store::in_memory().expect("memory");
    store
        .transaction(|tx| {
            assert_eq!(tx.put_outbox(&row("report/1", "a@h", OutboxState::Queued))?, Some(1));
            assert_eq!(
                tx.put_outbox(&row("report/1", "b@h", OutboxState::Queued))?,
                None,
                "same key"
            );
            assert_eq!(
                tx.put_outbox(&row("report/2", "a@h", OutboxState::Queued))?,
                None,
                "same Message-ID"
            );
            let stored = tx.outbox_by_message_id("a@h")?.expect("there");
            assert_eq!(stored, OutboxRow { id: 1, ..row("report/1", "a@h", OutboxState::Queued) });
            Ok::<_, StoreError>(())
        })
        .expect("stored");
}

#[test]
fn only_what_is_due_goes_out() {
    let mut store = Store::in_memory().expect("memory");
    store
        .transaction(|tx| {
            tx.put_outbox(&row("report/1", "1@h", OutboxState::Held))?;
            tx.put_outbox(&row("report/2", "2@h", OutboxState::Queued))?;
            tx.put_outbox(&row("report/3", "3@h", OutboxState::Queued))?;
            tx.set_outbox(3, OutboxState::Deferred, Some(at(60)), Some("451 later"), at(1))?;
            let due = |tx: &regard::store::Tx<'_>, s| -> Result<Vec<i64>, StoreError> {
                Ok(tx.due(at(s), 10)?.iter().map(|r| r.id).collect())
            };
            assert_eq!(due(tx, 0)?, [2]);
            assert_eq!(due(tx, 60)?, [2, 3]);
            tx.set_outbox(2, OutboxState::Sending, None, None, at(2))?;
            assert_eq!(due(tx, 60)?, [3]);
            assert_eq!(tx.next_due()?, Some(at(60)));
            assert_eq!(
                tx.outbox_row(2)?.map(|r| r.attempts),
                Some(1),
                "handing over counts as a try"
            );
            assert_eq!(tx.outbox_row(3)?.and_then(|r| r.last).as_deref(), Some("451 later"));
            Ok::<_, StoreError>(())
        })
        .expect("stored");
}

#[test]
fn a_release_forgets_the_hold() {
    let mut store = Store::in_memory().expect("memory");
    store
        .transaction(|tx| {
            tx.put_outbox(&row("report/1", "1@h", OutboxState::Held))?;
            assert_eq!(tx.outbox_row(1)?.and_then(|r| r.hold).as_deref(), Some("dry-run"));
            tx.set_outbox(1, OutboxState::Queued, None, Some("released"), at(5))?;
            let released = tx.outbox_row(1)?.expect("there");
            assert_eq!((released.state, released.hold), (OutboxState::Queued, None));
            tx.hold_outbox(1, "operator: by hand", at(6))?;
            assert_eq!(tx.outbox(Some(OutboxState::Held))?.len(), 1);
            Ok::<_, StoreError>(())
        })
        .expect("stored");
}

#[test]
fn each_recipient_has_its_own_answer() {
    let mut store = Store::in_memory().expect("memory");
    store
        .transaction(|tx| {
            tx.put_outbox(&row("report/1", "1@h", OutboxState::Queued))?;
            tx.set_recipient(1, "a@example.org", RecipientState::Accepted, "250 ok")?;
            tx.set_recipient(1, "b@example.org", RecipientState::Refused, "550 no such user")?;
            let states: Vec<_> =
                tx.outbox_row(1)?.expect("there").recipients.iter().map(|r| r.state).collect();
            assert_eq!(states, [RecipientState::Accepted, RecipientState::Refused]);
            Ok::<_, StoreError>(())
        })
        .expect("stored");
}

#[test]
fn the_daily_count_leaves_out_what_was_dropped_and_other_letters() {
    let mut store = Store::in_memory().expect("memory");
    store
        .transaction(|tx| {
            for (key, id) in [("report/1", "1@h"), ("report/2", "2@h"), ("answer/1", "3@h")] {
                tx.put_outbox(&row(key, id, OutboxState::Queued))?;
            }
            tx.set_outbox(2, OutboxState::Dropped, None, None, at(1))?;
            assert_eq!(tx.written_since(at(-1), "report/")?, 1);
            assert_eq!(tx.written_since(at(-1), "answer/")?, 1);
            assert_eq!(tx.written_since(at(1), "report/")?, 0);
            Ok::<_, StoreError>(())
        })
        .expect("stored");
}
