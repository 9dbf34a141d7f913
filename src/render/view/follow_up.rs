//! Later news in the thread of a report.

use schemars::JsonSchema;
use serde::Serialize;

use super::{BoxView, FindingView, FooterView, TableView};

/// What `follow-up-more.txt` sees.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MoreView {
    /// The whole subject line.
    pub subject: String,
    /// What the regression is called.
    pub title: String,
    /// Its state after the news.
    pub state: String,
    /// The tests and machines that show it too.
    pub impact: BoxView,
    /// Their tables.
    pub tables: Vec<TableView>,
    /// The foot.
    pub footer: FooterView,
}

/// What `follow-up-confirmed.txt`, `follow-up-not-confirmed.txt`, `follow-up-still-there.txt` and `follow-up-fixed.txt` see.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MeasuredView {
    /// The whole subject line.
    pub subject: String,
    /// What the regression is called.
    pub title: String,
    /// Its state after the news.
    pub state: String,
    /// The new numbers.
    pub lead: FindingView,
    /// The foot.
    pub footer: FooterView,
}

/// What `follow-up-closing.txt` sees.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ClosingView {
    /// The whole subject line.
    pub subject: String,
    /// What the regression is called.
    pub title: String,
    /// Its state.
    pub state: String,
    /// Who dismissed it.
    pub by: String,
    /// Their words, line by line.
    pub words: Vec<String>,
    /// When it closes: `YYYY-MM-DD`.
    pub on: String,
    /// The foot.
    pub footer: FooterView,
}

/// What `follow-up-fix-missing.txt` sees.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FixMissingView {
    /// The whole subject line.
    pub subject: String,
    /// What the regression is called.
    pub title: String,
    /// Its state.
    pub state: String,
    /// The fix that was announced: subject or id.
    pub fix: String,
    /// When.
    pub announced: String,
    /// The foot.
    pub footer: FooterView,
}
