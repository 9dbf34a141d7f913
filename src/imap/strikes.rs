//! Remembers which mails break things, across connections.

use std::collections::BTreeMap;

use super::ImapError;

/// Points at which a mail goes to quarantine.
const OUT: u8 = 6;

/// Counts failures by UID of one mailbox.
///
/// A failure of a whole batch accuses nobody yet: its mails are then fetched one by one.
#[derive(Debug, Default)]
pub(super) struct Strikes {
    mailbox: (String, u32),
    careful: u32,
    points: BTreeMap<u32, u8>,
}

/// What follows from a failure.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    /// Try again.
    Again,
    /// Give this mail up.
    Quarantine(u32),
}

impl Strikes {
    /// Forgets everything when `mailbox` (name and UIDVALIDITY) is another one.
    pub(super) fn enter(&mut self, mailbox: &str, uid_validity: u32) {
        if self.mailbox.0 != mailbox || self.mailbox.1 != uid_validity {
            *self = Self { mailbox: (mailbox.to_owned(), uid_validity), ..Self::default() };
        }
    }

    /// Up to and including this UID, one mail at a time.
    pub(super) fn careful(&self) -> u32 {
        self.careful
    }

    /// `uids` failed together.
    pub(super) fn failed(&mut self, uids: &[u32], error: &ImapError) -> Ruling {
        if let (Some(last), true) = (uids.last(), uids.len() > 1) {
            self.careful = self.careful.max(*last);
        }
        let [accused] = uids else {
            return Ruling::Again;
        };
        let points = self.points.entry(*accused).or_default();
        *points = points.saturating_add(weight(error));
        if *points < OUT {
            return Ruling::Again;
        }
        self.points.remove(accused);
        Ruling::Quarantine(*accused)
    }

    /// Everything up to `uid` is done.
    pub(super) fn passed(&mut self, uid: u32) {
        self.points = self.points.split_off(&uid.saturating_add(1));
    }
}

/// Three failures that point at the mail, or two refusals to send it; a network that broke meanwhile may be chance.
fn weight(error: &ImapError) -> u8 {
    match error {
        ImapError::Missing(_) => 3,
        ImapError::Lost(_) => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost() -> ImapError {
        ImapError::Lost("x".into())
    }

    fn odd() -> ImapError {
        ImapError::Protocol("x".into())
    }

    #[test]
    fn a_batch_is_taken_apart_before_anybody_is_accused() {
        let mut strikes = Strikes::default();
        for _ in 0..10 {
            assert_eq!(strikes.failed(&[4, 5, 6], &odd()), Ruling::Again);
        }
        assert_eq!(strikes.careful(), 6);
    }

    #[test]
    fn three_oddities_or_six_losses_or_two_absences() {
        let missing = ImapError::Missing(5);
        for (error, times) in [(odd(), 3), (lost(), 6), (missing, 2)] {
            let mut strikes = Strikes::default();
            for _ in 1..times {
                assert_eq!(strikes.failed(&[5], &error), Ruling::Again);
            }
            assert_eq!(strikes.failed(&[5], &error), Ruling::Quarantine(5), "{error:?}");
        }
    }

    #[test]
    fn success_and_another_mailbox_forget() {
        let mut strikes = Strikes::default();
        strikes.enter("INBOX", 1);
        strikes.failed(&[5], &odd());
        strikes.failed(&[5], &odd());
        strikes.passed(5);
        assert_eq!(strikes.failed(&[5], &odd()), Ruling::Again);
        strikes.failed(&[5, 6], &odd());
        strikes.enter("INBOX", 1);
        assert_eq!(strikes.careful(), 6);
        strikes.enter("INBOX", 2);
        assert_eq!(strikes.careful(), 0);
    }
}
