//! What the operator decided beforehand.

use jiff::SignedDuration;

use super::{Authentication, Circle, Rights};
use crate::mail::Address;
use crate::report::Reach;
use crate::report::maintainers::Maintainers;

/// The operator's standing orders, from `regard.toml`.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The bot's own mailbox.
    pub bot: Address,
    /// Run this bot.
    pub operators: Circle,
    /// May send notifications.
    pub labs: Circle,
    /// Their reports are tracked.
    pub robots: Circle,
    /// Whom reports reach: tracking lists, private trees, wishes to get no mail, the cap.
    pub reach: Reach,
    /// Who looks after the files of a tree, by the tree's name.
    pub maintainers: Vec<(String, Maintainers)>,
    /// Empty: everybody may get mail.
    pub allowed: Circle,
    /// Who may give which command.
    pub rights: Rights,
    /// Whose commands need proof.
    pub authentication: Option<Authentication>,
    /// When a confirmation round is asked for.
    pub confirm: Confirm,
    /// Runs a side of it.
    pub confirm_runs: u32,
    /// Write about improvements too.
    pub improvements: bool,
    /// New reports a day.
    pub daily_limit: u32,
    /// An unopposed dismissal is announced to be closed after this.
    pub announce_close_after: SignedDuration,
    /// And closed this long after the announcement.
    pub close_after: SignedDuration,
    /// Whether any git tree is watched.
    pub watches_trees: bool,
    /// An announced fix that is in no watched tree after this is asked about.
    pub fix_missing_after: SignedDuration,
}

/// When a confirmation round is asked for before a report goes to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirm {
    /// Never: what passes all gates is reported at once.
    Never,
    /// When a single metric stands alone, or the first round is only suspicious.
    Lone,
    /// Always.
    Always,
}

impl Policy {
    /// Defaults of `regard.toml`, for a bot of that address.
    pub fn new(bot: Address) -> Self {
        Self {
            reach: Reach::new(bot.clone()),
            bot,
            operators: Circle::default(),
            labs: Circle::default(),
            robots: Circle::default(),
            maintainers: Vec::new(),
            allowed: Circle::default(),
            rights: Rights::default(),
            authentication: None,
            confirm: Confirm::Lone,
            confirm_runs: 3,
            improvements: true,
            daily_limit: 20,
            announce_close_after: SignedDuration::from_hours(24 * 30),
            close_after: SignedDuration::from_hours(24 * 7),
            watches_trees: false,
            fix_missing_after: SignedDuration::from_hours(24 * 90),
        }
    }

    /// The domain of the bot's address: its Message-IDs end in it.
    pub fn domain(&self) -> &str {
        self.bot.email.rsplit_once('@').map_or("localhost", |(_, domain)| domain)
    }
}
