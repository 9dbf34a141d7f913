//! Reading a git tree: commits, the people they name, files of a revision, the history of a branch. The `git` command does it,
//! on a bare or a checked-out repository; nothing is ever written but one ref a branch in a mirror that has a `url`.

mod commit;
mod error;
mod history;
mod lineage;
mod mirror;
mod run;
mod tree;

pub use error::GitError;
pub use history::Span;
pub use mirror::mirrored;
pub use tree::Tree;
