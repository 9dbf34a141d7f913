//! Who gets a report, and why each of them.

use serde::{Deserialize, Serialize};

use super::maintainers::{KeeperRole, Maintainers};

use super::{Brief, ReportKind};
use crate::mail::Address;

/// Why the owner of a private tree gets its reports.
const OWNER: &str = "tree owner";

/// Somebody who gets the mail, and why (`author`, `reviewed-by`, `list`, `maintainer of SCHEDULER`, `lab`, `sender`, `operator`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipient {
    /// Mailbox.
    pub address: Address,
    /// The role that put it there.
    pub why: String,
}

/// Whom the operator wants reports to reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// The bot's own mailbox: never a recipient.
    pub bot: Address,
    /// Get every report.
    pub lists: Vec<Address>,
    /// Trees that are nobody else's business.
    pub private_trees: Vec<PrivateTree>,
    /// Who wants no more mail.
    pub opt_outs: Vec<OptOut>,
    /// Trailers that put somebody on the mail, in order of rank. `Cc` is none of them: fifty people in the Cc of a bisected commit did
    /// not ask for mail.
    pub trailers: Vec<String>,
    /// Whether maintainers of the touched files are written to.
    pub maintainers: bool,
    /// People on one mail at most, lists not counted.
    pub most: usize,
}

/// A tree that lives in somebody's private corner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivateTree {
    /// `name`, or `name:branch`; `*` at the end matches any rest.
    pub tree: String,
    /// The only one who gets its reports.
    pub owner: Address,
}

/// A wish to get no more mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptOut {
    /// A mailbox, or `@domain`.
    pub who: String,
    /// Only for commits of this area and those below it (`drm`, `net`); `None` for everything.
    pub area: Option<String>,
}

impl Reach {
    /// Nobody is private, nobody has opted out.
    pub fn new(bot: Address) -> Self {
        let trailers = [
            "Signed-off-by",
            "Reviewed-by",
            "Acked-by",
            "Co-developed-by",
            "Suggested-by",
            "Reported-by",
            "Tested-by",
        ];
        Self {
            bot,
            lists: Vec::new(),
            private_trees: Vec::new(),
            opt_outs: Vec::new(),
            trailers: trailers.map(str::to_owned).to_vec(),
            maintainers: true,
            most: 12,
        }
    }

    /// Whether somebody wants no mail about a commit with this subject.
    pub fn opted_out(&self, address: &Address, subject: Option<&str>) -> bool {
        let area = subject.and_then(super::area);
        let email = address.canonical();
        self.opt_outs.iter().any(|o| o.covers(&email, area.as_deref()))
    }

    /// Whether an address (canonical) wants no mail about anything.
    pub fn is_opted_out(&self, email: &str) -> bool {
        self.opt_outs.iter().any(|o| o.area.is_none() && o.covers(email, None))
    }

    /// The only one who gets reports about a private tree.
    pub fn owner_of(&self, name: Option<&str>, branch: Option<&str>) -> Option<&Address> {
        let name = name?;
        let tree = format!("{name}:{}", branch.unwrap_or_default());
        self.private_trees.iter().find(|p| p.covers(name, &tree)).map(|p| &p.owner)
    }
}

/// Everybody who should read a brief, most concerned first: people up to the cap, then lists. `patch` is what `K:` patterns of a
/// MAINTAINERS file look at: message and patch of the culprit, empty when unknown (its subject is looked at then).
///
/// The owner alone for a private tree. Without a bisection nobody is accused, so only maintainers and lists are written to; an
/// improvement goes to the author and the lists.
pub fn recipients(
    brief: &Brief,
    maintainers: &Maintainers,
    patch: &str,
    reach: &Reach,
) -> Vec<Recipient> {
    let n = &brief.lead.notification;
    let area = n.head.subject.as_deref().and_then(super::area);
    let mut chosen = Chosen { reach, area: area.as_deref(), people: Vec::new(), lists: Vec::new() };
    if let Some(private) = reach.private(&n.tree.name, &n.tree.branch) {
        chosen.person(&private.owner, OWNER);
        return chosen.people;
    }
    if n.bisected {
        if let Some(author) = &n.head.author {
            chosen.person(author, "author");
        }
        if brief.kind != ReportKind::Improvement {
            for trailer in &reach.trailers {
                let named = n.head.people.iter().filter(|p| p.role.eq_ignore_ascii_case(trailer));
                for p in named {
                    let address = Address { name: p.name.clone(), email: p.email.clone() };
                    chosen.person(&address, &trailer.to_ascii_lowercase());
                }
            }
        }
    }
    for email in &n.head.lists {
        chosen.list(&Address { name: String::new(), email: email.clone() }, "list");
    }
    let text = match patch {
        "" => n.head.subject.as_deref().unwrap_or_default(),
        patch => patch,
    };
    let keepers = maintainers.of(&n.head.files, text);
    for keeper in &keepers {
        let people = reach.maintainers && brief.kind != ReportKind::Improvement;
        match keeper.role {
            KeeperRole::Maintainer if people => {
                chosen.person(&keeper.address, &format!("maintainer of {}", keeper.section));
            }
            KeeperRole::Reviewer if people => {
                chosen.person(&keeper.address, &format!("reviewer of {}", keeper.section));
            }
            KeeperRole::List => {
                chosen.list(&keeper.address, &format!("list of {}", keeper.section))
            }
            _ => {}
        }
    }
    for list in &reach.lists {
        chosen.list(list, "list");
    }
    chosen.people.truncate(reach.most);
    chosen.people.extend(chosen.lists);
    chosen.people
}

