//! Who looks after a file: the kernel's MAINTAINERS and the CODEOWNERS of other trees. Pure: text in, people out.

mod codeowners;
mod glob;
mod kernel;

pub use codeowners::{CodeOwners, Owners};
pub use kernel::{Kernel, MailingList, Section};

use crate::mail::Address;

/// A tree's file of maintainers, read.
#[derive(Debug, Clone, Default)]
pub enum Maintainers {
    /// No file is configured, or it could not be read.
    #[default]
    None,
    /// The kernel's format.
    Kernel(Kernel),
    /// GitHub's and GitLab's format.
    CodeOwners(CodeOwners),
}

/// Somebody who looks after a touched file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keeper {
    /// Mailbox.
    pub address: Address,
    /// In which role.
    pub role: KeeperRole,
    /// Title of the section, or the pattern, that named them.
    pub section: String,
    /// How closely that section matches: path components of its best pattern; 0 for one that matches every file.
    pub depth: usize,
}

/// Roles of a maintainers file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeeperRole {
    /// `M:`, or an owner.
    Maintainer,
    /// `R:`.
    Reviewer,
    /// `L:`.
    List,
}

/// What a line of the file could not tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defect {
    /// 1-based.
    pub line: usize,
    /// One sentence.
    pub what: String,
}

impl Maintainers {
    /// Reads a file; its name (`MAINTAINERS`, `CODEOWNERS`, with any folder) tells the format, else its text does.
    ///
    /// Never fails: lines that make no sense are told as defects and left out.
    pub fn read(name: &str, text: &str) -> (Self, Vec<Defect>) {
        let name = name.rsplit('/').next().unwrap_or(name).to_ascii_uppercase();
        let kernel = match name.as_str() {
            "MAINTAINERS" => true,
            "CODEOWNERS" => false,
            _ => text.lines().any(|line| line.starts_with("F:")),
        };
        if kernel {
            let (file, defects) = Kernel::parse(text);
            (Maintainers::Kernel(file), defects)
        } else {
            let (file, defects) = CodeOwners::parse(text);
            (Maintainers::CodeOwners(file), defects)
        }
    }

    /// Who looks after these paths, closest section first. `text` is what `K:` patterns look at: the commit's message, or
    /// its whole patch where a tree is at hand.
    pub fn of(&self, paths: &[String], text: &str) -> Vec<Keeper> {
        match self {
            Maintainers::None => Vec::new(),
            Maintainers::Kernel(file) => file.of(paths, text),
            Maintainers::CodeOwners(file) => file.of(paths),
        }
    }
}

/// `Name <local@domain>`, `"Name, A" <local@domain>` or `local@domain`.
fn address(text: &str) -> Option<Address> {
    let text = text.trim();
    let (name, email) = match text.split_once('<') {
        Some((name, rest)) => {
            (name.trim().trim_matches('"').trim(), rest.split_once('>')?.0.trim())
        }
        None => ("", text.split_whitespace().next()?),
    };
    let (local, domain) = email.split_once('@')?;
    let plain = |part: &str| {
        !part.is_empty()
            && !part.contains(|c: char| c.is_whitespace() || c.is_control() || "<>,;@".contains(c))
    };
    (plain(local) && plain(domain))
        .then(|| Address { name: name.to_owned(), email: email.to_owned() })
}
