//! `regard outbox`: the mails that wait to be sent, and what became of those that were.

use super::args::{Args, OutboxArgs, OutboxVerb};
use super::context::Failure;
use super::list::clip;
use super::{Outcome, output};
use crate::store::{OutboxRow, OutboxState, Store, Tx};

pub(super) fn run(args: &Args, outbox: &OutboxArgs) -> Result<Outcome, Failure> {
    let mut store = args.store()?;
    match &outbox.verb {
        OutboxVerb::List => list(args, &mut store),
        OutboxVerb::Show { id } => show(&mut store, *id),
        OutboxVerb::Release { ids } => steer(&mut store, ids, "released", release),
        OutboxVerb::Hold { ids } => steer(&mut store, ids, "held", hold),
        OutboxVerb::Drop { ids } => steer(&mut store, ids, "dropped", drop_row),
    }
}

fn list(args: &Args, store: &mut Store) -> Result<Outcome, Failure> {
    let rows = store.look(|tx| tx.outbox(None))?;
    if args.json {
        for row in &rows {
            output::json(row)?;
        }
        return Ok(Outcome::Fine);
    }
    let head = ["no", "state", "written", "reason", "to", "subject", "note"];
    let mut cells = vec![head.map(str::to_owned).to_vec()];
    cells.extend(rows.iter().map(line));
    output::print(&output::columns(&cells))?;
    Ok(Outcome::Fine)
}

fn line(row: &OutboxRow) -> Vec<String> {
    let to = match row.recipients.as_slice() {
        [] => "nobody".to_owned(),
        [one] => one.address.clone(),
        [first, rest @ ..] => format!("{} +{}", first.address, rest.len()),
    };
    let note = row.hold.as_deref().or(row.last.as_deref()).unwrap_or("");
    vec![
        row.id.to_string(),
        output::word(&row.state),
        row.created.strftime("%Y-%m-%d %H:%M").to_string(),
        row.reason.clone(),
        to,
        clip(&row.subject, 60),
        clip(note, 60),
    ]
}

fn show(store: &mut Store, id: i64) -> Result<Outcome, Failure> {
    let row = store.look(|tx| tx.outbox_row(id))?.ok_or_else(|| missing(id))?;
    output::print(&String::from_utf8_lossy(&row.raw).replace("\r\n", "\n"))?;
    Ok(Outcome::Fine)
}

fn missing(id: i64) -> Failure {
    Failure::Message(format!("outbox {id}: there is no such mail; `regard outbox list` names them"))
}

/// Applies a change to each row; one that cannot be changed stops all of them.
fn steer(
    store: &mut Store,
    ids: &[i64],
    done: &str,
    change: impl Fn(&mut Tx<'_>, &OutboxRow) -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
    store.transaction(|tx| {
        for id in ids {
            let row = tx.outbox_row(*id)?.ok_or_else(|| missing(*id))?;
            change(tx, &row)?;
        }
        Ok::<_, Failure>(())
    })?;
    output::print(&format!(
        "{done}: {}\n",
        ids.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
    ))?;
    Ok(Outcome::Fine)
}

fn refuse(row: &OutboxRow, what: &str) -> Failure {
    Failure::Message(format!(
        "outbox {}: is {}, so it cannot be {what}; nothing was changed",
        row.id,
        output::word(&row.state)
    ))
}

#[expect(clippy::disallowed_methods, reason = "the command line is an edge: it may read the clock")]
fn now() -> jiff::Timestamp {
    jiff::Timestamp::now()
}

fn release(tx: &mut Tx<'_>, row: &OutboxRow) -> Result<(), Failure> {
    match row.state {
        OutboxState::Held | OutboxState::Failed => Ok(tx.set_outbox(
            row.id,
            OutboxState::Queued,
            None,
            Some("released by the operator"),
            now(),
        )?),
        OutboxState::Queued | OutboxState::Deferred => Ok(()),
        _ => Err(refuse(row, "released")),
    }
}

fn hold(tx: &mut Tx<'_>, row: &OutboxRow) -> Result<(), Failure> {
    match row.state {
        OutboxState::Held | OutboxState::Queued | OutboxState::Deferred => {
            Ok(tx.hold_outbox(row.id, "operator: held by hand", now())?)
        }
        _ => Err(refuse(row, "held")),
    }
}

fn drop_row(tx: &mut Tx<'_>, row: &OutboxRow) -> Result<(), Failure> {
    match row.state {
        OutboxState::Held | OutboxState::Queued | OutboxState::Deferred | OutboxState::Failed => {
            Ok(tx.set_outbox(
                row.id,
                OutboxState::Dropped,
                None,
                Some("dropped by the operator"),
                now(),
            )?)
        }
        _ => Err(refuse(row, "dropped")),
    }
}
