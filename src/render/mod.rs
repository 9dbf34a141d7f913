//! Tera templates over small views: the only room that knows the words of a mail.
//!
//! A letter of the engine and its [`Frame`] go in, subject and text come out. The templates stand in `templates/`, what they see
//! in `docs/templates.md`; any of them can be replaced by a file of the same name in the user's folder.

mod clean;
mod docs;
mod error;
mod filter;
mod finish;
mod frame;
mod letter;
mod renderer;
mod sample;
mod shell;
pub mod view;

pub use docs::docs;
pub use error::TemplateError;
pub use finish::{MOST_BYTES, WIDTH};
pub use frame::{Frame, Letterhead};
pub use renderer::{Rendered, Renderer};
pub use sample::samples;
