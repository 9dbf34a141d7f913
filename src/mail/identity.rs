//! Who we are, and which robots we know: what origin and manners are decided against.

use super::Address;

/// Our own addresses and those of known report robots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// Every mailbox that we send from, with or without `+tag`.
    pub addresses: Vec<Address>,
    /// The part of our Message-IDs behind the `@`; empty when unknown.
    pub message_id_domain: String,
    /// Canonical addresses (see [`Address::canonical`]) of robots that report regressions, and of their operators.
    pub robots: Vec<String>,
}

impl Identity {
    /// Whether the mailbox is ours, whatever its `+tag`.
    pub fn is_us(&self, address: &Address) -> bool {
        let canonical = address.canonical();
        self.addresses.iter().any(|a| a.canonical() == canonical)
    }

    /// Whether the mailbox belongs to a known report robot.
    pub fn is_robot(&self, address: &Address) -> bool {
        self.robots.contains(&address.canonical())
    }
}

/// Whether somebody is called as robots are: `kernel test robot`, `Perf CI`.
pub fn is_robot_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower
        .split(|c: char| !c.is_alphanumeric())
        .any(|w| matches!(w, "robot" | "bot" | "ci" | "syzbot" | "lkp"))
}
