//! `regard run`: the daemon.

use super::Outcome;
use super::args::Args;
use super::context::Failure;
use crate::config::Mode;
use crate::daemon::{self, Desk};

pub(super) fn run(args: &Args) -> Result<Outcome, Failure> {
    let config = args.ready_config()?;
    if config.mailboxes.is_empty() {
        let file = config.file.display();
        return Err(Failure::Message(format!("{file}: no [[mailbox]] to watch; add one")));
    }
    let desk = Desk::open(&config).map_err(Failure::Diagnostics)?;
    if config.mode == Mode::DryRun {
        tracing::info!("dry run: every mail stays in the outbox; `regard outbox list` shows them");
    }
    daemon::run(&config, desk)?;
    Ok(Outcome::Fine)
}
