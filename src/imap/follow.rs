//! One connection: opens the mailbox, catches up, then waits and takes what comes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use super::plan::{Item, batches};
use super::session::Session;
use super::strikes::Ruling;
use super::watch::{Trouble, Watch, panic_text};
use super::{Batch, Cursor, Fetched, ImapError, Sink, Status, slice};

/// Where in a mailbox we are.
struct Place {
    mailbox: String,
    uid_validity: u32,
    /// Everything up to here is done, or not there.
    at: u32,
    /// The highest UID that was there when it was opened.
    end: u32,
}

impl Place {
    fn cursor(&self) -> Cursor {
        Cursor { uid_validity: self.uid_validity, uid: self.at }
    }
}

impl<S: Sink> Watch<S> {
    /// Returns only when something ends it.
    pub(super) fn follow(&mut self) -> Result<(), Trouble> {
        self.tell(Status::Connecting);
        let mut session = Session::open(&self.account, &self.control)?;
        let mut mailbox = self.first(&mut session)?;
        loop {
            let mut place = self.enter(&mut session, mailbox)?;
            self.catch_up(&mut session, &mut place)?;
            mailbox = self.stay(&mut session, &mut place)?;
        }
    }

    /// The mailbox to begin with: of slices, the last that was begun, as they are read one after the other.
    fn first(&mut self, session: &mut Session) -> Result<String, Trouble> {
        let base = self.account.mailbox.clone();
        if !self.account.slices {
            return Ok(base);
        }
        let names = session.list(&format!("{base}.*"))?;
        let numbers = slice::numbers(&base, names.iter().map(String::as_str));
        let Some(first) = numbers.first() else {
            let text = format!("there is no {}", slice::name(&base, 0));
            let others = session.list("*").unwrap_or_default().into_iter().take(20).collect();
            return Err(ImapError::Mailbox { mailbox: base, text, others }.into());
        };
        for number in numbers.iter().rev() {
            let name = slice::name(&base, *number);
            if self.patiently(|sink| sink.cursor(&name))?.is_some() {
                return Ok(name);
            }
        }
        Ok(slice::name(&base, *first))
    }

    fn enter(&mut self, session: &mut Session, mailbox: String) -> Result<Place, Trouble> {
        let opened = session.examine(&mailbox)?;
        let uid_validity = opened.uid_validity;
        let end = opened.uid_next.map_or(0, |next| next.saturating_sub(1));
        self.strikes.enter(&mailbox, uid_validity);
        let known = self.patiently(|sink| sink.cursor(&mailbox))?;
        let mut place = Place { mailbox, uid_validity, at: 0, end };
        match known {
            // UIDNEXT below what we have seen: some servers renumber without saying so.
            Some(was)
                if was.uid_validity == uid_validity
                    && (opened.uid_next.is_none() || was.uid <= end) =>
            {
                place.at = was.uid;
            }
            Some(was) => {
                let mailbox = place.mailbox.clone();
                self.tell(Status::Renumbered { mailbox, was, uid_validity });
                self.start(session, &mut place)?;
                let at = place.at;
                self.hand_over(&mut place, Vec::new(), at)?;
            }
            None => {
                self.start(session, &mut place)?;
                if place.at > 0 {
                    let at = place.at;
                    self.hand_over(&mut place, Vec::new(), at)?;
                }
            }
        }
        if place.end.saturating_sub(place.at) > self.account.limits.window && opened.exists > 0 {
            place.end = match session.last_uid() {
                Err(ImapError::Refused { .. }) => place.end,
                found => found?.unwrap_or(place.at),
            };
        }
        Ok(place)
    }

    fn start(&mut self, session: &mut Session, place: &mut Place) -> Result<(), Trouble> {
        place.at = match self.account.since {
            None => 0,
            Some(day) => session.first_since(day)?.map_or(place.end, |uid| uid.saturating_sub(1)),
        };
        Ok(())
    }

    /// Waits and takes, until the next slice begins.
    fn stay(&mut self, session: &mut Session, place: &mut Place) -> Result<String, Trouble> {
        let mut told = None;
        loop {
            if let Some(next) = self.next_slice(session, &place.mailbox)? {
                // The last mails of this one may have come just before the next began.
                session.noop()?;
                self.catch_up(session, place)?;
                return Ok(next);
            }
            let idle =
                session.has_idle() && self.polling_until.is_none_or(|end| end < Instant::now());
            if told != Some(place.cursor()) {
                let (mailbox, cursor) = (place.mailbox.clone(), place.cursor());
                self.tell(Status::Watching { mailbox, cursor, idle });
                told = Some(cursor);
            }
            if idle {
                self.idle(session)?;
            } else {
                self.control.sleep(self.account.timing.poll);
            }
            self.go_on()?;
            session.noop()?;
            self.catch_up(session, place)?;
            self.failures = 0;
        }
    }

