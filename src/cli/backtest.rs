//! `regard rules backtest`: what a change of rules would have done to all mail that was stored or archived.

use std::collections::HashMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::args::{Args, BacktestArgs};
use super::context::Failure;
use super::lineage::Lineage;
use super::list::clip;
use super::remembered::Remembered;
use super::rules::Ruleset;
use super::{Outcome, output};
use crate::archive::{self, Raw};
use crate::intake::{self, Understood};
use crate::mail::{self, Identity, Message, MessageId, Shape};
use crate::regression::thread::ThreadIndex;
use crate::regression::{Regression, RegressionId, State};
use crate::store::StoredMessage;
use crate::triage::{self, Rules, Shift, Verdict};

/// Stored mails that are read at once.
const PAGE: usize = 500;

pub(super) fn run(args: &Args, wanted: &BacktestArgs) -> Result<Outcome, Failure> {
    let (before, after) = sides(args, wanted)?;
    let mut test = Backtest {
        before: before.compile()?,
        after: after.compile()?,
        identity: args.identity(&wanted.robot)?,
        json: args.json,
        threads_only: wanted.threads,
        counts: Counts::default(),
    };
    if wanted.stored {
        test.stored(args)?;
    }
    if !wanted.paths.is_empty() {
        test.archives(&wanted.paths)?;
    }
    test.sum_up()?;
    let c = &test.counts;
    Ok(if c.gained + c.lost + c.changed == 0 { Outcome::Fine } else { Outcome::Findings })
}

/// What is compared with what.
fn sides(args: &Args, wanted: &BacktestArgs) -> Result<(Ruleset, Ruleset), Failure> {
    let current = Ruleset::current(args)?;
    match &wanted.rules {
        Some(folder) => Ok((current, Ruleset::read(folder)?)),
        None if current.is_own() => Ok((Ruleset::built_in(), current)),
        None => Err(Failure::Message(
            "there are only the built-in rules, so there is nothing to compare; name a folder with --rules, or [rules] dir in \
             the configuration"
                .to_owned(),
        )),
    }
}

struct Backtest {
    before: Rules,
    after: Rules,
    identity: Identity,
    json: bool,
    threads_only: bool,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    mails: usize,
    unreadable: usize,
    /// Replies and patches: what the rules look at.
    read: usize,
    in_threads: usize,
    gained: usize,
    lost: usize,
    changed: usize,
    other_rule: usize,
}

