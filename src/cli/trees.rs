//! What `regard check` says of a watched tree.

use super::check::{Finding, bad, good};
use crate::config::Tree;
use crate::git::{self, GitError, mirrored};
use crate::report::maintainers::Maintainers;

/// Whether it can be read, and fetched where it has a `url`. Nothing is fetched.
pub(super) fn look(tree: &Tree, offline: bool) -> Finding {
    let what = format!("tree {}", tree.watched.label);
    match read(tree, offline) {
        Ok(Ok(detail)) => good(&what, detail),
        Ok(Err(trouble)) => bad(&what, &trouble),
        Err(e) => bad(&what, &e),
    }
}

fn read(tree: &Tree, offline: bool) -> Result<Result<String, String>, GitError> {
    let path = tree.path.display();
    let name = tree.branch.as_deref().unwrap_or("HEAD");
    if let Some(url) = &tree.url {
        if !offline && git::Tree::remote(url, tree.branch.as_deref())?.is_none() {
            return Ok(Err(format!("{url} has no branch `{name}`; check url and branch")));
        }
        if !tree.path.exists() {
            return Ok(Ok(format!(
                "{path} does not exist yet; `regard run` fetches {url} into it"
            )));
        }
    }
    let repository = git::Tree::open(&tree.path)?;
    let tip = match &tree.url {
        Some(_) => repository.id(&mirrored(&tree.watched.name, tree.branch.as_deref()))?,
        None => repository.tip(tree.branch.as_deref())?,
    };
    let Some(tip) = tip else {
        return Ok(match &tree.url {
            Some(url) => Ok(format!("{path}: not fetched yet; `regard run` fetches {url} into it")),
            None => Err(format!("{path} has no branch `{name}`; check branch")),
        });
    };
    let subject = repository.one(&tip)?.map(|c| c.subject).unwrap_or_default();
    let subject: String = subject.chars().take(60).collect();
    let tip: String = tip.chars().take(12).collect();
    let keepers = match &tree.maintainers {
        Some(file) => match repository.file(&tip, file)? {
            Some(text) => told(&Maintainers::read(file, &text).0),
            None => {
                return Ok(Err(format!("{path}: {name} has no file `{file}`; check maintainers")));
            }
        },
        None => told(&repository.maintainers(&tip)?.0),
    };
    Ok(Ok(format!("{path}: {name} at {tip} (\"{subject}\"), {keepers}")))
}

fn told(keepers: &Maintainers) -> &'static str {
    match keepers {
        Maintainers::None => "no maintainers file",
        Maintainers::Kernel(_) => "MAINTAINERS read",
        Maintainers::CodeOwners(_) => "CODEOWNERS read",
    }
}
