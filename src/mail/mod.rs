//! One message, understood: who wrote what, what is quoted, what is attached, where it came from.
//!
//! Parsing never fails and never panics: [`parse`] returns what was understood, with a list of defects.

mod address;
mod auth;
mod block;
mod dsn;
mod flowed;
mod header;
mod html;
mod id;
mod identity;
mod links;
mod manners;
mod message;
mod munged;
mod origin;
mod page;
mod parse;
mod part;
mod smime;
mod trailer;

pub use address::Address;
pub use auth::{Auth, auth};
pub use dsn::{Bounce, DeliveryStatus, dsn};
pub use id::MessageId;
pub use identity::{Identity, is_robot_name};
pub use links::{linked_ids, percent_decoded};
pub use manners::may_answer;
pub use message::{Attachment, Block, BlockKind, Message};
pub use origin::{
    Origin, bare_subject, is_answer_subject, is_report_subject, is_robot_report, origin,
    patch_title,
};
pub use page::{Shape, parse_page, sniff};
pub use parse::parse;
pub use trailer::{Trailer, commit_trailers, is_patch, trailers};
