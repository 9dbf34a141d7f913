//! A desk from a configuration: the user's templates and rules are read, the store is opened.

use std::path::Path;

use super::mind::Mind;
use super::post::Post;
use super::{Commits, Desk};
use crate::bench::Knowledge;
use crate::config::{Config, Diagnostic};
use crate::embedded;
use crate::render::{Letterhead, Renderer};
use crate::store::Store;

impl Desk {
    /// Everything that the configuration names, checked and opened.
    ///
    /// # Errors
    /// Broken templates and rules, with their place; a store that cannot be opened.
    pub fn open(config: &Config) -> Result<Self, Vec<Diagnostic>> {
        let (mut mind, post) = minds(config)?;
        keepers(config, &mut mind);
        let store = Store::open(&config.store)
            .map_err(|e| vec![Diagnostic::file(&config.store, e.to_string(), "")])?;
        Ok(Self { store, mind, post })
    }
}

/// Who looks after the files of each tree, so that the first results after a start find them.
pub fn keepers(config: &Config, mind: &mut Mind) {
    for tree in &config.trees {
        let known = mind.policy.maintainers.iter().any(|(name, _)| *name == tree.watched.name);
        if let Some(read) = mind.commits.maintainers(tree).filter(|_| !known) {
            mind.policy.maintainers.push((tree.watched.name.clone(), read));
        }
    }
}

/// What is known of metrics: what ships with regard, and the files of `metrics/` in the user's folder of rules.
///
/// # Errors
/// Files that are not metric knowledge, with their place.
pub fn knowledge(config: &Config) -> Result<Knowledge, Vec<Diagnostic>> {
    let Some(folder) = config.rules.as_ref().map(|f| f.join("metrics")).filter(|f| f.is_dir())
    else {
        return Ok(Knowledge::embedded());
    };
    let mut problems = Vec::new();
    let own = files(Some(&folder), "toml", &mut problems);
    let shipped = embedded::METRICS.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned()));
    let all: Vec<(String, String)> = shipped.chain(own).collect();
    let read = Knowledge::read(&all).map_err(|errors| {
        problems.extend(errors.iter().map(|e| Diagnostic {
            file: folder.join(&e.file),
            place: e.line.map(|line| (line, 1)),
            what: format!("found {}, expected {}", e.found, e.expected),
            cure: "see docs/formats.md".to_owned(),
        }));
    });
    match (read, problems.is_empty()) {
        (Ok(knowledge), true) => Ok(knowledge),
        _ => Err(problems),
    }
}

/// The desk without its store: what `regard check` verifies.
///
/// # Errors
/// Broken templates and rules, with their place.
pub fn minds(config: &Config) -> Result<(Mind, Post), Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let templates = files(config.templates.as_deref(), "txt", &mut problems);
    let rules = files(config.rules.as_deref(), "toml", &mut problems);
    let renderer = Renderer::new(&templates).map_err(|errors| {
        let folder = config.templates.as_deref().unwrap_or(Path::new("templates"));
        problems.extend(errors.into_iter().map(|e| Diagnostic {
            file: folder.join(&e.file),
            place: (e.line > 0).then_some((e.line, e.column.max(1))),
            what: e.what,
            cure: e.cure,
        }));
    });
    let folder = config.rules.as_deref().unwrap_or(Path::new("rules"));
    let mind = Mind::new(config.policy.clone(), &rules).map_err(|errors| {
        problems.extend(errors.into_iter().map(|mut e| {
            e.file = folder.join(&e.file);
            e
        }));
    });
    let knowledge = knowledge(config).map_err(|errors| problems.extend(errors));
    let (Ok(renderer), Ok(mut mind), Ok(knowledge)) = (renderer, mind, knowledge) else {
        return Err(problems);
    };
    mind.knowledge = knowledge;
    mind.commits = Commits::new(&config.trees);
    if !problems.is_empty() {
        return Err(problems);
    }
    let letterhead = Letterhead {
        bot: config.policy.bot.clone(),
        archive: config.archive_url.clone(),
        help: config.help_url.clone(),
        opt_out: config.policy.operators.addresses().next().map(str::to_owned),
        ascii: true,
    };
    let post = Post { policy: config.policy.clone(), mode: config.mode, renderer, letterhead };
    Ok((mind, post))
}

/// The files of a folder with that suffix, by name.
pub(crate) fn files(
    folder: Option<&Path>,
    suffix: &str,
    problems: &mut Vec<Diagnostic>,
) -> Vec<(String, String)> {
    let Some(folder) = folder else { return Vec::new() };
    let mut found = Vec::new();
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) => {
            problems.push(Diagnostic::file(folder, format!("cannot be read: {e}"), ""));
            return found;
        }
    };
    for path in entries.filter_map(|e| Some(e.ok()?.path())) {
        if path.extension().is_none_or(|e| e != suffix) {
            continue;
        }
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                found.push((name, text));
            }
            Err(e) => problems.push(Diagnostic::file(&path, format!("cannot be read: {e}"), "")),
        }
    }
    found.sort();
    found
}
