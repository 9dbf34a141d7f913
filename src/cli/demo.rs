//! `regard demo`: the whole loop on shipped sample mail, offline, with a simulated clock.

use std::path::Path;

use jiff::SignedDuration;

use super::args::DemoArgs;
use super::context::Failure;
use super::{Outcome, list, output, show, tell};
use crate::config::Mode;
use crate::daemon::{Desk, Mind, Post, Rehearsal, Scene};
use crate::embedded;
use crate::engine::{Circle, Policy};
use crate::mail::Address;
use crate::render::{Letterhead, Renderer};
use crate::store::Store;

/// How long time goes on after the last mail: long enough for what is unopposed to be closed.
const DAYS_AFTER: i64 = 45;

pub(super) fn run(args: &DemoArgs) -> Result<Outcome, Failure> {
    let out = &args.out;
    prepare(out)?;
    let mails = match &args.mails {
        Some(folder) => read(folder)?,
        None => embedded::DEMO
            .iter()
            .map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()))
            .collect(),
    };
    output::print(&format!(
        "{} sample mails go through the pipeline; their Date headers are the clock.\n\
         Outgoing mail is written to {}/ .\n\n",
        mails.len(),
        out.display()
    ))?;
    let mut rehearsal = Rehearsal::new(desk(out)?, out);
    rehearsal.play(&mails, SignedDuration::from_hours(24 * DAYS_AFTER), |scene: Scene| {
        Ok(output::print(&tell::scene(&scene))?)
    })?;
    let mut desk = rehearsal.into_desk();
    let regressions = desk.store.look(|tx| tx.regressions(true))?;
    output::print(&format!("The end:\n\n{}", list::table(&regressions)))?;
    for r in &regressions {
        let (entries, messages) =
            desk.store.look(|tx| Ok((tx.entries(r.id())?, tx.messages_of(r.id())?)))?;
        output::print(&format!("\n{}", show::text(r, &entries, &messages)))?;
    }
    Ok(Outcome::Fine)
}

/// The `.eml` files of a folder, by name: the order of the story.
fn read(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let fail =
        |e: std::io::Error| Failure::Message(format!("{}: cannot be read: {e}", folder.display()));
    let mut mails = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|e| e == "eml") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            mails.push((name, std::fs::read(&path).map_err(fail)?));
        }
    }
    mails.sort();
    Ok(mails)
}

/// An empty folder for the mails; one of an earlier demo is emptied, anything else is left alone.
fn prepare(out: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(out).map_err(|e| format!("{}: cannot be made: {e}", out.display()))?;
    for entry in std::fs::read_dir(out)? {
        let path = entry?.path();
        let ours = path.extension().is_some_and(|e| e == "eml")
            || path.file_name().is_some_and(|n| n.to_string_lossy().starts_with("regard.db"));
        if !ours {
            let what = format!(
                "{}: holds {}, which is not of an earlier demo",
                out.display(),
                path.display()
            );
            return Err(Failure::Message(format!("{what}; name another folder with --out")));
        }
        std::fs::remove_file(&path)?;
    }
    Ok(())
}

fn desk(out: &Path) -> Result<Desk, Failure> {
    let address =
        |name: &str, email: &str| Address { name: name.to_owned(), email: email.to_owned() };
    let mut policy = Policy::new(address("regard", "bot@example.org"));
    policy.labs = Circle::new(["lab@example.org"])?;
    policy.robots = Circle::new(["perf-robot@example.net"])?;
    policy.operators = Circle::new(["operator@example.org"])?;
    policy.reach.lists = vec![address("", "perf-reports@example.org")];
    let letterhead = Letterhead {
        bot: policy.bot.clone(),
        archive: Some("https://lists.example.org/r/".to_owned()),
        help: Some("https://example.org/regard".to_owned()),
        opt_out: Some("operator@example.org".to_owned()),
        ascii: true,
    };
    let renderer = Renderer::new(&[]).map_err(|e| format!("built-in template: {e:?}"))?;
    Ok(Desk {
        store: Store::open(&out.join("regard.db"))?,
        mind: Mind::new(policy.clone(), &[]).map_err(Failure::Diagnostics)?,
        post: Post { policy, mode: Mode::Live, renderer, letterhead },
    })
}