    fn next_slice(
        &self,
        session: &mut Session,
        mailbox: &str,
    ) -> Result<Option<String>, ImapError> {
        if !self.account.slices {
            return Ok(None);
        }
        let base = &self.account.mailbox;
        let number = slice::numbers(base, std::iter::once(mailbox)).pop();
        let next = slice::name(base, number.map_or(0, |number| number.saturating_add(1)));
        // public-inbox looks for new slices only when asked about one that it knows.
        session.exists(mailbox)?;
        Ok(session.exists(&next)?.then_some(next))
    }

    /// A server that offers IDLE and then refuses it, or answers it out of order, is polled for a while.
    fn idle(&mut self, session: &mut Session) -> Result<(), Trouble> {
        let limit = self.account.timing.idle;
        let outcome = catch_unwind(AssertUnwindSafe(|| session.idle(limit)));
        let error = match outcome {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => error,
            Err(panic) => ImapError::Protocol(format!("IDLE: {}", panic_text(&*panic))),
        };
        if !matches!(error, ImapError::Lost(_)) {
            self.polling_until = Some(Instant::now() + self.account.timing.refused_max);
        }
        Err(error.into())
    }

    fn catch_up(&mut self, session: &mut Session, place: &mut Place) -> Result<(), Trouble> {
        session.forget_news();
        while place.at < u32::MAX {
            let window_end = place.at.saturating_add(self.listing.window());
            let last = (place.at < place.end).then(|| window_end.min(place.end));
            let found = self.list(session, place.at + 1, last)?;
            let careful = self.strikes.careful();
            for batch in batches(found, careful, &self.account.limits) {
                self.go_on()?;
                self.take(session, place, &batch)?;
            }
            match last {
                Some(last) => place.at = place.at.max(last),
                None => break,
            }
        }
        self.listing.done();
        Ok(())
    }

    fn list(
        &mut self,
        session: &mut Session,
        first: u32,
        last: Option<u32>,
    ) -> Result<Vec<(u32, u32)>, ImapError> {
        let found = match self.listing.sizeless() {
            true => session.uids(first, last),
            false => session.sizes(first, last),
        };
        match &found {
            Ok(found) if found.is_empty() => self.listing.found_nothing(),
            Ok(_) => self.listing.found_some(),
            Err(error) => self.listing.failed(error),
        }
        found
    }

    fn take(
        &mut self,
        session: &mut Session,
        place: &mut Place,
        batch: &[Item],
    ) -> Result<(), Trouble> {
        let uids: Vec<u32> = batch.iter().map(|item| item.uid).collect();
        let cut_bytes = self.account.limits.cut_bytes;
        let fetched = catch_unwind(AssertUnwindSafe(|| session.fetch(batch, cut_bytes)));
        let mut mails = match fetched {
            Ok(Ok(mails)) => mails,
            Ok(Err(error)) => return self.blame(place, &uids, error),
            Err(panic) => {
                let error = ImapError::Protocol(panic_text(&*panic));
                return self.blame(place, &uids, error);
            }
        };
        let missing = uids.iter().copied().find(|uid| mails.iter().all(|mail| mail.uid != *uid));
        mails.retain(|mail| missing.is_none_or(|missing| mail.uid < missing));
        let done = match missing {
            None => uids.last().copied(),
            Some(_) => mails.last().map(|mail| mail.uid),
        };
        if let Some(done) = done {
            match self.hand_over(place, mails, done) {
                Err(Trouble::Imap(error @ ImapError::Sink(_))) => {
                    return self.blame(place, &uids, error);
                }
                outcome => outcome?,
            }
        }
        match missing {
            None => Ok(()),
            // Expunged meanwhile, or cut off: a new connection will tell.
            Some(uid) => self.blame(place, &uids, ImapError::Missing(uid)),
        }
    }

    fn hand_over(
        &mut self,
        place: &mut Place,
        mails: Vec<Fetched>,
        done: u32,
    ) -> Result<(), Trouble> {
        let cursor_after = Cursor { uid_validity: place.uid_validity, uid: done };
        let batch = Batch { mailbox: place.mailbox.clone(), cursor_after, mails };
        self.patiently(|sink| sink.accept(batch.clone()))?;
        place.at = done;
        self.strikes.passed(done);
        self.failures = 0;
        Ok(())
    }

    /// Notes who was being fetched when it went wrong. Always ends the connection.
    fn blame(&mut self, place: &mut Place, uids: &[u32], error: ImapError) -> Result<(), Trouble> {
        self.go_on()?;
        if let Ruling::Quarantine(uid) = self.strikes.failed(uids, &error) {
            let (mailbox, why) = (place.mailbox.clone(), error.to_string());
            self.patiently(|sink| sink.quarantine(&mailbox, uid, &why))?;
            self.hand_over(place, Vec::new(), uid)?;
        }
        Err(error.into())
    }
}
