//! Who may give which command.

use crate::regression::Role;
use crate::regression::command::{Command, VERBS};

/// Least role a verb. What is not named may be asked by anybody, as with the bots that people know: every change is kept
/// with its author, and can be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rights(Vec<(String, Role)>);

impl Default for Rights {
    fn default() -> Self {
        let operator = ["send", "upstream"];
        Self(operator.iter().map(|v| ((*v).to_owned(), Role::Operator)).collect())
    }
}

impl Rights {
    /// Sets the least role of a verb.
    ///
    /// # Errors
    /// When there is no such verb.
    pub fn set(&mut self, verb: &str, role: Role) -> Result<(), String> {
        if !VERBS.iter().any(|v| v.name == verb) {
            let names: Vec<&str> = VERBS.iter().map(|v| v.name).collect();
            return Err(format!("one of {}", names.join(", ")));
        }
        self.0.retain(|(name, _)| name != verb);
        self.0.push((verb.to_owned(), role));
        Ok(())
    }

    /// The role that a command needs.
    pub fn needs(&self, command: &Command) -> Role {
        let verb = verb(command);
        self.0.iter().find(|(name, _)| name == verb).map_or(Role::Other, |(_, role)| *role)
    }
}

/// The usual name of a command's verb.
fn verb(command: &Command) -> &'static str {
    match command {
        Command::Status => "status",
        Command::Help => "help",
        Command::Title(_) => "title",
        Command::Introduced { .. } => "introduced",
        Command::Fix(_) => "fix",
        Command::Unfix => "unfix",
        Command::DupOf(_) => "dup-of",
        Command::Undup => "undup",
        Command::Invalid(_) => "invalid",
        Command::Resolve(_) => "resolve",
        Command::Inconclusive(_) => "inconclusive",
        Command::Expected(_) => "expected",
        Command::WontFix(_) => "wont-fix",
        Command::Reopen(_) => "reopen",
        Command::Undo => "undo",
        Command::Link(..) => "link",
        Command::Unlink(_) => "unlink",
        Command::Monitor(..) => "monitor",
        Command::Snooze(_) => "snooze",
        Command::Backburn(_) => "backburn",
        Command::Unbackburn => "unbackburn",
        Command::Note(_) => "note",
        Command::IgnoreActivity => "ignore-activity",
        Command::From(_) => "from",
        Command::Use(_) => "use",
        Command::NotMe => "not-me",
        Command::OptOut => "opt-out",
        Command::Retest => "retest",
        Command::Test { .. } => "test",
        Command::Send => "send",
        Command::Upstream => "upstream",
        Command::Set(..) => "set",
        Command::Unset(_) => "unset",
        Command::Reject => "reject",
        Command::Unreject => "unreject",
    }
}
