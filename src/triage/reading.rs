//! What triage concludes of one mail, and why.

use serde::Serialize;

use super::Label;
use crate::regression::State;

/// The conclusion. No findings is an honest verdict: undecided.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Reading {
    /// Most important first.
    pub findings: Vec<Finding>,
    /// Too weak to decide. With no findings beside them the mail is undecided and goes to the review list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<Finding>,
}

impl Reading {
    /// The finding that decides.
    pub fn primary(&self) -> Option<&Finding> {
        self.findings.first()
    }
}

/// One verdict with its evidence.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// The verdict.
    pub label: Label,
    /// Id of the rule that decided.
    pub rule: String,
    /// What the verdict does to the state when it stands alone: `None` moves nothing. `from` of `None` means "whatever".
    pub effect: Option<(Option<State>, State)>,
    /// 0 to 1.
    pub weight: f32,
    /// The words.
    pub evidence: Evidence,
    /// What the sentence points at, where it does: a commit, a subject, a Message-ID, a URL.
    pub points_at: Option<String>,
}

/// The words that decided, and where they stand.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Evidence {
    /// As written.
    pub text: String,
    /// Line of the body, 0-based.
    pub line: usize,
    /// The quoted line that the words answer, when their meaning hangs on it.
    pub answers: Option<String>,
}
