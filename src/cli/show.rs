//! `regard show ID`: the whole story of one regression.

use serde::Serialize;

use super::args::{Args, ShowArgs};
use super::context::Failure;
use super::list::clip;
use super::{Outcome, output};
use crate::mail::Origin;
use crate::regression::{Cause, Entry, Gone, Happening, Order, Regression, RegressionId};
use crate::store::StoredMessage;

/// `regard show --json`.
#[derive(Serialize)]
struct Story<'a> {
    regression: &'a Regression,
    entries: &'a [Entry],
    messages: Vec<Mail<'a>>,
}

#[derive(Serialize)]
struct Mail<'a> {
    message_id: &'a str,
    received: String,
    from: Option<&'a crate::mail::Address>,
    origin: crate::mail::Origin,
    labels: &'a [String],
    evidence: Option<&'a str>,
    rule: Option<&'a str>,
    new_text: &'a str,
}

pub(super) fn run(args: &Args, show: &ShowArgs) -> Result<Outcome, Failure> {
    let id = RegressionId::parse(&show.id).ok_or_else(|| {
        format!("`{}` is not an id; `regard list` prints them (eight letters and digits)", show.id)
    })?;
    let mut store = args.store()?;
    let (regression, entries, messages) =
        store.look(|tx| Ok((tx.regression(&id)?, tx.entries(&id)?, tx.messages_of(&id)?)))?;
    let regression = regression.ok_or_else(|| format!("{id}: nothing is tracked under this id"))?;
    if args.json {
        let messages = messages.iter().map(Mail::new).collect();
        output::json(&Story { regression: &regression, entries: &entries, messages })?;
    } else {
        output::print(&text(&regression, &entries, &messages))?;
    }
    Ok(Outcome::Fine)
}

impl<'a> Mail<'a> {
    fn new(m: &'a StoredMessage) -> Self {
        Self {
            message_id: &m.key,
            received: m.received.to_string(),
            from: m.from.as_ref(),
            origin: m.origin,
            labels: &m.labels,
            evidence: m.evidence.as_deref(),
            rule: m.rule.as_deref(),
            new_text: &m.new_text,
        }
    }
}

/// The story as people read it; the demo prints it too.
pub(super) fn text(r: &Regression, entries: &[Entry], messages: &[StoredMessage]) -> String {
    let mut out = format!("{}  {}\n", r.id(), r.about.title);
    let mut fact = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|v| !v.is_empty()) {
            out += &format!("    {name:<10} {value}\n");
        }
    };
    let about = &r.about;
    let closed = if r.laid_to_rest.is_some() { ", closed: nobody objected" } else { "" };
    fact("state", Some(format!("{} since {}{closed}", r.state, day(r.since))));
    let subject = about.commit_subject.as_ref().map_or_else(String::new, |s| format!(" (\"{s}\")"));
    fact("commit", about.commit.as_ref().map(|c| format!("{c}{subject}")));
    let branch = about.branch.as_ref().map_or_else(String::new, |b| format!(" {b}"));
    fact("tree", about.tree.as_ref().map(|t| format!("{t}{branch}")));
    fact("test", about.test.clone());
    fact("parameters", Some(about.parameters.clone()));
    fact("machine", about.machine.clone());
    fact("author", about.author.as_ref().map(ToString::to_string));
    fact("reporter", about.reporter.as_ref().map(ToString::to_string));
    fact("report", about.report.as_ref().map(|id| format!("<{id}>")));
    fact("fix", r.fix.as_ref().map(|(fix, at)| format!("{} (named {})", fix.name(), day(*at))));
    for l in r.landings.iter().filter(|l| l.is_live()) {
        let incoming = if l.order == Order::Incoming { ", incoming" } else { "" };
        let short: String = l.commit.chars().take(12).collect();
        fact("found in", Some(format!("{}{incoming}: {short} since {}", l.tree, day(l.since))));
    }
    fact("same as", r.duplicate_of.as_ref().map(ToString::to_string));
    fact("priority", r.backburner.as_ref().map(|why| format!("low {why}").trim_end().to_owned()));
    for (label, values) in &r.labels {
        fact("label", Some(format!("{label} {}", values.join(", ")).trim_end().to_owned()));
    }
    for link in &r.links {
        fact("link", Some(format!("{} {}", link.url, link.text)));
    }
    out.push('\n');
    for (i, entry) in entries.iter().enumerate() {
        out += &format!(
            "{:>4}  {}  {}\n",
            i + 1,
            entry.at.strftime("%Y-%m-%d %H:%M"),
            happening(&entry.what)
        );
        out += &format!("      {}\n", cause(&entry.cause));
    }
    let told = |m: &&StoredMessage| entries.iter().any(|e| e.cause.message() == Some(&m.key));
    let people = |m: &&StoredMessage| {
        !matches!(m.origin, Origin::Own | Origin::Notification | Origin::Report) && !told(m)
    };
    let quiet: Vec<&StoredMessage> = messages.iter().filter(people).collect();
    if !quiet.is_empty() {
        out += "\nMail that moved nothing:\n";
    }
    for m in quiet {
        let from =
            m.from.as_ref().map_or("?", |a| if a.name.is_empty() { &a.email } else { &a.name });
        let labels = match (m.origin, m.labels.is_empty()) {
            (Origin::Reply | Origin::Patch | Origin::Other, true) => "undecided".to_owned(),
            (origin, true) => crate::cli::output::word(&origin),
            (_, false) => m.labels.join(", "),
        };
        out += &format!(
            "      {}  {from}: {labels}: \"{}\"\n",
            day(m.received),
            clip(&m.new_text, 70)
        );
    }
    out
}

