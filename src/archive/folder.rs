//! Walking whatever stands at a path.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::file::Mailfile;
use super::pipe::GitMails;
use super::{ArchiveError, Raw};

/// How far each git archive has been read: repository to commit.
pub type Marks = BTreeMap<String, String>;

/// Folders below each other that are entered.
const DEEPEST: usize = 30;

/// The mails of an archive, in order of their paths (a git archive: oldest first).
pub struct Mails {
    /// What is still to be read, the next one last.
    waiting: Vec<(PathBuf, usize)>,
    current: Option<Source>,
    marks: Marks,
}

enum Source {
    File(Mailfile),
    Git(Box<GitMails>),
}

impl Mails {
    pub(super) fn open(path: &Path, marks: Marks) -> Result<Self, ArchiveError> {
        let mut mails = Self { waiting: Vec::new(), current: None, marks };
        mails.enter(path, 0, true)?;
        Ok(mails)
    }

    /// Opens a file or repository, or puts what a folder holds on the list.
    fn enter(&mut self, path: &Path, depth: usize, named: bool) -> Result<(), ArchiveError> {
        let meta = fs::metadata(path).map_err(|e| ArchiveError::io(path, e))?;
        if !meta.is_dir() {
            // What the user named is taken as it is; what a folder happens to hold must look like mail.
            let pages = named || path.extension().is_some_and(|e| e == "txt" || e == "eml");
            self.current = Mailfile::open(path, pages)?.map(Source::File);
            return Ok(());
        }
        if is_repository(path) {
            let mark = self.marks.get(&path.display().to_string()).cloned();
            self.current = Some(Source::Git(Box::new(GitMails::open(path, mark)?)));
            return Ok(());
        }
        if depth >= DEEPEST {
            return Ok(());
        }
        let mut inside = Vec::new();
        for entry in fs::read_dir(path).map_err(|e| ArchiveError::io(path, e))? {
            let entry = entry.map_err(|e| ArchiveError::io(path, e))?;
            let link = entry.file_type().is_ok_and(|t| t.is_symlink());
            if is_of_interest(&entry.file_name().to_string_lossy())
                && !(link && entry.path().is_dir())
            {
                inside.push(entry.path());
            }
        }
        // `git/9.git` stands before `git/10.git`; Maildir names begin with the time of delivery.
        inside.sort_by_key(|p| {
            let name = p.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let digits = name.bytes().take_while(u8::is_ascii_digit).count();
            (name[..digits].parse::<u64>().unwrap_or(u64::MAX), name)
        });
        // A public-inbox keeps each mail in its epochs; `all.git` only borrows them, and the indexes hold no mail.
        let epochs = path.join("git");
        if path.join("all.git").is_dir() && epochs.is_dir() {
            inside = vec![epochs];
        }
        self.waiting.extend(inside.into_iter().rev().map(|p| (p, depth + 1)));
        Ok(())
    }
}

impl Iterator for Mails {
    type Item = Result<Raw, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let next = match &mut self.current {
                Some(Source::File(file)) => file.next(),
                Some(Source::Git(git)) => git.next(),
                None => None,
            };
            if next.is_some() {
                return next;
            }
            self.current = None;
            let (path, depth) = self.waiting.pop()?;
            if let Err(error) = self.enter(&path, depth, false) {
                return Some(Err(error));
            }
        }
    }
}

fn is_repository(path: &Path) -> bool {
    let bare = |p: &Path| p.join("HEAD").is_file() && p.join("objects").is_dir();
    bare(path) || bare(&path.join(".git"))
}

/// Not hidden, and not one of the files that Maildir servers and indexers keep beside the mail.
fn is_of_interest(name: &str) -> bool {
    const OTHERS: &[&str] =
        &["tmp", "subscriptions", "maildirfolder", "xapian15", "msgmap.sqlite3", "over.sqlite3"];
    let maildir_folder =
        name.starts_with('.') && name.len() > 1 && !name.starts_with(".git") && name != "..";
    let hidden = name.starts_with('.') && !maildir_folder;
    let index =
        name.starts_with("dovecot") || name.ends_with(".sqlite3") || name.ends_with(".lock");
    !hidden && !index && !OTHERS.contains(&name)
}
