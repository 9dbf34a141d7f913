//! The verdicts that a mail can get.

use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// What a mail means for the regression that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Label {
    /// Explicit `#regard`, `#regzbot` or `#syz` lines.
    Command,
    /// The reporter takes the report back.
    Retracted,
    /// A named fix removes the change.
    TestedGood,
    /// A fix does not help.
    TestedBad,
    /// A fix helps in part.
    PartialFix,
    /// A fix that can be tested.
    FixPosted,
    /// A maintainer queued the fix.
    FixApplied,
    /// Names a fix that exists already.
    AlreadyFixed,
    /// Promises a fix.
    FixPlanned,
    /// The commit was taken out.
    Reverted,
    /// Somebody else sees it, or the cause is admitted.
    Confirmed,
    /// Seen again on a newer tree.
    StillPresent,
    /// Somebody overrides a dismissal.
    Objection,
    /// Own run shows nothing.
    NotReproducible,
    /// Intended or unavoidable.
    Expected,
    /// Accepted, no time, not worth it.
    WontFix,
    /// Contested.
    Disputed,
    /// Known already.
    Duplicate,
    /// There never was one (by command, mostly).
    Invalid,
    /// Cannot be told.
    Inconclusive,
    /// Works on it.
    Investigating,
    /// A diagnostic patch, not a fix.
    TestRequest,
    /// Asks somebody something.
    NeedsInfo,
    /// Agrees, acknowledges.
    Ack,
    /// A nudge.
    Ping,
    /// Review tags on a patch.
    ReviewOnly,
    /// A new version of the reported patch.
    PatchRespin,
    /// Data or chatter by the robot's side.
    RobotSelf,
    /// About the robot: wording, recipients.
    OffTopic,
    /// Thanks, talk, anything without a verdict.
    NoAction,
    /// No new words at all.
    QuoteOnly,
    /// Machine answer.
    AutoReply,
    /// Delivery status.
    Bounce,
    /// List software.
    Moderation,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One spelling only: the serde name.
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let name = |label: &Label| serde_json::to_string(label).unwrap_or_default();
    Label::ALL.iter().map(|label| name(label).trim_matches('"').to_owned()).collect()
});

impl Label {
    /// The name in rule files.
    pub fn name(self) -> &'static str {
        NAMES.get(self as usize).map_or("", String::as_str)
    }

    /// Every verdict, in the order of the list above.
    pub const ALL: [Label; 34] = [
        Label::Command,
        Label::Retracted,
        Label::TestedGood,
        Label::TestedBad,
        Label::PartialFix,
        Label::FixPosted,
        Label::FixApplied,
        Label::AlreadyFixed,
        Label::FixPlanned,
        Label::Reverted,
        Label::Confirmed,
        Label::StillPresent,
        Label::Objection,
        Label::NotReproducible,
        Label::Expected,
        Label::WontFix,
        Label::Disputed,
        Label::Duplicate,
        Label::Invalid,
        Label::Inconclusive,
        Label::Investigating,
        Label::TestRequest,
        Label::NeedsInfo,
        Label::Ack,
        Label::Ping,
        Label::ReviewOnly,
        Label::PatchRespin,
        Label::RobotSelf,
        Label::OffTopic,
        Label::NoAction,
        Label::QuoteOnly,
        Label::AutoReply,
        Label::Bounce,
        Label::Moderation,
    ];
}

impl std::str::FromStr for Label {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = serde_json::from_value(text.into()).ok();
        found.ok_or_else(|| {
            let near = super::nearest(text, &names())
                .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            format!("there is no verdict `{text}`{near}")
        })
    }
}

/// The names of all verdicts.
pub(super) fn names() -> Vec<String> {
    Label::ALL.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_verdicts_stand_in_their_order() {
        for (number, label) in Label::ALL.into_iter().enumerate() {
            assert_eq!(label as usize, number, "{label}");
            assert_eq!(label.name().parse(), Ok(label));
        }
    }
}
