//! `[[tree]]`: git trees that are watched.

use std::path::PathBuf;
use std::time::Duration;

use toml::Spanned;

use super::raw;
use super::resolve::Resolver;
use crate::engine::WatchedTree;
use crate::regression::Order;

/// A git tree to watch.
#[derive(Debug, Clone)]
pub struct Tree {
    /// What it is called, and what a fix in it means.
    pub watched: WatchedTree,
    /// The repository, bare or checked out.
    pub path: PathBuf,
    /// Where the mirror in `path` is fetched from.
    pub url: Option<String>,
    /// Branch; HEAD otherwise.
    pub branch: Option<String>,
    /// Maintainers file at the tip, where it has an unusual name.
    pub maintainers: Option<String>,
    /// Time between two looks.
    pub interval: Duration,
}

/// Minutes between two looks, unless told.
const INTERVAL: u64 = 15;
/// Longest wait: a week.
const LONGEST: u64 = 7 * 24 * 60;

/// All of them, mainline first, so that what mainline has is known when the others are read.
pub(super) fn trees(r: &mut Resolver<'_>, sections: &[Spanned<raw::Tree>]) -> Vec<Tree> {
    let mut trees: Vec<Tree> = Vec::new();
    for section in sections {
        let raw = section.get_ref();
        let name = name(r, &raw.name);
        let path = path(r, raw);
        let url = raw.url.as_ref().map(|url| address(r, url));
        let branch = raw.branch.as_ref().map(|b| branch(r, b));
        let same = |t: &Tree| t.watched.name == name && t.branch == branch;
        if trees.iter().any(same) {
            let what = format!("a second tree is called `{name}` and has the same branch");
            r.problem(raw.name.span(), what, "give it another name, or name another branch");
        }
        let shared = sections.iter().filter(|s| *s.get_ref().name.get_ref() == name).count() > 1;
        let label = match &branch {
            Some(branch) if shared => format!("{name}/{branch}"),
            _ => name.clone(),
        };
        trees.push(Tree {
            watched: WatchedTree { name, label, order: order(r, raw.order.as_ref()) },
            path,
            url,
            maintainers: raw.maintainers.as_ref().map(|file| inside(r, file)),
            interval: interval(r, raw.interval_minutes.as_ref()),
            branch,
        });
    }
    trees.sort_by_key(|t| t.watched.order);
    trees
}

fn name(r: &mut Resolver<'_>, name: &Spanned<String>) -> String {
    let text = name.get_ref();
    let fits = text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
        && is_ref(text);
    if !fits {
        let cure = "call it as notifications do: letters, digits, `.`, `_` and `-`";
        r.problem(name.span(), format!("`{text}` is no name for a tree"), cure);
    }
    text.clone()
}

/// What git takes for part of a ref (git-check-ref-format), and nobody for an option.
fn is_ref(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 200
        && !text.starts_with(['-', '/', '.'])
        && !text.ends_with(['/', '.'])
        && !text.ends_with(".lock")
        && !["..", "//", "@{", "/."].iter().any(|bad| text.contains(bad))
        && text.chars().all(|c| !c.is_control() && !" ~^:?*[\\".contains(c))
}

fn branch(r: &mut Resolver<'_>, branch: &Spanned<String>) -> String {
    let text = branch.get_ref().trim().trim_start_matches("refs/heads/").to_owned();
    if !is_ref(&text) {
        let cure = "write it as in \"master\"";
        r.problem(branch.span(), format!("`{text}` is no name for a branch"), cure);
    }
    text
}

fn order(r: &mut Resolver<'_>, order: Option<&Spanned<String>>) -> Order {
    match order.map(|o| (o, o.get_ref().as_str())) {
        None | Some((_, "mainline")) => Order::Mainline,
        Some((_, "incoming")) => Order::Incoming,
        Some((_, "stable")) => Order::Stable,
        Some((o, other)) => {
            let cure = "write \"mainline\", \"incoming\" or \"stable\"";
            r.problem(o.span(), format!("order is \"{other}\""), cure);
            Order::Mainline
        }
    }
}

fn path(r: &mut Resolver<'_>, raw: &raw::Tree) -> PathBuf {
    let path = r.folder.join(raw.path.get_ref());
    let span = raw.path.span();
    if path.exists() && !path.is_dir() {
        r.problem(span, format!("`{}` is not a folder", path.display()), "name a repository");
    } else if raw.url.is_none() && !path.exists() {
        let cure = "clone it there, or give a url to fetch it from";
        r.problem(span, format!("`{}` does not exist", path.display()), cure);
    }
    path
}

fn address(r: &mut Resolver<'_>, url: &Spanned<String>) -> String {
    let text = url.get_ref().trim();
    // `ext::` and its like run commands.
    let helper = text.split_once("::").is_some_and(|(h, _)| h.chars().all(char::is_alphanumeric));
    if text.is_empty() || text.starts_with('-') || helper {
        let cure = "write it as for `git clone`";
        r.problem(url.span(), format!("`{text}` is nothing to fetch from"), cure);
    }
    text.to_owned()
}

fn inside(r: &mut Resolver<'_>, file: &Spanned<String>) -> String {
    let text = file.get_ref().trim();
    if text.starts_with('/') || text.split('/').any(|part| part == ".." || part.is_empty()) {
        let cure = "write its path from the top of the tree, as in \"docs/OWNERS\"";
        r.problem(file.span(), format!("`{text}` is no file of the tree"), cure);
    }
    text.to_owned()
}

fn interval(r: &mut Resolver<'_>, minutes: Option<&Spanned<u64>>) -> Duration {
    let minutes = match minutes {
        Some(given) if (1..=LONGEST).contains(given.get_ref()) => *given.get_ref(),
        Some(given) => {
            let what = format!("interval_minutes is {}", given.get_ref());
            r.problem(given.span(), what, format!("write 1 to {LONGEST}"));
            INTERVAL
        }
        None => INTERVAL,
    };
    Duration::from_secs(60 * minutes)
}
