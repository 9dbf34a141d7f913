//! The kernel's MAINTAINERS: sections of `X: value` lines, as scripts/get_maintainer.pl reads them.

use std::collections::HashMap;

use regex::{Regex, RegexBuilder};

use super::{Defect, Keeper, KeeperRole, address, glob};
use crate::mail::Address;

/// The whole file.
#[derive(Debug, Clone, Default)]
pub struct Kernel {
    /// Sections in file order.
    pub sections: Vec<Section>,
}

/// One section.
#[derive(Debug, Clone, Default)]
pub struct Section {
    /// `SCHEDULER`.
    pub title: String,
    /// `M:`.
    pub maintainers: Vec<Address>,
    /// `R:`.
    pub reviewers: Vec<Address>,
    /// `L:`.
    pub lists: Vec<MailingList>,
    /// `S:`: `Maintained`, `Odd Fixes`, `Orphan`, ...
    pub status: Option<String>,
    /// `F:` and `X:` and `N:` and `K:`, compiled.
    patterns: Patterns,
    /// All other entries (`W:`, `Q:`, `B:`, `C:`, `P:`, `T:`), as written.
    pub other: Vec<(char, String)>,
}

/// A list of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailingList {
    /// Its address.
    pub address: Address,
    /// Takes mail of subscribers only.
    pub closed: bool,
}

#[derive(Debug, Clone, Default)]
struct Patterns {
    files: Vec<Path>,
    excludes: Vec<Path>,
    names: Vec<Regex>,
    keywords: Vec<Regex>,
}

/// A pattern of `F:` or `X:`.
#[derive(Debug, Clone)]
struct Path {
    components: Vec<String>,
    /// Ended in `/`, or has no wildcard: everything below belongs to it.
    below: bool,
    /// Only with the trailing slash: the path itself is a directory.
    directory: bool,
}

/// A compiled pattern may take that much memory; a file of thousands of lines stays small.
const REGEX_BYTES: usize = 1 << 20;

impl Kernel {
    /// Reads the file. A section is a title line with entries below it, up to an empty line; all other text is prose.
    pub fn parse(text: &str) -> (Self, Vec<Defect>) {
        let (mut sections, mut defects) = (Vec::new(), Vec::new());
        let mut title = String::new();
        let mut section: Option<Section> = None;
        for (i, line) in text.lines().enumerate() {
            let line_number = i + 1;
            match entry(line) {
                Some((key, value)) => {
                    let section = section.get_or_insert_with(|| Section {
                        title: title.clone(),
                        ..Section::default()
                    });
                    if let Err(what) = section.add(key, value) {
                        defects.push(Defect { line: line_number, what });
                    }
                }
                None => {
                    sections.extend(section.take());
                    if !line.trim().is_empty() {
                        title = line.trim().to_owned();
                    }
                }
            }
        }
        sections.extend(section);
        (Self { sections }, defects)
    }

    /// Everybody who looks after these paths, closest section first, each once, in the role that ranks highest.
    ///
    /// A section that matches every file ("THE REST") counts only where no other one does, and then with its lists. Of an orphaned
    /// section only the lists are left.
    pub fn of(&self, paths: &[String], text: &str) -> Vec<Keeper> {
        let mut found: Vec<(usize, &Section)> = self
            .sections
            .iter()
            .filter_map(|s| Some((s.patterns.depth(paths, text)?, s)))
            .collect();
        let close = found.iter().any(|(depth, _)| *depth > 0);
        found.retain(|(depth, _)| *depth > 0 || !close);
        found.sort_by_key(|(depth, _)| std::cmp::Reverse(*depth));
        let mut keepers: Vec<Keeper> = Vec::new();
        let mut seen: HashMap<String, usize> = HashMap::new();
        for (depth, section) in found {
            for (address, role) in section.people(depth == 0) {
                let keeper = Keeper { address, role, section: section.title.clone(), depth };
                match seen.get(&keeper.address.canonical()) {
                    Some(i) if keepers[*i].role > role => keepers[*i].role = role,
                    Some(_) => {}
                    None => {
                        seen.insert(keeper.address.canonical(), keepers.len());
                        keepers.push(keeper);
                    }
                }
            }
        }
        keepers
    }
}

