//! A thread that looks at each tree at its interval, mainline first.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::{TreeError, survey};
use crate::config::Tree;
use crate::daemon::Story;
use crate::daemon::clock::now;
use crate::daemon::shared::Shared;
use crate::daemon::step::step;
use crate::engine::Effect;

/// Dropped, it ends the watch after the look that is under way.
#[derive(Debug)]
pub(in crate::daemon) struct Watch {
    _stop: Sender<()>,
}

/// Starts the thread; none where no tree is configured.
pub(in crate::daemon) fn watch(
    trees: &[Tree],
    desk: &Arc<Shared>,
) -> std::io::Result<Option<Watch>> {
    if trees.is_empty() {
        return Ok(None);
    }
    let (send, stop) = channel();
    let (trees, desk) = (trees.to_vec(), Arc::clone(desk));
    thread::Builder::new().name("trees".to_owned()).spawn(move || run(&trees, &desk, &stop))?;
    Ok(Some(Watch { _stop: send }))
}

fn run(trees: &[Tree], desk: &Shared, stop: &Receiver<()>) {
    let mut due: Vec<Instant> = vec![Instant::now(); trees.len()];
    loop {
        for (tree, due) in trees.iter().zip(&mut due) {
            if *due > Instant::now() {
                continue;
            }
            look(tree, desk);
            *due = Instant::now() + tree.interval;
            if !matches!(stop.try_recv(), Err(std::sync::mpsc::TryRecvError::Empty)) {
                return;
            }
        }
        let next = due.iter().min().copied().unwrap_or_else(Instant::now);
        let pause = next.saturating_duration_since(Instant::now()).max(Duration::from_millis(100));
        if !matches!(stop.recv_timeout(pause), Err(RecvTimeoutError::Timeout)) {
            return;
        }
    }
}

fn look(tree: &Tree, desk: &Shared) {
    let label = tree.watched.label.as_str();
    match visit(tree, desk) {
        Ok((commits, stories)) => {
            tracing::info!(tree = label, commits, moved = stories.len(), "looked at");
            stories.iter().for_each(|story| log(label, story));
            if stories.iter().any(|s| !s.written.is_empty()) {
                desk.bell.notify_one();
            }
        }
        Err(e) => tracing::error!(tree = label, "{e}"),
    }
}

/// The desk is free while git runs.
fn visit(tree: &Tree, desk: &Shared) -> Result<(usize, Vec<Story>), TreeError> {
    let question = desk.sit().question(tree)?;
    let haul = survey(tree, &question, now())?;
    let commits = haul.commits.len();
    step("tree-surveyed");
    let stories = desk.sit().commits(haul, now())?;
    step("tree-stored");
    Ok((commits, stories))
}

/// One greppable line for what a commit did to a regression.
fn log(tree: &str, story: &Story) {
    let regression = story.regression.as_ref().map_or("", |id| id.as_str());
    for effect in &story.effects {
        if let Effect::Append(_, entry) = effect {
            let what = serde_json::to_string(&entry.what).unwrap_or_default();
            tracing::info!(tree, regression, subject = story.subject, what, "commit");
        }
    }
}
