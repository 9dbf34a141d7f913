//! What is known beforehand: standing orders, rules, knowledge of metrics, who we are.

use super::Commits;
use crate::bench::Knowledge;
use crate::config::Diagnostic;
use crate::engine::Policy;
use crate::mail::Identity;
use crate::stats::Settings;
use crate::triage::{self, RuleError, Rules};

/// The part of the desk that never changes while it works.
#[derive(Debug)]
pub struct Mind {
    /// Standing orders.
    pub policy: Policy,
    /// Our addresses, and the robots we know.
    pub identity: Identity,
    /// How replies are read.
    pub rules: Rules,
    /// Directions, units and floors of metrics.
    pub knowledge: Knowledge,
    /// Thresholds of the decision.
    pub settings: Settings,
    /// Trees that can be asked about a commit.
    pub commits: Commits,
}

impl Mind {
    /// Built-in knowledge and rules, those of the user in their place where there are any (file name, text).
    ///
    /// # Errors
    /// Every rule that is broken, with its place.
    pub fn new(policy: Policy, rules: &[(String, String)]) -> Result<Self, Vec<Diagnostic>> {
        let identity = Identity {
            addresses: vec![policy.bot.clone()],
            // People may share our domain: own mail is known by its address, and by its id in the outbox.
            message_id_domain: String::new(),
            robots: policy.robots.addresses().map(str::to_owned).collect(),
        };
        let overridden = !rules.is_empty();
        let rules = Rules::with_overrides(rules).map_err(|errors| diagnostics(&errors))?;
        // The built-in rules' examples hold: `tests/triage` sees to it.
        let broken = if overridden { triage::check(&rules) } else { Vec::new() };
        if !broken.is_empty() {
            return Err(diagnostics(&broken));
        }
        Ok(Self {
            rules,
            policy,
            identity,
            knowledge: Knowledge::embedded(),
            settings: Settings::default(),
            commits: Commits::default(),
        })
    }
}

fn diagnostics(errors: &[RuleError]) -> Vec<Diagnostic> {
    let one = |e: &RuleError| Diagnostic {
        file: e.file.clone().into(),
        place: (e.line > 0).then_some((e.line, e.column.max(1))),
        what: e.what.clone(),
        cure: e.cure.clone(),
    };
    errors.iter().map(one).collect()
}
