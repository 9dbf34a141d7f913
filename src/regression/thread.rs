//! Which report a mail belongs to.

use std::collections::{HashMap, HashSet, VecDeque};

use super::RegressionId;
use crate::mail::{self, Address, Message, MessageId, Trailer};

/// What is known of a report, as far as reading its thread needs it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// The culprit, as long as printed.
    pub culprit: Option<String>,
    /// Who wrote the culprit, as far as the report's recipients tell.
    pub author: Option<Address>,
    /// Who reported.
    pub reporter: Option<Address>,
    /// Whether a machine did.
    pub by_robot: bool,
}

/// Where threads are looked up: in memory for `explain --with`, in the store for the daemon.
pub trait ThreadIndex {
    /// The report in whose thread a Message-ID stands (the report's own id leads to itself).
    fn report_of(&self, id: &MessageId) -> Option<MessageId>;
    /// The report of one of our ids (`bot+ID@host`).
    fn report_of_token(&self, token: &str) -> Option<MessageId>;
    /// The report with that subject (without `Re:`) that went to one of these addresses (canonical).
    fn report_of_subject(&self, subject: &str, recipients: &[String]) -> Option<MessageId>;
    /// What is known of a report.
    fn about(&self, report: &MessageId) -> Option<About>;
}

/// How a mail was found to belong to a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Via {
    /// In-Reply-To or References.
    References,
    /// The `+token` of our address.
    Token,
    /// A Closes or Link trailer.
    Trailer,
    /// A URL or id in the author's words.
    Words,
    /// The subject, on the same list.
    Subject,
    /// References to a thread that we do not have, under the subject of a report.
    Guess,
}

/// Finds the report that a mail belongs to: the strongest link first.
pub fn link(
    message: &Message,
    trailers: &[Trailer],
    index: &dyn ThreadIndex,
) -> Option<(MessageId, Via)> {
    let known = |id: &MessageId| index.report_of(id);
    let ancestors = message.in_reply_to.iter().chain(message.references.iter().rev());
    if let Some(report) = ancestors.filter_map(known).next() {
        return Some((report, Via::References));
    }
    let tagged = message.to.iter().chain(&message.cc).filter_map(Address::tag).map(str::to_owned);
    let credited =
        trailers.iter().filter(|t| t.name == "Reported-by").filter_map(|t| token_of(&t.value));
    if let Some(report) = tagged.chain(credited).filter_map(|t| index.report_of_token(&t)).next() {
        return Some((report, Via::Token));
    }
    let links = trailers.iter().filter(|t| matches!(t.name.as_str(), "Closes" | "Link"));
    if let Some(report) =
        links.clone().flat_map(|t| named_ids(&t.value)).filter_map(|id| known(&id)).next()
    {
        return Some((report, Via::Trailer));
    }
    // A page about one of ours has its name in the address.
    let named = |t: &Trailer| {
        let words = t.value.split(|c: char| !c.is_ascii_alphanumeric());
        words.filter_map(RegressionId::parse).find_map(|id| index.report_of_token(id.as_str()))
    };
    if let Some(report) = links.filter(|t| t.value.contains("://")).find_map(named) {
        return Some((report, Via::Trailer));
    }
    if let Some(report) =
        own_lines(message).iter().flat_map(|l| named_ids(l)).filter_map(|id| known(&id)).next()
    {
        return Some((report, Via::Words));
    }
    let recipients: Vec<String> =
        message.to.iter().chain(&message.cc).map(Address::canonical).collect();
    let answers = mail::is_answer_subject(&message.subject);
    let subject = mail::bare_subject(&message.subject);
    if answers && let Some(report) = index.report_of_subject(subject, &recipients) {
        return Some((report, Via::Subject));
    }
    let unknown = message.references.first().or(message.in_reply_to.first());
    unknown
        .filter(|_| answers && mail::is_report_subject(subject))
        .map(|id| (id.clone(), Via::Guess))
}

fn own_lines(message: &Message) -> Vec<&str> {
    message
        .own_lines()
        .filter(|l| l.contains('@') || l.contains("%40") || l.contains("://"))
        .take(500)
        .collect()
}

