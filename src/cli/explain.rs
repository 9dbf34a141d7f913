//! `regard explain`: everything that is understood of a mail, and why. Offline; nothing is stored.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::args::{Args, ExplainArgs};
use super::context::Failure;
use super::rules::Ruleset;
use super::{Outcome, output};
use crate::archive::{self, Raw};
use crate::intake::{self, Understood};
use crate::mail::{self, Identity, Message, Shape};
use crate::regression::thread::Threads;
use crate::report::{self, Report};
use crate::triage::{Explanation, Label};

pub(super) fn run(args: &Args, explain: &ExplainArgs) -> Result<Outcome, Failure> {
    let identity = args.identity(&explain.robot)?;
    let rules = Ruleset::current(args)?.compile()?;
    let threads = threads(explain, &identity)?;
    for path in &explain.files {
        for raw in archive::open(path).map_err(|e| Failure::Message(e.to_string()))? {
            let raw = raw.map_err(|e| Failure::Message(e.to_string()))?;
            let message = parse(&raw);
            let understood = intake::understand(&message, &rules, &identity, &threads, !args.json);
            let found = report::read_mail(&message.subject, &message.body);
            let report = found.reports.into_iter().next();
            if args.json {
                output::json(&line(&raw.label, &understood, report.as_ref(), &found.defects)?)?;
            } else {
                let text =
                    text(&raw.label, &message, &understood, report.as_ref(), args.verbose > 0);
                output::print(&text)?;
            }
        }
    }
    Ok(Outcome::Fine)
}

/// The threads that `--with` and the files themselves tell.
fn threads(explain: &ExplainArgs, identity: &Identity) -> Result<Threads, Failure> {
    let mut threads = Threads::default();
    let paths: Vec<&PathBuf> = explain.with.iter().chain(&explain.files).collect();
    let bar = output::spinner("reading threads");
    for path in paths {
        for raw in archive::open(path).map_err(|e| Failure::Message(e.to_string()))? {
            // A mail that cannot be read is told of when it is explained.
            let Ok(raw) = raw else { continue };
            let message = parse(&raw);
            threads.add(&message, intake::about(&message, identity));
            bar.set_message(format!("reading threads: {} mails", threads.len()));
        }
    }
    bar.finish_and_clear();
    Ok(threads)
}

fn parse(raw: &Raw) -> Message {
    match mail::sniff(&raw.bytes) {
        Shape::Page => mail::parse_page(&String::from_utf8_lossy(&raw.bytes)),
        _ => mail::parse(&raw.bytes),
    }
}

fn line(
    file: &str,
    understood: &Understood,
    report: Option<&Report>,
    defects: &[String],
) -> Result<Value, Failure> {
    let mut line = json!({ "file": file });
    let told = understood.to_json();
    if let (Value::Object(line), Value::Object(told)) = (&mut line, told) {
        line.extend(told);
        let report = serde_json::to_value(report).map_err(|e| Failure::Message(e.to_string()))?;
        line.insert("report".to_owned(), report);
        if let Some(Value::Array(all)) = line.get_mut("defects") {
            all.extend(defects.iter().map(|d| Value::String(d.clone())));
        }
        // The order of design: defects last.
        if let Some(all) = line.shift_remove("defects") {
            line.insert("defects".to_owned(), all);
        }
    }
    Ok(line)
}

