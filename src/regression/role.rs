//! In which role somebody speaks in a thread.

use serde::{Deserialize, Serialize};

/// The speaker's standing towards one regression. Rights hang on it (`[commands]` in the config).
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
pub enum Role {
    /// Anybody else.
    Other,
    /// Reported it (a person, for reports by people).
    Reporter,
    /// Wrote the culprit.
    Author,
    /// Maintains the area, or signed the culprit off.
    Maintainer,
    /// Runs the robot that reported it, or that robot itself.
    Robot,
    /// Runs this bot.
    Operator,
}
