//! Folders of cases: `<case>/in.txt`, where it matters `subject.txt`, and `expected.json`.

use std::fs;
use std::path::{Path, PathBuf};

use regard::report::{Found, read, read_mail};

/// A mail of a case folder.
pub(crate) struct Mail {
    pub(crate) folder: PathBuf,
    pub(crate) subject: Option<String>,
    pub(crate) text: String,
}

impl Mail {
    pub(crate) fn name(&self) -> String {
        self.folder.file_name().expect("a name").to_string_lossy().into_owned()
    }

    pub(crate) fn found(&self, text: &str) -> Found {
        match &self.subject {
            Some(subject) => read_mail(subject, text),
            None => read(text),
        }
    }
}

/// All cases, sorted.
pub(crate) fn mails() -> Vec<Mail> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reading");
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir()).collect();
    folders.sort();
    folders.into_iter().map(mail).collect()
}

fn mail(folder: PathBuf) -> Mail {
    let text = fs::read_to_string(folder.join("in.txt")).unwrap();
    let subject = fs::read_to_string(folder.join("subject.txt")).ok();
    Mail { subject: subject.map(|s| s.trim_end().to_owned()), text, folder }
}

/// The mail of one case.
pub(crate) fn text(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reading");
    mail(root.join(name)).text
}
