//! The box of further tests that the same commit touches (`+---+`), laid out as in LKP's mails.

use crate::bench::Environment;

use super::number::shorten;
use super::title::{failure_word, size, word};
use super::{Brief, Finding, ReportKind};
use crate::stats::Kind;

/// Text columns of the left cell: `testcase: change`.
const LEFT: usize = 16;

/// Entries that a box may have; a mail is no database.
const MOST: usize = 12;

/// Parameters of an entry.
const MOST_PARAMETERS: usize = 20;

/// The box, line by line; empty when the commit touches nothing else. `hidden` entries did not fit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImpactBox {
    /// Lines of at most the asked width.
    pub lines: Vec<String>,
    /// Entries left out.
    pub hidden: usize,
}

/// One entry: what changed where.
struct Entry<'a> {
    change: String,
    what: What<'a>,
    /// Bad news first: the kinds are declared from bad to harmless.
    kind: Kind,
    finding: &'a Finding,
}

/// Of which name.
enum What<'a> {
    Metric(&'a str),
    Failure(String),
}

/// Everything that a report's headline does not say: further kpis of the lead test, and all of the other ones.
pub fn impact(brief: &Brief, width: usize) -> ImpactBox {
    let headline = brief.lead.headline().map(|c| c.metric.as_str());
    let failure = brief.lead.failure().map(|f| f.name);
    let said = |entry: &Entry| match (brief.kind, &entry.what) {
        (ReportKind::Failure, What::Failure(name)) => Some(name) == failure.as_ref(),
        (ReportKind::Failure, What::Metric(_)) => false,
        (_, What::Metric(name)) => Some(*name) == headline,
        _ => false,
    };
    let mut entries: Vec<Entry> = self::entries(&brief.lead).filter(|e| !said(e)).collect();
    entries.extend(brief.others.iter().flat_map(self::entries));
    entries.sort_by_key(|e| e.kind);
    boxed(&entries, width)
}

/// The box of findings that have no mail of their own: follow-ups list what else shows the change.
pub fn impact_of(findings: &[Finding], width: usize) -> ImpactBox {
    let entries: Vec<Entry> = findings.iter().flat_map(entries).collect();
    boxed(&entries, width)
}

fn entries(finding: &Finding) -> impl Iterator<Item = Entry<'_>> {
    let test = &finding.notification.test.name;
    let changes = finding.raising().map(move |c| Entry {
        change: format!("{test}: {} {} {}", c.metric, size(c), word(c.kind)),
        what: What::Metric(&c.metric),
        kind: c.kind,
        finding,
    });
    let failure = finding.failure().map(move |f| {
        let counts =
            format!("{}:{} -> {}:{}", f.base.fails, f.base.runs, f.head.fails, f.head.runs);
        let change = format!("{test}: {} {} ({counts})", f.name, failure_word(&f));
        Entry { change, what: What::Failure(f.name), kind: Kind::Regression, finding }
    });
    changes.chain(failure)
}

fn boxed(entries: &[Entry], width: usize) -> ImpactBox {
    if entries.is_empty() {
        return ImpactBox::default();
    }
    let hidden = entries.len().saturating_sub(MOST);
    // `| ` + left + ` | ` + right + ` |`
    let most = width.saturating_sub(LEFT + 7).max(20);
    let mut blocks: Vec<Vec<(&str, String)>> = Vec::new();
    for entry in entries.iter().take(MOST) {
        let mut rows = Vec::new();
        fill(&mut rows, "testcase: change", &entry.change, most);
        let n = &entry.finding.notification;
        fill(&mut rows, "test machine", &machine(&n.environment), most);
        let mut label = "test parameters";
        for (key, value) in n.test.parameters.iter().take(MOST_PARAMETERS) {
            rows.push((label, shorten(&format!("{key}={value}"), most)));
            label = "";
        }
        if n.test.parameters.len() > MOST_PARAMETERS {
            rows.push(("", "...".to_owned()));
        }
        blocks.push(rows);
    }
    let widest = blocks.iter().flatten().map(|(_, text)| text.chars().count()).max().unwrap_or(0);
    let rule = format!("+{}+{}+", "-".repeat(LEFT + 2), "-".repeat(widest + 2));
    let mut lines = vec![rule.clone()];
    for block in blocks {
        lines.extend(
            block.iter().map(|(label, text)| format!("| {label:<LEFT$} | {text:<widest$} |")),
        );
        lines.push(rule.clone());
    }
    ImpactBox { lines, hidden }
}

/// A cell, on further lines with an empty label where it is too wide.
fn fill<'a>(rows: &mut Vec<(&'a str, String)>, label: &'a str, text: &str, most: usize) {
    let mut label = label;
    for line in super::wrap::wrap_cell(text, most) {
        rows.push((label, line));
        label = "";
    }
}

/// The machine in one line: `lab-a: 8 threads Ivy Bridge (model) with 16G memory`.
pub fn machine(environment: &Environment) -> String {
    let mut text = environment.machine.clone();
    // Labs often repeat the processor as the model.
    let model = environment.model.as_ref().filter(|model| {
        !text.contains(model.as_str())
            && environment.cpu.as_ref().is_none_or(|cpu| !cpu.contains(model.as_str()))
    });
    match (&environment.cpu, model) {
        (Some(cpu), Some(model)) => text += &format!(": {cpu} ({model})"),
        (Some(only), None) if !text.contains(only.as_str()) => text += &format!(": {only}"),
        (None, Some(only)) => text += &format!(": {only}"),
        _ => {}
    }
    if let Some(memory) = &environment.memory {
        text +=
            &format!(" with {memory}{}", if memory.contains("memory") { "" } else { " memory" });
    }
    text
}
