//! Commands are carried out: each line has an effect, or an answer that says why not.

mod label;
mod track;
mod words;

use jiff::Timestamp;

use super::event::MailRef;
use super::said::Said;
use super::{Effect, Policy, Snapshot, speaker};
use crate::regression::command::{Command, Commands, Given};
use crate::regression::{Cause, Entry, Happening, Regression, Role, State};

pub(crate) use words::text_of;

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
    // What is no activity must be known as such before the other lines leave their traces.
    let quiet = |given: &&Given| given.command == Command::IgnoreActivity;
    let first = commands.given.iter().filter(quiet);
    for given in first.chain(commands.given.iter().filter(|given| !quiet(given))) {
        let said = hand.allowed(given).unwrap_or_else(|| hand.one(given));
        carried.decided |= given.command.moves_to().is_some() || quiet(&given);
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
    /// The sender's, towards the current regression.
    role: Role,
    snapshot: &'a Snapshot,
    policy: &'a Policy,
    now: Timestamp,
    current: Option<Regression>,
    effects: Vec<Effect>,
}

impl Hand<'_> {
    /// Why the sender may not give this command; `None` when he may.
    fn allowed(&self, given: &Given) -> Option<Said> {
        let needs = self.policy.rights.needs(&given.command);
        if self.role < needs {
            return Some(Said::NotAllowed { needs });
        }
        let harmless = matches!(given.command, Command::Status | Command::Help | Command::Use(_));
        let doubt = self.policy.doubt(self.mail, self.role).filter(|_| !harmless)?;
        Some(Said::NotProven { why: doubt.to_owned() })
    }

    fn one(&mut self, given: &Given) -> Said {
        match &given.command {
            Command::Help => return Said::Help(words::help()),
            Command::Use(target) => return self.turn_to(target),
            Command::OptOut { all: true } => return self.opt_out(given),
            Command::Introduced { range, target } => return self.introduced(given, range, target),
            Command::DupOf(reference) if self.current.is_none() => {
                return self.attach(given, reference);
            }
            Command::Regenerate => return Said::Nothing,
            _ => {}
        }
        let Some(regression) = self.current.clone() else { return Said::NotTracked };
        match &given.command {
            Command::Status => words::status(&regression),
            Command::Title(title) => self.append(given, Happening::Titled { title: title.clone() }),
            Command::Fix(reference) => {
                self.append(given, Happening::FixNamed(words::fix(reference)));
                // What was measured or tested to be fixed stays so: now its fix has a name.
                if regression.state == State::Fixed {
                    return Said::Done;
                }
                match self.go(given, &regression, State::FixQueued) {
                    Said::AlreadySo => Said::Done,
                    said => said,
                }
            }
            Command::Unfix => self.unfix(given, &regression),
            Command::DupOf(reference) => self.duplicate(given, &regression, reference),
            Command::Undup if regression.state != State::Duplicate => Said::AlreadySo,
            Command::Link(url, text) => self.link(given, url, text, false),
            Command::Monitor(url, text) => self.link(given, url, text, true),
            Command::Unlink(url) => self.unlink(given, &regression, url),
            Command::Undo => match regression.last_move {
                Some(entry) => self.append(given, Happening::Undone { entry }),
                None => Said::NothingToUndo,
            },
            Command::Snooze(text) => match words::until(text, self.now) {
                Some(until) => self.append(given, Happening::Snoozed { until }),
                None => Said::Unknown { what: text.clone() },
            },
            Command::OptOut { .. } => match &self.mail.from {
                Some(from) => {
                    self.append(given, Happening::OptedOut { email: from.canonical(), all: false })
                }
                None => Said::Nothing,
            },
            Command::NotMe => self.not_me(given),
            Command::Note(text) => self.append(given, Happening::Noted { text: text.clone() }),
            Command::From(text) => match words::person(text) {
                Some(reporter) => self.append(given, Happening::ReportedBy { reporter }),
                None => Said::Unclear {
                    why: "an address is missing".to_owned(),
                    did_you_mean: Some(format!(
                        "{} from: {text} <name@host>",
                        given.marker.as_str()
                    )),
                },
            },
            Command::Backburn(why) if regression.backburner.as_ref() == Some(why) => {
                Said::AlreadySo
            }
            Command::Backburn(why) => {
                self.append(given, Happening::Backburned { why: why.clone() })
            }
            Command::Unbackburn if regression.backburner.is_none() => Said::AlreadySo,
            Command::Unbackburn => self.append(given, Happening::Unbackburned),
            Command::IgnoreActivity => self.append(given, Happening::ActivityIgnored),
            Command::Set(label, values) => self.set_label(given, &regression, label, values),
            Command::Unset(label) => self.unset_label(given, &regression, label),
            Command::Retest => self.ask_lab("retest", None),
            Command::Test { repository, branch } => self.test(repository, branch),
            Command::Send | Command::Upstream => {
                self.steer(&regression, self.snapshot.held, Effect::Release)
            }
            Command::Reject => self.steer(&regression, self.snapshot.held, Effect::Reject),
            Command::Unreject => self.steer(&regression, self.snapshot.dropped, Effect::Unreject),
            command => match command.moves_to() {
                Some(to) => self.go(given, &regression, to),
                None => Said::Nothing,
            },
        }
    }

    fn cause(&self, given: &Given) -> Cause {
        Cause::Command {
            message: self.mail.key.clone(),
            from: self.mail.from.clone(),
            role: self.role,
            line: given.line.clone(),
        }
    }

    fn append(&mut self, given: &Given, what: Happening) -> Said {
        let cause = self.cause(given);
        let Some(current) = &mut self.current else { return Said::NotTracked };
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

    /// The announced fix is none; what was waiting for it is open again, nothing else moves.
    fn unfix(&mut self, given: &Given, regression: &Regression) -> Said {
        let waits =
            matches!(regression.state, State::FixPlanned | State::FixProposed | State::FixQueued);
        if regression.fix.is_none() && !waits {
            return Said::AlreadySo;
        }
        let said = self.append(given, Happening::FixForgotten);
        if waits { self.go(given, regression, State::Open) } else { said }
    }

    /// Lets held letters go, throws them away, or takes them out of the bin.
    fn steer(
        &mut self,
        regression: &Regression,
        letters: usize,
        how: impl Fn(crate::regression::RegressionId) -> Effect,
    ) -> Said {
        if letters == 0 {
            return Said::AlreadySo;
        }
        self.effects.push(how(regression.id().clone()));
        Said::Done
    }

    /// Never again, about anything: it holds whether or not the mail belongs to something that is tracked.
    fn opt_out(&mut self, given: &Given) -> Said {
        let Some(from) = &self.mail.from else { return Said::Nothing };
        let email = from.canonical();
        self.effects.push(Effect::OptOut { email: email.clone() });
        if self.current.is_some() {
            self.append(given, Happening::OptedOut { email, all: true });
        }
        Said::Done
    }

    fn not_me(&mut self, given: &Given) -> Said {
        let Some(from) = self.mail.from.clone() else { return Said::Nothing };
        let words = format!("{} is not the right person", from.email);
        self.effects.push(Effect::Review {
            why: "wrong-person".to_owned(),
            label: None,
            words: words.clone(),
        });
        self.append(given, Happening::OptedOut { email: from.canonical(), all: false });
        self.append(given, Happening::Noted { text: words })
    }

    fn ask_lab(&mut self, purpose: &str, fix: Option<String>) -> Said {
        let of_thread = self.snapshot.regression.as_ref().map(Regression::id);
        if self.current.as_ref().map(Regression::id) != of_thread {
            return Said::Nothing;
        }
        let Some(request) =
            super::results::request_for(self.snapshot, self.mail, purpose, fix, self.policy)
        else {
            return Said::Nothing;
        };
        self.effects.push(Effect::Send(Box::new(request)));
        Said::Done
    }

    fn test(&mut self, repository: &str, branch: &str) -> Said {
        let patch = self.mail.id.as_ref().map(ToString::to_string);
        let fix = match (repository, branch) {
            ("", "") => patch,
            ("", base) => patch.map(|patch| format!("{patch} on {base}")),
            (repository, branch) => Some(format!("{repository} {branch}")),
        };
        self.ask_lab("test-fix", fix)
    }

    /// The current one from here on, and the sender's role towards it.
    fn take_up(&mut self, regression: Regression) {
        let role = |from| speaker::role(from, Some(&regression), self.policy);
        self.role = self.mail.from.as_ref().map_or(Role::Other, role);
        self.current = Some(regression);
    }
}
