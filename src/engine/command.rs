//! Commands are carried out: each line has an effect, or an answer that says why not.

use jiff::{SignedDuration, Timestamp};

use super::event::MailRef;
use super::said::Said;
use super::tick::day;
use super::{Effect, Policy, Snapshot};
use crate::regression::command::{Command, Commands, Given, Marker, Reference, VERBS};
use crate::regression::{Cause, Entry, Fix, Happening, Regression, RegressionId, Role, State};

/// What the commands of one mail came to.
pub(super) struct Carried {
    pub effects: Vec<Effect>,
    /// Each line with its answer.
    pub said: Vec<(String, Said)>,
    /// Whether one of them decided the state: then the words do not.
    pub decided: bool,
}

/// Carries out the commands of a mail, in order.
pub(super) fn carry_out(
    commands: &Commands,
    mail: &MailRef,
    role: Role,
    snapshot: &Snapshot,
    policy: &Policy,
    now: Timestamp,
) -> Carried {
    let mut carried = Carried { effects: Vec::new(), said: Vec::new(), decided: false };
    if commands.flood {
        carried.said.push((String::new(), Said::Flood));
        return carried;
    }
    let mut hand = Hand {
        mail,
        role,
        snapshot,
        policy,
        now,
        current: snapshot.regression.clone(),
        effects: Vec::new(),
    };
    for given in &commands.given {
        let needs = policy.rights.needs(&given.command);
        let said = if role < needs { Said::NotAllowed { needs } } else { hand.one(given) };
        carried.decided |= given.command.moves_to().is_some();
        carried.said.push((given.line.clone(), said));
    }
    for unclear in &commands.unclear {
        let said =
            Said::Unclear { why: unclear.why.clone(), did_you_mean: unclear.did_you_mean.clone() };
        carried.said.push((unclear.line.clone(), said));
    }
    carried.effects = hand.effects;
    carried
}

/// Works through one mail's commands on a copy of the regression, so that the second sees what the first did.
struct Hand<'a> {
    mail: &'a MailRef,
    role: Role,
    snapshot: &'a Snapshot,
    policy: &'a Policy,
    now: Timestamp,
    current: Option<Regression>,
    effects: Vec<Effect>,
}

