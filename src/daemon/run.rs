//! `regard run`: watchers, sender, clock and signals, until somebody says stop.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::signal::unix::{SignalKind, signal};

use super::clock::now;
use super::inbox::Inbox;
use super::sender::Sender;
use super::shared::Shared;
use super::{Desk, edges, trees};
use crate::config::{Config, Mode};
use crate::imap::Watcher;
use crate::smtp::Schedule;
use crate::store::Lock;

/// Time is an event this often.
const TICK: Duration = Duration::from_secs(60);

/// Runs the daemon until SIGTERM or SIGINT.
///
/// # Errors
/// When it cannot start (another daemon holds the store, no thread, no runtime), or a watcher gave up for good.
pub fn run(config: &Config, desk: Desk) -> anyhow::Result<()> {
    let _lock = Lock::take(&config.store)?;
    let desk = Arc::new(Shared::new(desk));
    let sender = sender(config, &desk)?;
    let watchers = config
        .mailboxes
        .iter()
        .map(|m| {
            let inbox = Inbox { desk: Arc::clone(&desk), name: m.name.clone() };
            Watcher::spawn(edges::account(m), inbox)
                .with_context(|| format!("mailbox {}: no thread for its watcher", m.name))
        })
        .collect::<anyhow::Result<Vec<Watcher>>>()?;
    let _trees = trees::watch(&config.trees, &desk).context("no thread to watch trees")?;
    tracing::info!(mode = ?config.mode, mailboxes = watchers.len(), trees = config.trees.len(), store = %config.store.display(), "regard runs");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let gave_up = runtime.block_on(serve(&desk, sender, &watchers));
    for watcher in &watchers {
        watcher.stop();
    }
    for watcher in watchers {
        watcher.join();
    }
    tracing::info!("regard stopped");
    match gave_up? {
        true => anyhow::bail!("every watcher gave up; see the log for why"),
        false => Ok(()),
    }
}

/// The sender of the mode: none where nothing may leave the house.
fn sender(config: &Config, desk: &Arc<Shared>) -> anyhow::Result<Option<Sender>> {
    let Some(relay) = config.smtp.as_ref().filter(|_| config.mode != Mode::DryRun) else {
        return Ok(None);
    };
    let sender = Sender {
        desk: Arc::clone(desk),
        relay: edges::relay(relay),
        schedule: Schedule {
            first: config.outbox.retry.iter().map(|s| Duration::from_secs(*s)).collect(),
            give_up: config.outbox.give_up,
            ..Schedule::default()
        },
        resend_after: config.outbox.resend_after,
    };
    let lost = sender.recover()?;
    if lost > 0 {
        tracing::warn!(
            "{lost} mails were with the relay when the last daemon died; they wait for their echo"
        );
    }
    Ok(Some(sender))
}

/// Serves until a signal (`false`) or until no watcher is left (`true`).
async fn serve(
    desk: &Shared,
    sender: Option<Sender>,
    watchers: &[Watcher],
) -> anyhow::Result<bool> {
    let mut term = signal(SignalKind::terminate())?;
    let mut int = signal(SignalKind::interrupt())?;
    let sending = sender.map(|s| tokio::spawn(s.run()));
    let mut tick = tokio::time::interval(TICK);
    let gave_up = loop {
        tokio::select! {
            _ = term.recv() => break false,
            _ = int.recv() => break false,
            _ = tick.tick() => {
                match desk.sit().tick(now()) {
                    Ok(stories) if !stories.is_empty() => {
                        tracing::info!("time moved {} regressions", stories.len());
                        desk.bell.notify_one();
                    }
                    Ok(_) => {}
                    Err(e) => tracing::error!("tick: {e}"),
                }
                if !watchers.is_empty() && watchers.iter().all(Watcher::is_finished) {
                    break true;
                }
            }
        }
    };
    if let Some(task) = sending {
        // A mail that is with the relay now is found as `sending` next time, and waits for its echo.
        task.abort();
        let _ = task.await;
    }
    Ok(gave_up)
}
