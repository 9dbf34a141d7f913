//! Threads as the store knows them.

use std::cell::RefCell;

use crate::engine::Policy;
use crate::mail::{Address, MessageId};
use crate::regression::thread::{About, ThreadIndex};
use crate::regression::{Regression, RegressionId};
use crate::store::{StoreError, Tx};

/// Looks threads up in one transaction. A failing store is remembered and told by [`StoreIndex::end`].
pub(super) struct StoreIndex<'a, 'b> {
    tx: &'a Tx<'b>,
    policy: &'a Policy,
    trouble: RefCell<Option<StoreError>>,
}

impl<'a, 'b> StoreIndex<'a, 'b> {
    pub(super) fn new(tx: &'a Tx<'b>, policy: &'a Policy) -> Self {
        Self { tx, policy, trouble: RefCell::new(None) }
    }

    /// What went wrong while looking, if anything did.
    pub(super) fn end(self) -> Result<(), StoreError> {
        self.trouble.into_inner().map_or(Ok(()), Err)
    }

    fn tried<T>(&self, outcome: Result<Option<T>, StoreError>) -> Option<T> {
        outcome.unwrap_or_else(|e| {
            self.trouble.borrow_mut().get_or_insert(e);
            None
        })
    }

    fn regression(&self, id: Option<RegressionId>) -> Option<Regression> {
        self.tried(self.tx.regression(&id?))
    }
}

/// The report's Message-ID, which names the thread.
pub(super) fn report_of(regression: &Regression) -> Option<MessageId> {
    MessageId::clean(regression.about.report.as_deref()?)
}

impl ThreadIndex for StoreIndex<'_, '_> {
    fn report_of(&self, id: &MessageId) -> Option<MessageId> {
        let found = self.tried(self.tx.regression_of(id.as_str()));
        report_of(&self.regression(found)?)
    }

    fn report_of_token(&self, token: &str) -> Option<MessageId> {
        report_of(&self.regression(RegressionId::parse(token))?)
    }

    fn report_of_subject(&self, subject: &str, recipients: &[String]) -> Option<MessageId> {
        let found = self.tried(self.tx.reports_by_subject(subject).map(Some))?;
        let shares =
            |m: &&crate::store::StoredMessage| m.recipients.iter().any(|r| recipients.contains(r));
        let mut shared = found.iter().filter(shares).filter_map(|m| m.regression.clone());
        let first = shared.next()?;
        // Two reports under one subject: the subject alone tells nothing.
        if shared.any(|other| other != first) {
            return None;
        }
        report_of(&self.regression(Some(first))?)
    }

    fn about(&self, report: &MessageId) -> Option<About> {
        let found = self.tried(self.tx.regression_of(report.as_str()));
        let about = self.regression(found)?.about;
        let robot = |a: &Address| self.policy.robots.contains(a);
        Some(About {
            // Who speaks for our own lab is written down in the configuration: no guessing from how people talk.
            by_robot: !about.ours && (about.by_robot || about.reporter.as_ref().is_some_and(robot)),
            culprit: about.commit,
            author: about.author,
            reporter: about.reporter,
        })
    }
}
