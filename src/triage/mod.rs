//! Reading replies: rules as data, sentence by sentence, with evidence.

mod label;
mod reading;

pub use label::Label;
pub use reading::{Evidence, Finding, Reading};