fn token_of(value: &str) -> Option<String> {
    let email = value.rsplit_once('<').map_or(value, |(_, rest)| rest.trim_end_matches('>'));
    Address { name: String::new(), email: email.trim().to_owned() }.tag().map(str::to_owned)
}

/// Every Message-ID that a line may name: in `<>`, in a URL of any archive (encoded or not), or bare.
pub fn named_ids(line: &str) -> Vec<MessageId> {
    mail::linked_ids(line)
}

/// What else than its Message-ID names a report: the token of its address, its subject among its recipients.
#[derive(Debug, Clone, Default)]
pub struct Names {
    tokens: HashMap<String, MessageId>,
    subjects: HashMap<String, Vec<(MessageId, Vec<String>)>>,
}

impl Names {
    /// Adds a report by its mail.
    pub fn add(&mut self, message: &Message, id: &MessageId) {
        let subject = mail::bare_subject(&message.subject).to_lowercase();
        let recipients = message.to.iter().chain(&message.cc).map(Address::canonical).collect();
        self.subjects.entry(subject).or_default().push((id.clone(), recipients));
        self.tokens.insert(RegressionId::derive(id.as_str()).as_str().to_owned(), id.clone());
        if let Some(token) = message.from.as_ref().and_then(Address::tag) {
            self.tokens.insert(token.to_owned(), id.clone());
        }
    }

    /// The report that a token of a plus-address stands for.
    pub fn of_token(&self, token: &str) -> Option<MessageId> {
        self.tokens.get(token).or_else(|| self.tokens.get(&token.to_ascii_lowercase())).cloned()
    }

    /// The only report of this subject that shares a recipient.
    pub fn of_subject(&self, subject: &str, recipients: &[String]) -> Option<MessageId> {
        let candidates = self.subjects.get(&subject.to_lowercase())?;
        let shared = candidates.iter().filter(|(_, to)| to.iter().any(|a| recipients.contains(a)));
        let mut shared = shared.map(|(id, _)| id);
        // Two reports under one subject: the subject alone tells nothing.
        shared.next().filter(|_| shared.next().is_none()).cloned()
    }
}

/// Threads in memory: what `explain --with` knows.
#[derive(Debug, Clone, Default)]
pub struct Threads {
    parents: HashMap<MessageId, Vec<MessageId>>,
    reports: HashMap<MessageId, About>,
    names: Names,
}

/// Mails between a reply and its report that are looked at.
const LONGEST: usize = 10_000;

impl Threads {
    /// Adds a mail. `report` holds what it reports, if it reports something. Order does not matter: a report may come after
    /// its replies.
    pub fn add(&mut self, message: &Message, report: Option<About>) {
        let Some(id) = message.id.clone() else { return };
        let parents =
            message.in_reply_to.iter().chain(message.references.iter().rev()).cloned().collect();
        self.parents.insert(id.clone(), parents);
        if let Some(about) = report {
            self.names.add(message, &id);
            self.reports.insert(id, about);
        }
    }

    /// How many mails are known.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }
}

impl ThreadIndex for Threads {
    fn report_of(&self, id: &MessageId) -> Option<MessageId> {
        let mut waiting = VecDeque::from([id]);
        let mut seen: HashSet<&MessageId> = HashSet::new();
        while let Some(id) = waiting.pop_front() {
            if self.reports.contains_key(id) {
                return Some(id.clone());
            }
            // References may loop: every mail is looked at once.
            if seen.insert(id) && seen.len() <= LONGEST {
                waiting.extend(self.parents.get(id).into_iter().flatten());
            }
        }
        None
    }

    fn report_of_token(&self, token: &str) -> Option<MessageId> {
        self.names.of_token(token)
    }

    fn report_of_subject(&self, subject: &str, recipients: &[String]) -> Option<MessageId> {
        self.names.of_subject(subject, recipients)
    }

    fn about(&self, report: &MessageId) -> Option<About> {
        self.reports.get(report).cloned()
    }
}
