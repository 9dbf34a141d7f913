//! What is known beforehand: standing orders, rules, knowledge of metrics, who we are.

use crate::bench::Knowledge;
use crate::config::Diagnostic;
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
    /// Built-in knowledge and rules, those of the user in their place where there are any (file name, text).
    ///
    /// # Errors
    /// Every rule that is broken, with its place.
    pub fn new(policy: Policy, _rules: &[(String, String)]) -> Result<Self, Vec<Diagnostic>> {
        let identity = Identity {
            addresses: vec![policy.bot.clone()],
            // People may share our domain: own mail is known by its address, and by its id in the outbox.
            message_id_domain: String::new(),
            robots: policy.robots.addresses().map(str::to_owned).collect(),
        };
        Ok(Self {
            policy,
            identity,
            knowledge: Knowledge::embedded(),
            settings: Settings::default(),
        })
    }

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