/// The same for people.
fn text(
    file: &str,
    message: &Message,
    u: &Understood,
    report: Option<&Report>,
    all: bool,
) -> String {
    let mut out = format!("{file}\n");
    let mut fact = |name: &str, value: String| {
        if !value.is_empty() {
            out += &format!("    {name:<11} {value}\n");
        }
    };
    fact("message", u.id.as_ref().map_or_else(|| message.key.clone(), ToString::to_string));
    fact("from", message.from.as_ref().map_or_else(String::new, ToString::to_string));
    fact("subject", message.subject.clone());
    fact("origin", output::word(&u.origin));
    fact("role", output::word(&u.role));
    let thread = u.report.as_ref().map(|(id, via)| format!("{id}, found by {}", output::word(via)));
    fact("thread", thread.unwrap_or_else(|| "none that is known".to_owned()));
    for finding in &u.reading.findings {
        let effect = finding.effect.map_or_else(
            || "moves nothing".to_owned(),
            |(from, to)| {
                format!("{} -> {to}", from.map_or("any", crate::regression::State::as_str))
            },
        );
        fact(
            "verdict",
            format!(
                "{} ({effect}) [{}, weight {:.2}]",
                finding.label, finding.rule, finding.weight
            ),
        );
        let words = &finding.evidence.text;
        fact("", if words.is_empty() { String::new() } else { format!("\"{words}\"") });
        fact(
            "",
            finding
                .evidence
                .answers
                .as_ref()
                .map_or_else(String::new, |a| format!("answers \"{a}\"")),
        );
        fact("", finding.points_at.as_ref().map_or_else(String::new, |p| format!("points at {p}")));
    }
    if u.reading.findings.is_empty() {
        fact("verdict", "undecided".to_owned());
    }
    for tag in &u.trailers {
        fact("tag", format!("{}: {}", tag.name, tag.value));
    }
    for given in &u.commands.given {
        fact("command", given.line.clone());
    }
    for unclear in &u.commands.unclear {
        let mean = unclear
            .did_you_mean
            .as_ref()
            .map_or_else(String::new, |m| format!("; did you mean `{m}`?"));
        fact("unclear", format!("{}: {}{mean}", unclear.line, unclear.why));
    }
    fact("report", report.map_or_else(String::new, summary));
    for defect in &u.defects {
        fact("defect", defect.clone());
    }
    if let Some(explanation) = &u.explanation {
        out += &trace(explanation, all);
    }
    out.push('\n');
    out
}

fn summary(r: &Report) -> String {
    let quoted = if r.quoted { "quoted, " } else { "" };
    let kind = r.kind.map_or_else(String::new, |k| output::word(&k));
    let change = r.change_percent.map_or_else(String::new, |c| format!(" {c}%"));
    format!(
        "{quoted}by {}: {}{change} {kind}, commit {}, {} rows, {} further tests, {} failures",
        r.source,
        r.metric.as_deref().unwrap_or("no metric"),
        r.commit.as_deref().unwrap_or("unknown"),
        r.rows.len(),
        r.impacted.len(),
        r.failures.len()
    )
}

/// Sentences as the rules saw them, and the rules that were near.
fn trace(e: &Explanation, all: bool) -> String {
    let mut out = format!("    facts       {}\n", e.facts.join(", "));
    for (number, s) in e.sentences.iter().enumerate() {
        out += &format!("    {number:>3}  {}\n", s.text);
        if s.plain != s.text {
            out += &format!("         read as: {}\n", s.plain);
        }
        let forms: Vec<String> = s.forms.iter().map(output::word).collect();
        if !forms.is_empty() {
            out += &format!("         not a plain statement: {}\n", forms.join(", "));
        }
        if let Some(answers) = &s.answers {
            out += &format!("         answers: {answers}\n");
        }
    }
    for rule in e.rules.iter().filter(|r| all || r.fired || r.sentence.is_some()) {
        let place = rule.sentence.map_or_else(String::new, |s| format!(" at sentence {s}"));
        let outcome = if rule.fired { "fired".to_owned() } else { format!("no: {}", rule.why_not) };
        out += &format!("    rule {}{place}: {outcome}\n", rule.rule);
    }
    if !e.belief.is_empty() {
        let share = |(label, share): &(Label, f32)| format!("{label} {:.0} %", share * 100.0);
        let shares: Vec<String> = e.belief.iter().map(share).collect();
        out += &format!("    belief      {}\n", shares.join(", "));
    }
    out
}