/// Of those who got the report, everybody who may read news of it: wishes and private trees may have come since.
pub fn readers(
    report: &[Recipient],
    subject: Option<&str>,
    tree: (&str, &str),
    reach: &Reach,
) -> Vec<Recipient> {
    let area = subject.and_then(super::area);
    let mut chosen = Chosen { reach, area: area.as_deref(), people: Vec::new(), lists: Vec::new() };
    if let Some(private) = reach.private(tree.0, tree.1) {
        chosen.person(&private.owner, OWNER);
        return chosen.people;
    }
    for r in report {
        chosen.person(&r.address, &r.why);
    }
    chosen.people
}

/// To and Cc: whom it concerns first, and everybody else. Without an author or owner all stand in front.
pub fn addressed(recipients: Vec<Recipient>) -> (Vec<Recipient>, Vec<Recipient>) {
    let first = |r: &Recipient| ["author", OWNER].contains(&r.why.as_str());
    if recipients.iter().any(first) {
        recipients.into_iter().partition(first)
    } else {
        (recipients, Vec::new())
    }
}

/// Value of the header that tells why somebody got the mail: `ada@example.org (author), perf@lists.example.org (list)`.
pub fn why_line(recipients: &[Recipient]) -> String {
    let one = |r: &Recipient| format!("{} ({})", r.address.email, r.why);
    recipients.iter().map(one).collect::<Vec<_>>().join(", ")
}

struct Chosen<'a> {
    reach: &'a Reach,
    area: Option<&'a str>,
    people: Vec<Recipient>,
    lists: Vec<Recipient>,
}

impl Chosen<'_> {
    fn person(&mut self, address: &Address, why: &str) {
        if self.wanted(address) {
            self.people.push(Recipient { address: address.clone(), why: why.to_owned() });
        }
    }

    fn list(&mut self, address: &Address, why: &str) {
        if self.wanted(address) {
            self.lists.push(Recipient { address: address.clone(), why: why.to_owned() });
        }
    }

    fn wanted(&self, address: &Address) -> bool {
        let email = address.canonical();
        let known = self.people.iter().chain(&self.lists).any(|r| r.address.canonical() == email);
        let own = self.reach.bot.canonical() == email;
        mailable(&email)
            && !known
            && !own
            && !self.reach.opt_outs.iter().any(|o| o.covers(&email, self.area))
    }
}

impl Reach {
    /// The rule that makes a branch of a tree private, where there is one.
    pub fn private(&self, name: &str, branch: &str) -> Option<&PrivateTree> {
        let tree = format!("{name}:{branch}");
        self.private_trees.iter().find(|p| p.covers(name, &tree))
    }
}

impl PrivateTree {
    fn covers(&self, name: &str, tree: &str) -> bool {
        match self.tree.strip_suffix('*') {
            Some(start) => tree.starts_with(start),
            None => self.tree == name || self.tree == tree,
        }
    }
}

impl OptOut {
    fn covers(&self, email: &str, area: Option<&str>) -> bool {
        let who = self.who.to_ascii_lowercase();
        let person = if who.starts_with('@') {
            email.ends_with(&who)
        } else {
            Address { name: String::new(), email: who }.canonical() == email
        };
        let about = match (&self.area, area) {
            (None, _) => true,
            (Some(unwanted), Some(area)) => area
                .strip_prefix(unwanted.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', ',', ' '])),
            (Some(_), None) => false,
        };
        person && about
    }
}

/// A mailbox that somebody reads: what trailers hold is often a placeholder.
fn mailable(email: &str) -> bool {
    let Some((local, domain)) = email.split_once('@') else { return false };
    let plain = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|b| b.is_ascii_graphic() && !b"<>(),;:\\\"[]@".contains(&b))
    };
    let nobody = ["noreply", "no-reply", "do-not-reply", "devnull"].contains(&local)
        || ["localhost", "localhost.localdomain"].contains(&domain)
        || domain.starts_with("users.noreply.")
        || domain.rsplit('.').next() == Some("invalid");
    plain(local) && plain(domain) && !nobody
}