impl Hand<'_> {
    fn one(&mut self, given: &Given) -> Said {
        match &given.command {
            Command::Help => return Said::Help(help()),
            Command::Use(_) => return self.turn_to(given),
            Command::Introduced { .. } if self.current.is_none() => return Said::NotTracked,
            _ => {}
        }
        let Some(regression) = self.current.clone() else { return Said::NotTracked };
        match &given.command {
            Command::Status => status(&regression),
            Command::Title(title) => self.append(given, Happening::Titled { title: title.clone() }),
            Command::Introduced { range, .. } => {
                self.append(given, Happening::Introduced { commit: range.clone() })
            }
            Command::Fix(reference) => {
                let fix = fix(reference);
                self.append(given, Happening::FixNamed(fix));
                self.go(given, &regression, State::FixQueued)
            }
            Command::Unfix => {
                if regression.fix.is_none() {
                    return Said::AlreadySo;
                }
                self.append(given, Happening::FixForgotten);
                self.go(given, &regression, State::Open)
            }
            Command::DupOf(reference) => self.duplicate(given, &regression, reference),
            Command::Link(url, text) => self.link(given, url, text, false),
            Command::Monitor(url, text) => self.link(given, url, text, true),
            Command::Unlink(url) => {
                if !regression.links.iter().any(|l| l.url == *url) {
                    return Said::Unknown { what: url.clone() };
                }
                self.append(given, Happening::Unlinked { url: url.clone() })
            }
            Command::Undo => match regression.last_move {
                Some(entry) => self.append(given, Happening::Undone { entry }),
                None => Said::NothingToUndo,
            },
            Command::Snooze(text) => match until(text, self.now) {
                Some(until) => self.append(given, Happening::Snoozed { until }),
                None => Said::Unknown { what: text.clone() },
            },
            Command::OptOut => match &self.mail.from {
                Some(from) => self.append(given, Happening::OptedOut { email: from.canonical() }),
                None => Said::Nothing,
            },
            Command::NotMe => self.not_me(given),
            Command::Note(text) | Command::From(text) | Command::Backburn(text) => {
                self.append(given, Happening::Noted { text: noted(&given.command, text) })
            }
            Command::Unbackburn => {
                self.append(given, Happening::Noted { text: "off the back burner".to_owned() })
            }
            Command::Retest => self.ask_lab("retest", None),
            Command::Test { repository, branch } => self.test(repository, branch),
            Command::Send | Command::Upstream => {
                self.effects.push(Effect::Release(regression.id().clone()));
                Said::Done
            }
            command => match command.moves_to() {
                Some(to) => self.go(given, &regression, to),
                None => Said::Nothing,
            },
        }
    }

    fn append(&mut self, given: &Given, what: Happening) -> Said {
        let Some(current) = &mut self.current else { return Said::NotTracked };
        let cause = Cause::Command {
            message: self.mail.key.clone(),
            from: self.mail.from.clone(),
            role: self.role,
            line: given.line.clone(),
        };
        let entry = Entry { at: self.now, cause, what };
        current.apply(&entry);
        self.effects.push(Effect::Append(current.id().clone(), Box::new(entry)));
        Said::Done
    }

    fn go(&mut self, given: &Given, regression: &Regression, to: State) -> Said {
        if regression.state == to && regression.laid_to_rest.is_none() {
            return Said::AlreadySo;
        }
        self.append(given, Happening::Moved { from: regression.state, to })
    }

    /// The following commands act on another report.
    fn turn_to(&mut self, given: &Given) -> Said {
        let Command::Use(target) = &given.command else { return Said::Nothing };
        let crate::regression::command::Target::Url(url) = target else {
            // This mail, its parent and the root all stand in one thread.
            return if self.current.is_some() { Said::Done } else { Said::NotTracked };
        };
        match self.snapshot.named(url) {
            Some(other) => {
                self.current = Some(other.clone());
                Said::Done
            }
            None => Said::Unknown { what: url.clone() },
        }
    }

    /// The younger one becomes the duplicate for regzbot's users, whatever the direction; ours are taken at their word.
    fn duplicate(&mut self, given: &Given, regression: &Regression, reference: &Reference) -> Said {
        let what = text_of(reference);
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
        if chain_reaches(&older, younger.id(), self.snapshot) {
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

    fn link(&mut self, given: &Given, url: &str, text: &str, followed: bool) -> Said {
        self.append(
            given,
            Happening::Linked { url: url.to_owned(), text: text.to_owned(), followed },
        )
    }

    fn not_me(&mut self, given: &Given) -> Said {
        let who = self.mail.from.as_ref().map_or_else(String::new, |a| a.email.clone());
        self.effects.push(Effect::Review {
            why: "wrong-person".to_owned(),
            label: None,
            words: format!("{who} is not the right person"),
        });
        self.append(given, Happening::Noted { text: format!("{who} is not the right person") })
    }

    fn ask_lab(&mut self, purpose: &str, fix: Option<String>) -> Said {
        let Some(request) =
            super::results::request_for(self.snapshot, self.mail, purpose, fix, self.policy)
        else {
            return Said::Nothing;
        };
        self.effects.push(Effect::Send(Box::new(request)));
        Said::Done
    }

    fn test(&mut self, repository: &str, branch: &str) -> Said {
        let fix = match (repository, branch) {
            ("", _) => self.mail.id.as_ref().map(ToString::to_string),
            (repository, branch) => Some(format!("{repository} {branch}")),
        };
        self.ask_lab("test-fix", fix)
    }
}

/// Whether `from` is (by way of others) a duplicate of `id` already: then the other way round would be a circle.
fn chain_reaches(from: &Regression, id: &RegressionId, snapshot: &Snapshot) -> bool {
    let mut next = from.duplicate_of.clone();
    let mut steps = 0;
    while let Some(of) = next {
        if of == *id {
            return true;
        }
        steps += 1;
        let known = snapshot.pointers.iter().map(|(_, r)| r).find(|r| *r.id() == of);
        next = known.filter(|_| steps < 100).and_then(|r| r.duplicate_of.clone());
    }
    false
}

/// What a reference says, as the desk looked it up.
pub(crate) fn text_of(reference: &Reference) -> String {
    match reference {
        Reference::Commit(id, _) => id.clone(),
        Reference::Url(url) => url.clone(),
        Reference::Message(id) => id.to_string(),
        Reference::Subject(subject) => subject.clone(),
    }
}

fn fix(reference: &Reference) -> Fix {
    match reference {
        Reference::Commit(id, subject) => {
            Fix { commit: Some(id.clone()), subject: subject.clone(), ..Fix::default() }
        }
        Reference::Message(id) => Fix { patch: Some(id.as_str().to_owned()), ..Fix::default() },
        Reference::Url(url) => {
            let commit = crate::regression::commit_of_url(url);
            if commit.is_some() {
                return Fix { commit, ..Fix::default() };
            }
            let ids = crate::regression::thread::named_ids(url);
            match ids.into_iter().next() {
                Some(id) => Fix { patch: Some(id.as_str().to_owned()), ..Fix::default() },
                None => Fix { subject: Some(url.clone()), ..Fix::default() },
            }
        }
        Reference::Subject(subject) => Fix { subject: Some(subject.clone()), ..Fix::default() },
    }
}

/// A date, or a number of days.
fn until(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(date) = text.parse::<jiff::civil::Date>() {
        let at = jiff::tz::TimeZone::UTC.to_timestamp(date.at(0, 0, 0, 0)).ok()?;
        return (at > now).then_some(at);
    }
    let days: i64 = text
        .trim_end_matches("days")
        .trim_end_matches("day")
        .trim_end_matches('d')
        .trim()
        .parse()
        .ok()?;
    (1..=3650).contains(&days).then(|| now + SignedDuration::from_hours(24 * days))
}

fn noted(command: &Command, text: &str) -> String {
    match command {
        Command::From(_) => format!("reported by {text}"),
        Command::Backburn(_) => format!("on the back burner: {text}"),
        _ => text.to_owned(),
    }
}

fn status(r: &Regression) -> Said {
    Said::Status {
        title: r.about.title.clone(),
        state: r.state.to_string(),
        since: day(r.since),
        by: r.mover.as_ref().map(|m| (m.name.clone(), m.words.clone())),
        fix: r.fix.as_ref().map(|(fix, _)| fix.name()),
    }
}

fn help() -> Vec<(String, String)> {
    VERBS
        .iter()
        .filter(|v| v.name != "regenerate")
        .map(|v| (v.name.to_owned(), v.does.to_owned()))
        .collect()
}
