//! What is known beforehand: standing orders, rules, knowledge of metrics, who we are.

use crate::bench::Knowledge;
use crate::engine::Policy;
use crate::mail::{Identity, Message};
use crate::regression::{Regression, Role};
use crate::stats::Settings;
use crate::triage::Reading;

/// The part of the desk that never changes while it works.
#[derive(Debug)]
pub struct Mind {
    /// Standing orders.
    pub policy: Policy,
    /// Our addresses, and the robots we know.
    pub identity: Identity,
    /// Directions, units and floors of metrics.
    pub knowledge: Knowledge,
    /// Thresholds of the decision.
    pub settings: Settings,
}

impl Mind {
    /// What a reply means.
    pub(super) fn read(
        &self,
        _message: &Message,
        _role: Role,
        _regression: Option<&Regression>,
    ) -> Reading {
        Reading::default()
    }
}