fn day(at: jiff::Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}

pub(super) fn happening(what: &Happening) -> String {
    match what {
        Happening::Opened(about) => format!("opened: {}", about.title),
        Happening::Moved { from, to } => format!("{from} -> {to}"),
        Happening::Kept { label, why } => format!("understood {label}, state stays ({why})"),
        Happening::FixNamed(fix) => format!("fix: {}", fix.name()),
        Happening::FixForgotten => "the named fix is none".to_owned(),
        Happening::DuplicateOf { of } => format!("duplicate of {of}"),
        Happening::Titled { title } => format!("title: {title}"),
        Happening::Introduced { commit } => format!("introduced by {commit}"),
        Happening::Linked { url, text, .. } => format!("link: {url} {text}"),
        Happening::Unlinked { url } => format!("link taken away: {url}"),
        Happening::Measured { outcome, summary } => format!("measured, {outcome}: {summary}"),
        Happening::Found { .. } | Happening::Lost { .. } => in_trees(what),
        Happening::CulpritReverted { tree, .. } => format!("culprit reverted in {tree}"),
        Happening::CulpritReapplied { tree, .. } => format!("culprit is back in {tree}"),
        Happening::FixMissed { fix } => format!("announced, but in no watched tree: {fix}"),
        Happening::Wrote { key } => format!("wrote {key}"),
        Happening::ClosingAnnounced => "announced that it will be closed".to_owned(),
        Happening::LaidToRest => "closed: nobody objected".to_owned(),
        Happening::Snoozed { until } => format!("quiet until {}", day(*until)),
        Happening::OptedOut { email, all: false } => format!("{email} wants no more mail about it"),
        Happening::OptedOut { email, all: true } => format!("{email} wants no more mail"),
        Happening::ReportedBy { reporter } => format!("reported by {reporter}"),
        Happening::Backburned { why } if why.is_empty() => "on the back burner".to_owned(),
        Happening::Backburned { why } => format!("on the back burner: {why}"),
        Happening::Unbackburned => "off the back burner".to_owned(),
        Happening::Labelled { label, values } => labelled(label, values),
        Happening::Unlabelled { label } => format!("label taken off: {label}"),
        Happening::ActivityIgnored => "this mail is no activity".to_owned(),
        Happening::Noted { text } => format!("note: {text}"),
        Happening::Undone { entry } => format!("entry {entry} undone"),
    }
}

fn labelled(label: &str, values: &[String]) -> String {
    if values.is_empty() {
        format!("label {label}")
    } else {
        format!("label {label}: {}", values.join(", "))
    }
}

fn in_trees(what: &Happening) -> String {
    let short = |id: &String| id.chars().take(12).collect::<String>();
    match what {
        Happening::Found { tree, order, commit, instead_of, .. } => {
            let commit = short(commit);
            match (order, instead_of) {
                (_, Some(old)) => {
                    format!("fix amended in {tree}: {commit} in place of {}", short(old))
                }
                (Order::Mainline, None) => format!("fix found in {tree}: {commit}"),
                (Order::Incoming, None) => format!("fix found in {tree}, incoming: {commit}"),
                (Order::Stable, None) => format!("fix backported to {tree}: {commit}"),
            }
        }
        Happening::Lost { commits, tree, gone } => {
            let commits = commits.iter().map(short).collect::<Vec<_>>().join(", ");
            let tree = tree.as_ref().map_or_else(String::new, |t| format!(" in {t}"));
            match gone {
                Gone::Reverted { .. } => format!("fix reverted{tree}: {commits}"),
                Gone::Rewritten => format!("fix dropped{tree}: {commits}"),
                Gone::Refuted => format!("fix does not help: {commits}"),
            }
        }
        _ => String::new(),
    }
}

fn cause(cause: &Cause) -> String {
    let name = |from: &Option<crate::mail::Address>| {
        from.as_ref().map_or_else(
            || "somebody".to_owned(),
            |a| if a.name.is_empty() { a.email.clone() } else { a.name.clone() },
        )
    };
    match cause {
        Cause::Words { message, from, role, words, rule, settled_by } => {
            let settled =
                settled_by.as_ref().map_or_else(String::new, |who| format!(", settled by {who}"));
            format!(
                "{} ({}) in <{message}>: \"{}\" [{rule}{settled}]",
                name(from),
                output::word(role),
                clip(words, 100)
            )
        }
        Cause::Command { message, from, role, line } => {
            format!("{} ({}) in <{message}>: {line}", name(from), output::word(role))
        }
        Cause::Tag { message, from, line } => format!("{} in <{message}>: {line}", name(from)),
        Cause::Results { message, reason } => format!("results in <{message}>: {reason}"),
        Cause::Report { message, from } => format!("report by {} in <{message}>", name(from)),
        Cause::Commit { tree, commit, subject, link } => {
            let short: String = commit.chars().take(12).collect();
            format!("commit {short} (\"{subject}\") in {tree}: {link}")
        }
        Cause::Operator { who, line } => format!("{who} on the command line: {line}"),
        Cause::Timer { rule } => format!("time: {rule}"),
    }
}