impl Section {
    fn add(&mut self, key: char, value: &str) -> Result<(), String> {
        let person = || address(value).ok_or_else(|| format!("`{value}` is no mailbox"));
        match key {
            'M' => self.maintainers.push(person()?),
            'R' => self.reviewers.push(person()?),
            'L' => self.lists.push(MailingList {
                address: person()?,
                closed: value.contains("subscribers-only") || value.contains("subscribers only"),
            }),
            'S' => self.status = Some(value.to_owned()),
            'F' => self.patterns.files.push(Path::new(value)?),
            'X' => self.patterns.excludes.push(Path::new(value)?),
            'N' => self.patterns.names.push(regex(value)?),
            'K' => self.patterns.keywords.push(regex(value)?),
            key => self.other.push((key, value.to_owned())),
        }
        Ok(())
    }

    fn people(&self, lists_only: bool) -> Vec<(Address, KeeperRole)> {
        let status = self.status.as_deref().unwrap_or_default().to_ascii_lowercase();
        let gone = lists_only || status.contains("orphan") || status.contains("obsolete");
        let some = |people: &[Address], role| {
            people.iter().filter(|_| !gone).map(|a| (a.clone(), role)).collect::<Vec<_>>()
        };
        let mut all = some(&self.maintainers, KeeperRole::Maintainer);
        all.extend(some(&self.reviewers, KeeperRole::Reviewer));
        all.extend(
            self.lists.iter().filter(|l| !l.closed).map(|l| (l.address.clone(), KeeperRole::List)),
        );
        all
    }
}

impl Patterns {
    /// Components of the closest match; `None` when nothing matches.
    fn depth(&self, paths: &[String], text: &str) -> Option<usize> {
        let keyword = self.keywords.iter().any(|k| k.is_match(text)).then_some(1);
        let of_path = |path: &String| {
            let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
            if self.excludes.iter().any(|x| x.matches(&parts)) {
                return None;
            }
            let file = self.files.iter().filter(|f| f.matches(&parts)).map(Path::depth).max();
            let name = self.names.iter().any(|n| n.is_match(path)).then_some(1);
            file.max(name)
        };
        paths.iter().filter_map(of_path).max().max(keyword)
    }
}

impl Path {
    fn new(value: &str) -> Result<Self, String> {
        let value = value.trim();
        let components: Vec<String> =
            value.split('/').filter(|c| !c.is_empty()).map(str::to_owned).collect();
        if components.is_empty() {
            return Err(format!("`{value}` names no file"));
        }
        let directory = value.ends_with('/');
        let below = directory || !glob::is_wild(value);
        Ok(Self { components, below, directory })
    }

    /// `a/b/` and everything below, `a/*` in that directory only, `a/b.c` itself (or below it, should it be a directory).
    fn matches(&self, parts: &[&str]) -> bool {
        let deep = parts.len() > self.components.len();
        let same = parts.len() == self.components.len() && !self.directory;
        (same || (deep && self.below))
            && self.components.iter().zip(parts).all(|(c, part)| glob::component(c, part))
    }

    /// Components that are more than a wildcard.
    fn depth(&self) -> usize {
        self.components.iter().filter(|c| *c != "*").count()
    }
}

/// `M: Name <address>`: one capital letter, a colon, a value.
fn entry(line: &str) -> Option<(char, &str)> {
    let (key, value) = line.split_once(':')?;
    let mut chars = key.chars();
    let key = chars.next().filter(|c| c.is_ascii_uppercase())?;
    let value = value.trim();
    // A title such as `X:` alone has no value and no blank behind the colon.
    (chars.next().is_none() && !value.is_empty()).then_some((key, value))
}

fn regex(value: &str) -> Result<Regex, String> {
    RegexBuilder::new(value).size_limit(REGEX_BYTES).build().map_err(|e| {
        format!(
            "`{value}` is no pattern that we can use: {}",
            e.to_string().lines().last().unwrap_or_default()
        )
    })
}
