//! Commands that say which regression is meant: what is tracked, what belongs together, which threads are followed.

use super::super::said::Said;
use super::{Effect, Hand, words};
use crate::mail::{Address, MessageId, bare_subject};
use crate::regression::command::{Given, Marker, Reference, Target};
use crate::regression::thread::named_ids;
use crate::regression::{Entry, Happening, Opening, Regression, RegressionId, State};
use crate::report::ReportKind;

impl Hand<'_> {
    /// Tracks the mail that is meant as a report, or corrects the culprit of what is tracked.
    pub(super) fn introduced(&mut self, given: &Given, range: &str, target: &Target) -> Said {
        if let Target::Url(url) = target {
            match self.snapshot.named(url).cloned() {
                Some(known) => self.take_up(known),
                None => self.current = None,
            }
        }
        if self.current.is_some() {
            return self.append(given, Happening::Introduced { commit: range.to_owned() });
        }
        let Some(id) = self.meant(target) else {
            let what = match target {
                Target::Url(url) => url.clone(),
                _ => "the mail that yours answers".to_owned(),
            };
            return Said::Unknown { what };
        };
        let report = self.opening(&id, range);
        let entry = Entry {
            at: self.now,
            cause: self.cause(given),
            what: Happening::Opened(Box::new(report)),
        };
        let Some(regression) = Regression::open(&entry) else { return Said::Nothing };
        let name = regression.id().clone();
        self.effects.push(Effect::Append(name.clone(), Box::new(entry)));
        self.effects.push(Effect::Join(name.clone(), id));
        self.join_mail(&name);
        self.take_up(regression);
        Said::Done
    }

    fn meant(&self, target: &Target) -> Option<MessageId> {
        match target {
            Target::This => self.mail.id.clone(),
            Target::Parent => self.mail.references.last().cloned(),
            Target::Root => self.mail.references.first().cloned(),
            Target::Url(url) => named_ids(url).into_iter().next(),
        }
    }

    /// What is known of a report that somebody else points at.
    fn opening(&self, id: &MessageId, range: &str) -> Opening {
        let own = self.mail.id.as_ref() == Some(id);
        let seen = self.snapshot.seen.iter().find(|seen| seen.id == *id);
        let reporter: Option<Address> =
            if own { self.mail.from.clone() } else { seen.and_then(|s| s.from.clone()) };
        // A thread has one subject.
        let subject = seen.map_or(self.mail.subject.as_str(), |s| s.subject.as_str());
        Opening {
            id: RegressionId::derive(id.as_str()),
            kind: ReportKind::Regression,
            title: bare_subject(subject).to_owned(),
            ours: false,
            report: Some(id.as_str().to_owned()),
            by_robot: reporter.as_ref().is_some_and(|a| self.policy.robots.contains(a)),
            reporter,
            tree: None,
            branch: None,
            base: None,
            commit: Some(range.to_owned()),
            commit_subject: None,
            author: None,
            maintainers: Vec::new(),
            readers: Vec::new(),
            patch: None,
            test: None,
            metric: None,
            change_percent: None,
            machine: None,
            parameters: String::new(),
        }
    }

    fn join_mail(&mut self, regression: &RegressionId) {
        let ids = self.mail.references.iter().chain(&self.mail.id).cloned();
        self.effects.extend(ids.map(|id| Effect::Join(regression.clone(), id)));
    }

    /// The following commands act on another report; when it is not known, they act on none.
    pub(super) fn turn_to(&mut self, target: &Target) -> Said {
        let Target::Url(url) = target else {
            // This mail, its parent and the root all stand in one thread.
            return if self.current.is_some() { Said::Done } else { Said::NotTracked };
        };
        match self.snapshot.named(url).cloned() {
            Some(other) => {
                self.take_up(other);
                Said::Done
            }
            None => {
                self.current = None;
                Said::Unknown { what: url.clone() }
            }
        }
    }

    /// The thread of an untracked mail belongs to a report that is tracked.
    pub(super) fn attach(&mut self, given: &Given, reference: &Reference) -> Said {
        let what = words::text_of(reference);
        let Some(known) = self.snapshot.named(&what).cloned() else {
            return Said::Unknown { what };
        };
        let id = known.id().clone();
        self.take_up(known);
        let root = self.mail.references.first().or(self.mail.id.as_ref());
        let url = root.map_or_else(String::new, MessageId::to_string);
        let text = bare_subject(&self.mail.subject).to_owned();
        self.append(given, Happening::Linked { url, text, followed: true });
        self.join_mail(&id);
        Said::Done
    }

    /// The younger one becomes the duplicate for regzbot's users, whatever the direction; ours are taken at their word.
    pub(super) fn duplicate(
        &mut self,
        given: &Given,
        regression: &Regression,
        reference: &Reference,
    ) -> Said {
        let what = words::text_of(reference);
        let Some(other) = self.snapshot.named(&what).cloned() else {
            // Said, but about something that is not tracked here: the state follows, the link is kept as given.
            self.append(
                given,
                Happening::Linked { url: what, text: "duplicate of".to_owned(), followed: false },
            );
            return self.go(given, regression, State::Duplicate);
        };
        if other.id() == regression.id() {
            return Said::Unknown { what };
        }
        let (younger, older) = match given.marker {
            Marker::Regzbot if other.opened > regression.opened => (other, regression.clone()),
            _ => (regression.clone(), other),
        };
        if self.chain_reaches(&older, younger.id()) {
            return Said::Unknown { what };
        }
        let mine = younger.id() == regression.id();
        let kept = self.current.replace(younger.clone());
        let of = older.id().clone();
        let said = self.go(given, &younger, State::Duplicate);
        self.append(given, Happening::DuplicateOf { of });
        if !mine {
            self.current = kept;
        }
        said
    }

    /// Whether `from` is (by way of others) a duplicate of `id` already: then the other way round would be a circle.
    fn chain_reaches(&self, from: &Regression, id: &RegressionId) -> bool {
        let mut next = from.duplicate_of.clone();
        let mut steps = 0;
        while let Some(of) = next {
            if of == *id {
                return true;
            }
            steps += 1;
            let known = self.snapshot.pointers.iter().map(|(_, r)| r).find(|r| *r.id() == of);
            next = known.filter(|_| steps < 100).and_then(|r| r.duplicate_of.clone());
        }
        false
    }

    /// Shows a link; the mails of a thread that is followed belong to the regression from now on.
    pub(super) fn link(&mut self, given: &Given, url: &str, text: &str, follow: bool) -> Said {
        let ids = if follow { named_ids(url) } else { Vec::new() };
        let linked = Happening::Linked {
            url: url.to_owned(),
            text: text.to_owned(),
            followed: !ids.is_empty(),
        };
        let said = self.append(given, linked);
        self.threads(ids, Effect::Join);
        said
    }

    pub(super) fn unlink(&mut self, given: &Given, regression: &Regression, url: &str) -> Said {
        let Some(link) = regression.links.iter().find(|l| l.url == *url) else {
            return Said::Unknown { what: url.to_owned() };
        };
        let ids = if link.followed { named_ids(url) } else { Vec::new() };
        let said = self.append(given, Happening::Unlinked { url: url.to_owned() });
        self.threads(ids, Effect::Leave);
        said
    }

    fn threads(&mut self, ids: Vec<MessageId>, how: impl Fn(RegressionId, MessageId) -> Effect) {
        let Some(current) = self.current.as_ref().map(|r| r.id().clone()) else { return };
        let report = self.current.as_ref().and_then(|r| r.about.report.clone());
        let other = ids.into_iter().filter(|id| Some(id.as_str()) != report.as_deref());
        self.effects.extend(other.map(|id| how(current.clone(), id)));
    }
}
