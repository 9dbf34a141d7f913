//! What no rule says: verdicts learned from sayings.
//!
//! People say the same thing in a thousand ways, and a rule knows a few of them. `rules/sayings/*.txt` hold replies with
//! their verdicts, one a line; [`train`] weighs their words against each other, and [`Weights`] read a mail where the rules
//! are silent. Evidence stays evidence: the sentence that weighs most is what `regard show` quotes.

mod advise;
mod features;
mod sayings;
mod train;
mod weights;

/// Whether the weights that travel with the program were learned from the sayings that do.
pub fn is_current() -> bool {
    let own = crate::embedded::SAYINGS.iter();
    let files: Vec<(String, String)> =
        own.map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    Weights::embedded().digest == sayings::digest(&files)
}

pub(super) use advise::advise;
pub use train::train;
pub use weights::{Opinion, Weights};
