//! The states of a tracked regression.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Where a regression stands.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Reported; nobody answered yet.
    Open,
    /// Somebody looks into it.
    Investigating,
    /// Somebody else sees it too, or the cause is admitted.
    Confirmed,
    /// A fix is promised.
    FixPlanned,
    /// A fix can be tested.
    FixProposed,
    /// A fix is in some tree, or a fix is claimed to exist.
    FixQueued,
    /// Numbers show that it is gone.
    Fixed,
    /// Somebody's own run shows nothing.
    NotReproducible,
    /// Intended or unavoidable.
    Expected,
    /// Known and accepted.
    WontFix,
    /// The report, the bisection or the metric is contested.
    Disputed,
    /// The same as another one.
    Duplicate,
    /// The commit was taken out.
    Dropped,
    /// There never was a regression.
    Invalid,
    /// It cannot be told, and nobody will find out.
    Inconclusive,
}

/// What a state means for those who owe an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Somebody has to act.
    Active,
    /// Dismissed in words; closes only by command or after the policy's delay without objection.
    Answered,
    /// Over.
    Closed,
}

impl State {
    /// Every state, in the order of `docs/states.md`.
    pub const ALL: [State; 15] = [
        State::Open,
        State::Investigating,
        State::Confirmed,
        State::FixPlanned,
        State::FixProposed,
        State::FixQueued,
        State::Fixed,
        State::NotReproducible,
        State::Expected,
        State::WontFix,
        State::Disputed,
        State::Duplicate,
        State::Dropped,
        State::Invalid,
        State::Inconclusive,
    ];

    /// Active, answered or closed.
    pub fn standing(self) -> Standing {
        match self {
            State::Open
            | State::Investigating
            | State::Confirmed
            | State::FixPlanned
            | State::FixProposed
            | State::FixQueued => Standing::Active,
            State::NotReproducible
            | State::Expected
            | State::WontFix
            | State::Disputed
            | State::Dropped => Standing::Answered,
            State::Fixed | State::Duplicate | State::Invalid | State::Inconclusive => {
                Standing::Closed
            }
        }
    }

    /// The kebab-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            State::Open => "open",
            State::Investigating => "investigating",
            State::Confirmed => "confirmed",
            State::FixPlanned => "fix-planned",
            State::FixProposed => "fix-proposed",
            State::FixQueued => "fix-queued",
            State::Fixed => "fixed",
            State::NotReproducible => "not-reproducible",
            State::Expected => "expected",
            State::WontFix => "wont-fix",
            State::Disputed => "disputed",
            State::Duplicate => "duplicate",
            State::Dropped => "dropped",
            State::Invalid => "invalid",
            State::Inconclusive => "inconclusive",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for State {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        State::ALL.into_iter().find(|s| s.as_str() == text).ok_or_else(|| {
            let names: Vec<_> = State::ALL.iter().map(|s| s.as_str()).collect();
            format!("unknown state `{text}`; one of {}", names.join(", "))
        })
    }
}
