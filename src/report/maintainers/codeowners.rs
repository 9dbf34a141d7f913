//! CODEOWNERS: a pattern and its owners a line, the last match wins; GitLab's sections each have a last match.

use super::{Defect, Keeper, KeeperRole, address, glob};
use crate::mail::Address;

/// The whole file.
#[derive(Debug, Clone, Default)]
pub struct CodeOwners {
    /// Lines in file order.
    pub rules: Vec<Owners>,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owners {
    /// As written.
    pub pattern: String,
    /// GitLab's section; empty outside of any.
    pub section: String,
    /// Owners that have an address.
    pub people: Vec<Address>,
    /// `@name` and `@team`: known to the forge, not to mail.
    pub handles: Vec<String>,
    /// A GitLab exclusion (`!pattern`): nobody of its section owns it.
    pub exclude: bool,
    components: Vec<String>,
    below: bool,
}

impl CodeOwners {
    /// Reads the file.
    pub fn parse(text: &str) -> (Self, Vec<Defect>) {
        let (mut rules, mut defects) = (Vec::new(), Vec::new());
        let (mut section, mut inherited) = (String::new(), Vec::new());
        for (i, line) in text.lines().enumerate() {
            let mut words = words(line).into_iter();
            let Some(first) = words.next() else { continue };
            let mut defect = |what: String| defects.push(Defect { line: i + 1, what });
            if let Some(title) = heading(line) {
                section = title.to_owned();
                let rest = line.rsplit_once(']').map_or("", |(_, rest)| rest);
                inherited = self::words(rest);
                continue;
            }
            let mut owners: Vec<String> = words.collect();
            if owners.is_empty() && !section.is_empty() {
                owners.clone_from(&inherited);
            }
            let (exclude, pattern) = match first.strip_prefix('!') {
                Some(rest) => (true, rest.to_owned()),
                None => (false, first),
            };
            let (mut people, mut handles) = (Vec::new(), Vec::new());
            for owner in owners {
                match (owner.strip_prefix('@'), address(&owner)) {
                    (Some(handle), _) => handles.push(handle.to_owned()),
                    (None, Some(address)) => people.push(address),
                    (None, None) => defect(format!("`{owner}` is neither a mailbox nor a @name")),
                }
            }
            match Owners::new(pattern, &section, people, handles, exclude) {
                Some(rule) => rules.push(rule),
                None => defect("the pattern names no file".to_owned()),
            }
        }
        (Self { rules }, defects)
    }

    /// The owners of these paths, in the order of the paths, each once.
    pub fn of(&self, paths: &[String]) -> Vec<Keeper> {
        let mut keepers: Vec<Keeper> = Vec::new();
        for path in paths {
            let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
            let mut decided: Vec<&Owners> = Vec::new();
            for rule in self.rules.iter().rev().filter(|r| r.matches(&parts)) {
                if !decided.iter().any(|d| d.section == rule.section) {
                    decided.push(rule);
                }
            }
            for rule in decided.iter().rev().filter(|r| !r.exclude) {
                for person in &rule.people {
                    if !keepers.iter().any(|k| k.address.canonical() == person.canonical()) {
                        keepers.push(Keeper {
                            address: person.clone(),
                            role: KeeperRole::Maintainer,
                            section: rule.pattern.clone(),
                            depth: rule.components.iter().filter(|c| !c.starts_with('*')).count(),
                        });
                    }
                }
            }
        }
        keepers
    }
}

impl Owners {
    fn new(
        pattern: String,
        section: &str,
        people: Vec<Address>,
        handles: Vec<String>,
        exclude: bool,
    ) -> Option<Self> {
        let directory = pattern.ends_with('/');
        let inner = pattern.trim_matches('/');
        let mut components: Vec<String> =
            inner.split('/').filter(|c| !c.is_empty()).map(str::to_owned).collect();
        if components.is_empty() && pattern.starts_with('/') {
            components.push("**".to_owned());
        }
        // Without a slash at the start or inside, a name is looked for at any depth.
        if !pattern.starts_with('/') && components.len() == 1 && components[0] != "**" {
            components.insert(0, "**".to_owned());
        }
        let last = components.last()?;
        let below = directory
            || last == "*" && components.len() == 2 && components[0] == "**"
            || !last.contains('*');
        Some(Self {
            pattern,
            section: section.to_owned(),
            people,
            handles,
            exclude,
            below,
            components,
        })
    }

    fn matches(&self, parts: &[&str]) -> bool {
        let last = self.components.len();
        let directory = self.pattern.ends_with('/');
        // One row of the usual table: which prefixes of the pattern match the path so far.
        let mut open: Vec<bool> =
            (0..=last).map(|i| self.components[..i].iter().all(|c| c == "**")).collect();
        for (i, part) in parts.iter().enumerate() {
            let mut next = vec![false; last + 1];
            for (at, component) in self.components.iter().enumerate() {
                if component == "**" {
                    next[at] |= open[at];
                    next[at + 1] |= open[at];
                } else if open[at] && glob::component(component, part) {
                    next[at + 1] = true;
                }
            }
            // `**` may also stand for nothing.
            for at in 0..last {
                if self.components[at] == "**" {
                    next[at + 1] |= next[at];
                }
            }
            if next[last] && self.below && i + 1 < parts.len() {
                return true;
            }
            open = next;
        }
        open[last] && !directory
    }
}

/// Words of a line without its comment; `\ ` and `\#` are no separators.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '#' if word.is_empty() => break,
            '\\' => word.extend(chars.next()),
            c if c.is_whitespace() => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            c => word.push(c),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// `[Section]`, `^[Optional]`, `[Section][2] @default`.
fn heading(line: &str) -> Option<&str> {
    let line = line.trim();
    let inner = line.strip_prefix('^').unwrap_or(line).strip_prefix('[')?;
    inner.split_once(']').map(|(title, _)| title)
}
