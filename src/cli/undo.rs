//! `regard undo REGRESSION [ENTRY]`: takes an entry of a log back. The log keeps both, with who did it, when and why.

use super::args::{Args, UndoArgs};
use super::context::Failure;
use super::{Outcome, output, show};
use crate::daemon::clock::now;
use crate::regression::{Cause, Entry, Happening, Regression, RegressionId};

pub(super) fn run(args: &Args, undo: &UndoArgs) -> Result<Outcome, Failure> {
    let id = RegressionId::parse(&undo.id).ok_or_else(|| {
        format!("`{}` is not an id; `regard list` prints them (eight letters and digits)", undo.id)
    })?;
    let mut store = args.store()?;
    let (number, was, before, after) = store.transaction(|tx| {
        let regression =
            tx.regression(&id)?.ok_or_else(|| format!("{id}: nothing is tracked under this id"))?;
        let log = tx.entries(&id)?;
        let number = chosen(&id, &regression, &log, undo.entry)?;
        let was = log[number - 1].clone();
        let reason = undo.reason.as_ref().map_or_else(String::new, |r| format!(": {r}"));
        let cause = Cause::Operator {
            who: undo.operator.clone(),
            line: format!("undo {id} {number}{reason}"),
        };
        let entry = Entry { at: now(), cause, what: Happening::Undone { entry: number } };
        let after = tx.append(&id, &entry)?;
        Ok::<_, Failure>((number, was, regression, after))
    })?;
    if args.json {
        output::json(&serde_json::json!({
            "id": id.as_str(), "entry": number, "undone": was, "from": before.state, "to": after.state,
            "by": undo.operator, "reason": undo.reason,
        }))?;
    } else {
        let moved = if before.state == after.state {
            format!("it stays {}", after.state)
        } else {
            format!("{} -> {}", before.state, after.state)
        };
        output::print(&format!(
            "{id}: entry {number} undone ({}); {moved}\n",
            show::happening(&was.what)
        ))?;
    }
    Ok(Outcome::Fine)
}

/// The entry that is meant, or why it cannot be taken back.
fn chosen(
    id: &RegressionId,
    regression: &Regression,
    log: &[Entry],
    wanted: Option<usize>,
) -> Result<usize, String> {
    let number = match wanted {
        Some(number) => number,
        None => regression.last_move.ok_or_else(|| {
            format!("{id}: nothing moved its state, so there is nothing to take back")
        })?,
    };
    let entry = number
        .checked_sub(1)
        .and_then(|n| log.get(n))
        .ok_or_else(|| format!("{id}: has no entry {number}; `regard show {id}` numbers them"))?;
    match entry.what {
        Happening::Opened(_) => {
            Err(format!("{id}: entry {number} opened it; close it with a command instead"))
        }
        Happening::Wrote { .. } => {
            Err(format!("{id}: entry {number} is a written mail; see `regard outbox`"))
        }
        _ if log.iter().any(|e| e.what == Happening::Undone { entry: number }) => {
            Err(format!("{id}: entry {number} was undone already"))
        }
        _ => Ok(number),
    }
}
