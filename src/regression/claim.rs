//! Whether a verdict moves the state. The verdict says what a mail means; here it is decided whether anything moves.

use super::{Regression, Role, Standing, State};
use crate::triage::Label;

/// A verdict by somebody, about one regression.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// The verdict.
    pub label: Label,
    /// Where it would move the state, all else being equal.
    pub to: State,
    /// The speaker's role.
    pub role: Role,
    /// The speaker's canonical address.
    pub speaker: Option<&'a str>,
    /// Whether the words name what they speak of (a commit, a patch, another report).
    pub names_it: bool,
}

/// What becomes of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The state moves.
    Move(State),
    /// The state stays, for this reason (kebab-case).
    Keep(&'static str),
}

impl Claim<'_> {
    /// Judges the claim against the present standing.
    ///
    /// The rules, in order: what only some may say; what reopens; words never close; a weaker or earlier claim never
    /// lowers a stronger state; a dismissal does not override somebody who saw it.
    pub fn judge(&self, regression: &Regression) -> Step {
        let from = regression.state;
        let step = match self.label {
            Label::Retracted => self.retract(from),
            Label::TestedGood => self.tested_good(regression),
            Label::TestedBad | Label::PartialFix => Self::tested_bad(from),
            Label::StillPresent => Self::still_present(from),
            Label::Objection => Self::object(from),
            Label::Duplicate => self.duplicate(from),
            _ if self.to.standing() == Standing::Closed => Step::Keep("words-never-close"),
            _ if from.standing() == Standing::Closed => Step::Keep("closed"),
            _ if self.to.standing() == Standing::Active => self.advance(from),
            _ => self.dismiss(regression),
        };
        match step {
            Step::Move(to) if to == from => Step::Keep("already-there"),
            step => step,
        }
    }

    fn is_mover(&self, regression: &Regression) -> bool {
        matches!((&regression.mover, self.speaker), (Some(m), Some(s)) if m.who == s)
    }

    fn retract(&self, from: State) -> Step {
        match (self.role, from.standing()) {
            (_, Standing::Closed) => Step::Keep("closed"),
            (Role::Robot | Role::Reporter | Role::Operator, _) => Step::Move(State::Invalid),
            _ => Step::Keep("not-the-reporter"),
        }
    }

    /// A confirmed test of the named fix closes; the author testing his own patch only proposes it.
    fn tested_good(&self, regression: &Regression) -> Step {
        let own = regression.fix.as_ref().is_some_and(|(fix, _)| {
            fix.author.as_deref().is_some_and(|author| Some(author) == self.speaker)
        });
        let named = self.names_it || regression.fix.is_some();
        match regression.state.standing() {
            Standing::Closed => Step::Keep("closed"),
            _ if named && !own => Step::Move(State::Fixed),
            _ => match self.advance_to(regression.state, State::FixProposed) {
                Step::Keep(_) if own => Step::Keep("own-fix-tested"),
                Step::Keep(_) => Step::Keep("no-named-fix"),
                step => step,
            },
        }
    }

    fn tested_bad(from: State) -> Step {
        match from {
            State::FixPlanned | State::FixProposed | State::FixQueued | State::Fixed => {
                Step::Move(State::Open)
            }
            _ => Step::Keep("no-fix-under-test"),
        }
    }

    fn still_present(from: State) -> Step {
        match (from, from.standing()) {
            (State::Fixed | State::FixQueued, _) | (_, Standing::Answered) => {
                Step::Move(State::Open)
            }
            (_, Standing::Closed) => Step::Keep("closed"),
            _ => Step::Keep("already-open"),
        }
    }

    fn object(from: State) -> Step {
        match from.standing() {
            Standing::Answered => Step::Move(State::Open),
            Standing::Active => Step::Keep("nothing-to-object-to"),
            Standing::Closed => Step::Keep("closed"),
        }
    }

    fn duplicate(&self, from: State) -> Step {
        match from.standing() {
            Standing::Closed => Step::Keep("closed"),
            _ if self.names_it || self.role > Role::Reporter => Step::Move(State::Duplicate),
            _ => Step::Keep("duplicate-of-what"),
        }
    }

    fn advance(&self, from: State) -> Step {
        self.advance_to(from, self.to)
    }

    fn advance_to(&self, from: State, to: State) -> Step {
        if from.standing() == Standing::Active {
            return if stage(to) > stage(from) {
                Step::Move(to)
            } else {
                Step::Keep("already-further")
            };
        }
        match (from, to) {
            (State::Dropped, _) => Step::Keep("commit-dropped"),
            (_, State::FixPlanned | State::FixProposed | State::FixQueued) => Step::Move(to),
            (State::NotReproducible | State::Disputed, _) => Step::Move(to),
            _ => Step::Keep("dismissed-knowingly"),
        }
    }

    fn dismiss(&self, regression: &Regression) -> Step {
        let knows =
            matches!(self.role, Role::Author | Role::Maintainer | Role::Operator | Role::Robot);
        let to = self.to;
        match regression.state {
            _ if to == State::Dropped => Step::Move(to),
            State::Open | State::Investigating => Step::Move(to),
            State::Confirmed => match to {
                State::Expected | State::WontFix if knows => Step::Move(to),
                _ if self.is_mover(regression) || self.role >= Role::Robot => Step::Move(to),
                _ => Step::Keep("confirmed-by-another"),
            },
            State::FixPlanned | State::FixProposed => match to {
                State::Expected | State::WontFix if knows => Step::Move(to),
                _ => Step::Keep("fix-under-way"),
            },
            State::FixQueued => Step::Keep("fix-under-way"),
            _ => {
                let outranked = regression.mover.as_ref().is_some_and(|m| m.role > self.role);
                if self.is_mover(regression) || !outranked {
                    Step::Move(to)
                } else {
                    Step::Keep("answered-by-another")
                }
            }
        }
    }
}

/// How far towards a fix an active state is.
fn stage(state: State) -> u8 {
    match state {
        State::Investigating => 1,
        State::Confirmed => 2,
        State::FixPlanned => 3,
        State::FixProposed => 4,
        State::FixQueued => 5,
        State::Fixed => 6,
        _ => 0,
    }
}
