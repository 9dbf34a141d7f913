//! The first mail about a commit.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::clean::Cleaner;
use super::super::frame::Frame;
use super::super::{finish::WIDTH, shell};
use super::{Extent, FindingView, FooterView, Headline, Pair, TableView};
use crate::report::{Brief, Finding, ReportKind, Sure, impact, subject, sure, title, word_of};
use crate::stats::{Change, Kind};

/// What `report.txt` and its sisters see.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReportView {
    /// The whole subject line.
    pub subject: String,
    /// What the regression is called from now on: `metric -X% regression`.
    pub title: String,
    /// `regression`, `improvement`, `change`, `mixed`, `no-change` or `failure`.
    pub kind: String,
    /// The test that names the mail.
    pub lead: FindingView,
    /// Of a mixed result: the best improvement.
    pub good: Option<Headline>,
    /// What speaks for it.
    pub good_sure: Option<Sure>,
    /// Further tests, machines and metrics that the same commit touches.
    pub impact: BoxView,
    /// Trailers for whoever fixes it; absent where there is nothing to fix.
    pub tags: Option<TagsView>,
    /// Tables of the other tests, with fewer rows.
    pub tables: Vec<TableView>,
    /// How to see it oneself.
    pub reproduce: ReproduceView,
    /// What it ran on, key by key.
    pub environment: Vec<Pair>,
    /// The foot.
    pub footer: FooterView,
}

/// A `+---+` box.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct BoxView {
    /// Its lines; empty when there is nothing to tell.
    pub lines: Vec<String>,
    /// Entries that did not fit.
    pub hidden: usize,
}

/// Trailers, checkpatch-clean.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TagsView {
    /// Value of Reported-by: name and tagged address of the bot.
    pub reported_by: String,
    /// Value of Closes: the archive's address of this mail.
    pub closes: Option<String>,
}

/// How to see it oneself.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReproduceView {
    /// Plain commands, each at most a line wide.
    pub commands: Vec<String>,
    /// Name of a job file for lkp-tests.
    pub job: Option<String>,
    /// Where config, logs and raw results are.
    pub materials: Option<String>,
}

impl ReportView {
    /// Of a cleaned brief.
    pub(in crate::render) fn new(
        brief: &Brief,
        frame: &Frame,
        clean: Cleaner,
        extent: Extent,
    ) -> Self {
        let lead = &brief.lead;
        let base = &lead.notification.base.commit;
        // The same test on further commits fills columns of the lead's table; other tests have tables of their own.
        let columns: Vec<&Finding> = brief
            .others
            .iter()
            .filter(|f| f.same_series(lead) && f.notification.base.commit == *base)
            .collect();
        let elsewhere: Vec<Finding> =
            brief.others.iter().filter(|f| !f.same_series(lead)).cloned().collect();
        let tables = elsewhere.iter().take(extent.other_tables);
        let tables: Vec<TableView> =
            tables.map(|f| TableView::new(f, &[], extent.other_rows)).collect();
        let apart = Brief { kind: brief.kind, lead: lead.clone(), others: elsewhere };
        let shown = impact(&apart, WIDTH);
        let fixable =
            matches!(brief.kind, ReportKind::Regression | ReportKind::Mixed | ReportKind::Failure);
        let best = best(brief);
        // A failure needs no metric beside it, unless that changed on its own account.
        let headline =
            if brief.kind == ReportKind::Failure { lead.lead() } else { lead.headline() };
        Self {
            subject: subject(brief),
            title: title(brief),
            kind: word_of(brief.kind).to_owned(),
            lead: FindingView::new(lead, headline, &columns, extent),
            good: best.map(|(_, change)| Headline::new(change)),
            good_sure: best.map(|(finding, change)| sure(finding, change)),
            impact: BoxView { lines: shown.lines, hidden: shown.hidden },
            tags: fixable.then(|| TagsView {
                reported_by: clean.brief_text(&frame.bot.to_string()),
                closes: frame.link(),
            }),
            tables: tables.into_iter().filter(|t| t.filled).collect(),
            reproduce: ReproduceView::new(lead, extent),
            environment: environment(lead),
            footer: FooterView::new(frame, clean),
        }
    }
}

fn best(brief: &Brief) -> Option<(&Finding, &Change)> {
    if brief.kind != ReportKind::Mixed {
        return None;
    }
    let all = brief.findings().flat_map(|f| f.raising().map(move |c| (f, c)));
    let size = |c: &Change| c.change_percent.map_or(0.0, f64::abs);
    all.filter(|(_, c)| c.kind == Kind::Improvement)
        .max_by(|(_, a), (_, b)| size(a).total_cmp(&size(b)))
}

impl ReproduceView {
    /// Commands stand behind eight blanks.
    const INDENT: usize = 8;

    pub(in crate::render) fn new(finding: &Finding, extent: Extent) -> Self {
        let n = &finding.notification;
        let commands = n.reproduce.iter().flat_map(|c| shell::fold(c, WIDTH - Self::INDENT));
        let mut commands: Vec<String> = commands.filter(|c| !c.is_empty()).collect();
        if commands.len() > extent.commands {
            let more = commands.len() - extent.commands;
            commands.truncate(extent.commands);
            commands.push(format!("# ({more} more lines)"));
        }
        let job = |name: &&String| {
            let name = name.to_ascii_lowercase();
            name.starts_with("job") && (name.ends_with(".yaml") || name.ends_with(".yml"))
        };
        Self {
            commands,
            job: n.attachments.iter().find(job).cloned(),
            materials: n.materials.clone(),
        }
    }
}

fn environment(finding: &Finding) -> Vec<Pair> {
    let n = &finding.notification;
    let e = &n.environment;
    let mut pairs = vec![("machine", Some(e.machine.clone()))];
    pairs.push(("model", e.model.clone()));
    pairs.push(("cpu", e.cpu.clone()));
    pairs.push(("memory", e.memory.clone()));
    pairs.push(("compiler", e.compiler.clone()));
    pairs.push(("kernel config", e.kernel_config.clone()));
    pairs.push(("rootfs", e.rootfs.clone()));
    pairs.extend(e.other.iter().map(|(k, v)| (k.as_str(), Some(v.clone()))));
    let benchmark = n.test.version.as_ref().map(|v| format!("{} {v}", n.test.name));
    pairs.push(("benchmark", benchmark));
    let pair =
        |(key, value): (&str, Option<String>)| Some(Pair { key: key.to_owned(), value: value? });
    pairs.into_iter().filter_map(pair).collect()
}
