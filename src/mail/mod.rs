//! One message, understood: who wrote what, what is quoted, what is attached, where it came from.
//!
//! Parsing never fails and never panics: [`parse`] returns what was understood, with a list of defects.

mod address;
mod id;
mod message;
mod origin;
mod trailer;

pub use address::Address;
pub use id::MessageId;
pub use message::{Attachment, Block, BlockKind, Message};
pub use origin::Origin;
pub use trailer::Trailer;
