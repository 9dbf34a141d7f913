//! A lab sent results (to come).
use jiff::Timestamp;

use super::event::MailRef;
use super::{Effect, Policy, Snapshot};
use crate::report::Finding;

pub(super) fn decide(
    _: &MailRef,
    _: &Finding,
    _: &Snapshot,
    _: &Policy,
    _: Timestamp,
) -> Vec<Effect> {
    Vec::new()
}
