//! Who may give which command, and whose word needs proof.

use super::Policy;
use super::event::MailRef;
use crate::regression::Role;
use crate::regression::command::{Command, Verb};

/// Least role a verb. What is not named may be asked by anybody, as with the bots that people know: every change is kept
/// with its author, and can be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rights(Vec<(&'static str, Role)>);

/// The verbs that decide over mail that waits.
const OPERATORS: &[&str] = &["send", "upstream", "reject", "unreject"];

impl Default for Rights {
    fn default() -> Self {
        Self(OPERATORS.iter().map(|verb| (*verb, Role::Operator)).collect())
    }
}

impl Rights {
    /// Sets the least role of a verb, by its usual name or another one.
    ///
    /// # Errors
    /// When there is no such verb: the nearest one that there is, where one is near.
    pub fn set(&mut self, verb: &str, role: Role) -> Result<(), Option<String>> {
        let Some(verb) = Verb::any(verb) else {
            return Err(crate::triage::nearest(verb, &Verb::every_name()));
        };
        self.0.retain(|(name, _)| *name != verb.name);
        self.0.push((verb.name, role));
        Ok(())
    }

    /// The role that a command needs.
    pub fn needs(&self, command: &Command) -> Role {
        self.of(command.verb())
    }

    /// The role that a verb needs, by its usual name.
    pub fn of(&self, verb: &str) -> Role {
        self.0.iter().find(|(name, _)| *name == verb).map_or(Role::Other, |(_, role)| *role)
    }
}

/// Whose commands count only when our mail server vouches for the sender (RFC 8601).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authentication {
    /// The name under which our server writes its Authentication-Results.
    pub authserv_id: String,
    /// Roles whose word needs proof.
    pub require: Vec<Role>,
}

impl Policy {
    /// Why the word of somebody in this role does not count; `None` when it does.
    pub fn doubt<'a>(&self, mail: &'a MailRef, role: Role) -> Option<&'a str> {
        let wanted = self.authentication.as_ref().is_some_and(|a| a.require.contains(&role));
        mail.unproven.as_deref().filter(|_| wanted)
    }
}