impl Backtest {
    /// Twice through the archives: first who answers whom, then what they say. Nothing but ids is kept of a mail.
    fn archives(&mut self, paths: &[PathBuf]) -> Result<(), Failure> {
        let mut lineage = Lineage::default();
        let bar = output::spinner("reading threads");
        let mut total = 0;
        for raw in mails(paths) {
            total += 1;
            // What cannot be read is counted in the second pass.
            if let Ok(message) = raw?.map(|raw| parse(&raw)) {
                lineage.add(&message, intake::about(&message, &self.identity));
            }
            if total % 100 == 0 {
                bar.set_message(format!("reading threads: {} mails", lineage.len()));
            }
        }
        bar.finish_and_clear();
        let bar = output::bar(total);
        for raw in mails(paths) {
            bar.inc(1);
            self.counts.mails += 1;
            match raw? {
                Ok(raw) => {
                    let message = parse(&raw);
                    bar.suspend(|| self.one(&raw.label, &message, &lineage))?;
                }
                Err(error) => {
                    self.counts.unreadable += 1;
                    tracing::warn!("{error}");
                }
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn stored(&mut self, args: &Args) -> Result<(), Failure> {
        let mut store = args.store()?;
        let bar = output::bar(store.look(|tx| tx.message_count())?);
        let mut last = 0;
        loop {
            let page = store.look(|tx| {
                let mails = tx.messages_after(last, PAGE)?;
                let mut regressions: HashMap<RegressionId, Option<Regression>> = HashMap::new();
                for id in mails.iter().filter_map(|(_, m)| m.regression.as_ref()) {
                    if !regressions.contains_key(id) {
                        regressions.insert(id.clone(), tx.regression(id)?);
                    }
                }
                Ok((mails, regressions))
            });
            let (mails, regressions) = page?;
            let Some((end, _)) = mails.last() else { break };
            last = *end;
            for (_, mail) in &mails {
                bar.inc(1);
                self.counts.mails += 1;
                self.one_stored(mail, &regressions)?;
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn one_stored(
        &mut self,
        mail: &StoredMessage,
        regressions: &HashMap<RegressionId, Option<Regression>>,
    ) -> Result<(), Failure> {
        use mail::Origin::{Other, Patch, Reply};
        if !matches!(mail.origin, Reply | Patch | Other) {
            return Ok(());
        }
        let regression = mail.regression.as_ref().and_then(|id| regressions.get(id)?.as_ref());
        let remembered = Remembered::new(mail, regression);
        self.one("stored", &remembered.message, &remembered)
    }

    fn one(
        &mut self,
        file: &str,
        message: &Message,
        index: &dyn ThreadIndex,
    ) -> Result<(), Failure> {
        let read = |rules: &Rules| intake::understand(message, rules, &self.identity, index, false);
        let before = read(&self.before);
        let words = !before.origin.is_machine()
            && !matches!(before.origin, mail::Origin::Report | mail::Origin::Notification);
        if !words || self.threads_only && before.report.is_none() {
            return Ok(());
        }
        self.counts.read += 1;
        self.counts.in_threads += usize::from(before.report.is_some());
        let after = read(&self.after);
        let shift = triage::shift(&before.reading, &after.reading);
        let (name, was, now) = match &shift {
            Shift::Same => return Ok(()),
            Shift::OtherRule => {
                self.counts.other_rule += 1;
                return Ok(());
            }
            Shift::Gained(now) => {
                self.counts.gained += 1;
                ("gained", None, Some(now))
            }
            Shift::Lost(was) => {
                self.counts.lost += 1;
                ("lost", Some(was), None)
            }
            Shift::Changed { was, now } => {
                self.counts.changed += 1;
                ("changed", Some(was), Some(now))
            }
        };
        if self.json {
            output::json(&line(name, file, &before, was, now))
        } else {
            Ok(output::print(&text(name, file, &before, was, now))?)
        }
    }

    fn sum_up(&self) -> Result<(), Failure> {
        let c = &self.counts;
        let same = c.read - c.gained - c.lost - c.changed - c.other_rule;
        if self.json {
            return output::json(&json!({ "summary": {
                "mails": c.mails, "unreadable": c.unreadable, "read": c.read, "in_threads": c.in_threads,
                "gained": c.gained, "lost": c.lost, "changed": c.changed, "other_rule": c.other_rule, "same": same,
            }}));
        }
        let unreadable = match c.unreadable {
            0 => String::new(),
            n => format!(", {n} could not be read"),
        };
        let text = format!(
            "{} mails{unreadable}; {} by people, {} of them in the thread of a report: {} verdicts gained, {} lost, {} changed, \
             {} the same by another rule, {same} the same\n",
            c.mails, c.read, c.in_threads, c.gained, c.lost, c.changed, c.other_rule
        );
        Ok(output::print(&text)?)
    }
}

/// The mails of all archives: an archive that cannot be opened ends it, a mail that cannot be read does not.
fn mails(
    paths: &[PathBuf],
) -> impl Iterator<Item = Result<Result<Raw, archive::ArchiveError>, Failure>> + '_ {
    paths.iter().flat_map(|path| match archive::open(path) {
        Ok(mails) => Box::new(mails.map(Ok)) as Box<dyn Iterator<Item = _>>,
        Err(e) => Box::new(std::iter::once(Err(Failure::Message(e.to_string())))),
    })
}

fn parse(raw: &Raw) -> Message {
    match mail::sniff(&raw.bytes) {
        Shape::Page => mail::parse_page(&String::from_utf8_lossy(&raw.bytes)),
        _ => mail::parse(&raw.bytes),
    }
}

fn line(
    change: &str,
    file: &str,
    mail: &Understood,
    was: Option<&Verdict>,
    now: Option<&Verdict>,
) -> Value {
    json!({
        "change": change,
        "file": file,
        "message_id": mail.id.as_ref().map(MessageId::to_string),
        "report_id": mail.report.as_ref().map(|(id, _)| id.to_string()),
        "was": was,
        "now": now,
    })
}

fn text(
    change: &str,
    file: &str,
    mail: &Understood,
    was: Option<&Verdict>,
    now: Option<&Verdict>,
) -> String {
    let id = mail.id.as_ref().map_or_else(String::new, |id| format!("  {id}"));
    let labels: Vec<String> = was.iter().chain(&now).map(|v| v.label.to_string()).collect();
    let mut out = format!("{change:<8} {}\n         {file}{id}\n", labels.join(" -> "));
    if let Some((report, _)) = &mail.report {
        out += &format!("         answers {report}\n");
    }
    for (side, verdict) in [("was", was), ("now", now)] {
        let Some(v) = verdict else { continue };
        let moves = v.effect.map_or_else(
            || "moves nothing".to_owned(),
            |(from, to)| format!("{} -> {to}", from.map_or("any", State::as_str)),
        );
        out += &format!(
            "    {side}  \"{}\" [{}, weight {:.2}, {moves}]\n",
            clip(&v.sentence, 160),
            v.rule,
            v.weight
        );
        if let Some(answers) = &v.answers {
            out += &format!("         answering \"{}\"\n", clip(answers, 120));
        }
    }
    out
}
