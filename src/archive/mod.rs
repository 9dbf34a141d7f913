//! Archives of mail, read as a stream: files, folders, mbox, Maildir, public-inbox git.
//!
//! Memory stays bounded by one mail, whatever the archive's size.

mod error;
mod file;
mod folder;
mod mbox;
mod pipe;

use std::path::Path;

pub use error::ArchiveError;
pub use folder::{Mails, Marks};

/// One mail as it stands in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raw {
    /// Where it came from: a path, `path#n` in an mbox (from 1), `path@commit` in a git archive.
    pub label: String,
    /// The mail, as stored; `From ` quoting of an mbox is undone.
    pub bytes: Vec<u8>,
    /// For git archives: the repository and the commit that added the mail. Kept by the caller, it lets the next pass
    /// start behind it (see [`open_after`]).
    pub mark: Option<(String, String)>,
}

/// Opens whatever stands at `path`: a mail, the text of an archive page, an mbox (also gzipped), a folder (searched to
/// any depth), a Maildir, a public-inbox (v1 or v2) or its bare repository.
///
/// # Errors
///
/// When the path cannot be read. A file deeper in a folder that cannot be read comes as an `Err` item, and the stream
/// goes on.
pub fn open(path: &Path) -> Result<Mails, ArchiveError> {
    open_after(path, Marks::new())
}

/// As [`open`], but git archives start behind the commits in `marks` (repository to commit). A mark that is no ancestor
/// of the branch any more (a purge rewrites history) is ignored, and the repository is read from its beginning.
///
/// # Errors
///
/// As [`open`].
pub fn open_after(path: &Path, marks: Marks) -> Result<Mails, ArchiveError> {
    Mails::open(path, marks)
}
