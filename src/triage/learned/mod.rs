//! What no rule says: verdicts learned from sayings.
//!
//! People say the same thing in a thousand ways, and a rule knows a few of them. `rules/sayings/*.txt` hold replies with
//! their verdicts, one a line; [`train`] weighs their words, and the rules that fire on them, against each other, and
//! [`Weights`] read a mail. Evidence stays evidence: the sentence that weighs most is what `regard show` quotes.

mod advise;
mod feature;
mod features;
mod sayings;
mod train;
mod weights;

pub(super) use advise::advise;
pub use features::Bag;
pub use sayings::digest;
pub use train::train;
pub use weights::{Opinion, Weights};
