//! Threads of a whole archive in a few bytes a mail: only reports are remembered by name.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::mail::{Message, MessageId};
use crate::regression::thread::{About, Names, ThreadIndex};

/// Mails between a reply and its report that are looked at.
const LONGEST: usize = 10_000;
/// Ancestors that are remembered of a mail: the one that it answers, the one before, the root.
const PARENTS: usize = 3;

/// Who answers whom in an archive.
#[derive(Debug, Default)]
pub(super) struct Lineage {
    /// By hash of the id; 0 stands for nothing.
    parents: HashMap<u64, [u64; PARENTS]>,
    reports: HashMap<u64, (MessageId, About)>,
    names: Names,
}

fn number(id: &MessageId) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.as_str().hash(&mut hasher);
    hasher.finish().max(1)
}

impl Lineage {
    /// Adds a mail, in any order. `report` holds what it reports, if it reports something.
    pub(super) fn add(&mut self, message: &Message, report: Option<About>) {
        let Some(id) = &message.id else { return };
        let mut parents = [0; PARENTS];
        let near = message.in_reply_to.iter().take(1);
        let before = message.references.iter().rev().take(1);
        let ancestors = near.chain(before).chain(message.references.first());
        for (place, ancestor) in parents.iter_mut().zip(ancestors) {
            *place = number(ancestor);
        }
        self.parents.insert(number(id), parents);
        if let Some(about) = report {
            self.names.add(message, id);
            self.reports.insert(number(id), (id.clone(), about));
        }
    }

    /// Mails that are known.
    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }
}

impl ThreadIndex for Lineage {
    fn report_of(&self, id: &MessageId) -> Option<MessageId> {
        let mut waiting = VecDeque::from([number(id)]);
        let mut seen = HashSet::new();
        while let Some(id) = waiting.pop_front() {
            if let Some((report, _)) = self.reports.get(&id) {
                return Some(report.clone());
            }
            // References may loop: every mail is looked at once.
            if seen.insert(id) && seen.len() <= LONGEST {
                let parents = self.parents.get(&id).into_iter().flatten();
                waiting.extend(parents.copied().filter(|p| *p != 0));
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
        self.reports.get(&number(report)).map(|(_, about)| about.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail;

    fn mail(id: &str, refs: &str) -> Message {
        mail::parse(format!("Message-ID: <{id}>\nReferences: {refs}\n\nx\n").as_bytes())
    }

    fn id(text: &str) -> MessageId {
        MessageId::clean(text).unwrap()
    }

    #[test]
    fn a_thread_of_ten_thousand_and_a_loop_end() {
        let mut lineage = Lineage::default();
        lineage.add(&mail("0@x", ""), Some(About::default()));
        for n in 1..10_000 {
            lineage.add(&mail(&format!("{n}@x"), &format!("<{}@x>", n - 1)), None);
        }
        lineage.add(&mail("a@x", "<b@x>"), None);
        lineage.add(&mail("b@x", "<a@x>"), None);
        lineage.add(&mail("self@x", "<self@x>"), None);
        assert_eq!(lineage.len(), 10_003);
        assert_eq!(lineage.report_of(&id("9999@x")), Some(id("0@x")));
        assert_eq!(lineage.report_of(&id("a@x")), None);
        assert_eq!(lineage.report_of(&id("self@x")), None);
    }

    #[test]
    fn a_report_may_come_after_its_replies() {
        let mut lineage = Lineage::default();
        lineage.add(&mail("2@x", "<0@x> <1@x>"), None);
        lineage.add(&mail("0@x", ""), Some(About { by_robot: true, ..About::default() }));
        assert_eq!(lineage.report_of(&id("2@x")), Some(id("0@x")));
        assert!(lineage.about(&id("0@x")).unwrap().by_robot);
    }
}
