//! Reading a git tree: commits, the people they name, files of a revision. The `git` command does it, on a bare or a checked-out
//! repository; nothing is ever written.

mod commit;
mod error;
mod run;
mod tree;

pub use error::GitError;
pub use tree::Tree;
