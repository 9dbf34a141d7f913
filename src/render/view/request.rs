//! A request to a lab.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::{clean::Cleaner, frame::Frame};
use super::{Extent, FindingView, FooterView};
use crate::bench::Commit;
use crate::engine::RunRequest;
use crate::report::{number, short};

/// What `run-request.txt` sees.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunRequestView {
    /// The whole subject line.
    pub subject: String,
    /// `confirm`, `test-fix` or `retest`.
    pub purpose: String,
    /// Runs a side that are asked for.
    pub runs: u32,
    /// The fix to test: commit, subject, Message-ID or address.
    pub fix: Option<String>,
    /// What was seen so far.
    pub lead: FindingView,
    /// The request for the lab's scripts: JSON, line by line.
    pub json: Vec<String>,
    /// The foot.
    pub footer: FooterView,
}

/// The machine-readable request. Its answer is a notification with the same `regression`.
#[derive(Serialize)]
struct Request<'a> {
    /// Version of the format.
    #[serde(rename = "regard-request")]
    version: u32,
    purpose: &'a str,
    runs: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'a str>,
    regression: Option<&'a str>,
    answer_to: &'a str,
    tree: &'a crate::bench::Tree,
    base: &'a str,
    head: &'a str,
    test: Test<'a>,
    environment: &'a crate::bench::Environment,
}

#[derive(Serialize)]
struct Test<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'a str>,
    parameters: &'a std::collections::BTreeMap<String, String>,
}

impl RunRequestView {
    pub(in crate::render) fn new(
        request: &RunRequest,
        frame: &Frame,
        clean: Cleaner,
        extent: Extent,
    ) -> Self {
        let finding = clean.finding(&request.finding);
        let n = &finding.notification;
        let (purpose, fix) = (
            clean.brief_text(&request.purpose),
            request.fix.as_deref().map(|fix| clean.brief_text(fix)),
        );
        let footer = FooterView::new(frame, clean);
        let json = Request {
            version: 1,
            purpose: &purpose,
            runs: request.runs,
            fix: fix.as_deref(),
            regression: footer.regression.as_deref(),
            answer_to: &footer.address,
            tree: &n.tree,
            base: &n.base.commit,
            head: &n.head.commit,
            test: Test {
                name: &n.test.name,
                version: n.test.version.as_deref(),
                parameters: &n.test.parameters,
            },
            environment: &n.environment,
        };
        // Serializing plain strings and numbers cannot fail; an empty request would be noticed by its reader.
        let json = serde_json::to_string_pretty(&json).unwrap_or_default();
        let cut = |c: &Commit| number::shorten(short(&c.commit, 10), 20);
        let subject = format!(
            "[run request] {}: {} {}..{}",
            purpose,
            n.test.name,
            cut(&n.base),
            cut(&n.head)
        );
        Self {
            subject: number::shorten(&subject, crate::report::SUBJECT_WIDTH),
            json: json.lines().map(str::to_owned).collect(),
            runs: request.runs,
            lead: FindingView::new(&finding, finding.headline(), &[], extent),
            purpose,
            fix,
            footer,
        }
    }
}
