//! Reading replies: rules as data, sentence by sentence, with evidence.
//!
//! A rule is a few lines in `rules/*.toml` (see `docs/rules.md`). All patterns are compiled into four sets, so the cost of
//! a mail hardly grows with their number. [`read`] gives the verdicts, [`explain`] tells why, [`check`] runs the examples
//! that every rule must bring along.

mod backtest;
mod check;
mod compile;
mod decide;
mod engine;
mod explain;
mod facts;
mod figures;
mod form;
mod label;
mod learned;
mod lines;
mod lists;
mod literal;
mod needs;
mod pattern;
mod plain;
mod points;
mod read;
mod reading;
mod rules;
mod sentence;
mod source;
mod spelling;
mod words;

pub use backtest::{Shift, Verdict, shift};
pub use check::check;
pub(crate) use compile::nearest;
pub use explain::{Explanation, Told, Tried};
pub use facts::{Context, Fact, Facts};
pub use form::{Form, Forms, Shape};
pub use label::Label;
pub use learned::{Bag, Opinion, Weights, digest, train};
pub use plain::{Found, Plain, Thing, plain};
pub use read::{explain, read};
pub use reading::{Evidence, Finding, Reading};
pub use rules::{Rule, Rules};
pub use sentence::{Quoted, Sentence, sentences};
pub use source::RuleError;
pub use words::LabTalk;
