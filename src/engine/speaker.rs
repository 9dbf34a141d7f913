//! In which role somebody speaks about a regression.

use super::Policy;
use crate::mail::Address;
use crate::regression::{Regression, Role};

/// The strongest role that the address has here.
pub fn role(who: &Address, regression: Option<&Regression>, policy: &Policy) -> Role {
    let email = who.canonical();
    let is = |a: &Address| a.canonical() == email;
    let about = regression.map(|r| &r.about);
    let reporter = about.and_then(|a| a.reporter.as_ref()).is_some_and(is);
    if policy.operators.contains(who) {
        Role::Operator
    } else if policy.robots.contains(who) || policy.labs.contains(who) {
        Role::Robot
    } else if about.and_then(|a| a.author.as_ref()).is_some_and(is) {
        Role::Author
    } else if about.is_some_and(|a| a.maintainers.iter().any(is)) {
        Role::Maintainer
    } else if reporter {
        Role::Reporter
    } else {
        Role::Other
    }
}
