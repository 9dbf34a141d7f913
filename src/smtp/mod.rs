//! The outgoing edge: a mail composed byte by byte as we want it, and handed to a relay that is believed only as far as
//! it answers.
//!
//! * [`compose`] turns an [`Outgoing`] into envelope and bytes; the same input gives the same bytes. lettre makes the
//!   headers and MIME, but the text is encoded here: lettre would break a wide table into quoted-printable.
//! * [`deliver`] gives parcels to a [`Relay`] over one connection, with a [`Fate`] for every recipient.
//! * [`Schedule`] says when to try again.

mod address;
mod clean;
mod compose;
mod connection;
mod deliver;
mod delivery;
mod outgoing;
mod probe;
mod relay;
mod retry;
mod seven_bit;
mod text;
mod trouble;

pub use compose::{ComposeError, Composed, compose};
pub use deliver::deliver;
pub use delivery::{Delivery, Fate, Outcome, Parcel};
pub use outgoing::{Auto, Outgoing};
pub use probe::{Probe, probe};
pub use relay::{Login, Relay, Timing};
pub use retry::Schedule;
pub use trouble::Trouble;
