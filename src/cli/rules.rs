//! `regard rules`: what the rules are, whether they do what their examples say, and what a change of them would do.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::args::{Args, RulesArgs, RulesVerb};
use super::context::Failure;
use super::{Outcome, backtest, output};
use crate::config::Diagnostic;
use crate::triage::{self, Label, Rule, RuleError, Rules};

pub(super) fn run(args: &Args, rules: &RulesArgs) -> Result<Outcome, Failure> {
    match &rules.verb {
        RulesVerb::List { verdict } => list(args, verdict),
        RulesVerb::Test { path } => test(args, path.as_deref()),
        RulesVerb::Learn { folder } => learn(folder),
        RulesVerb::Backtest(wanted) => backtest::run(args, wanted),
    }
}

/// One line of `regard rules list --json`.
#[derive(Serialize)]
struct Line<'a> {
    verdict: Label,
    id: &'a str,
    weight: f32,
    why: &'a str,
    since: &'a str,
    effect: Option<String>,
    file: &'a str,
    line: usize,
    matches: usize,
    misses: usize,
}

impl<'a> Line<'a> {
    fn new(rule: &'a Rule) -> Self {
        let (matches, misses) = rule.examples();
        let effect = rule.effect.map(|(from, to)| {
            format!("{} -> {to}", from.map_or("any", crate::regression::State::as_str))
        });
        Self {
            verdict: rule.label,
            id: &rule.id,
            weight: rule.weight,
            why: &rule.why,
            since: &rule.since,
            effect,
            file: &rule.place.0,
            line: rule.place.1,
            matches,
            misses,
        }
    }
}

fn list(args: &Args, verdicts: &[Label]) -> Result<Outcome, Failure> {
    let rules = Ruleset::current(args)?.compile()?;
    let wanted = |rule: &&Rule| verdicts.is_empty() || verdicts.contains(&rule.label);
    let lines = rules.iter().filter(wanted).map(Line::new);
    if args.json {
        for line in lines {
            output::json(&line)?;
        }
        return Ok(Outcome::Fine);
    }
    let mut rows = vec![["verdict", "id", "weight", "why"].map(str::to_owned).to_vec()];
    rows.extend(lines.map(|line| {
        let weight = format!("{:.2}", line.weight);
        vec![line.verdict.to_string(), line.id.to_owned(), weight, line.why.to_owned()]
    }));
    output::print(&output::columns(&rows))?;
    Ok(Outcome::Fine)
}

fn learn(folder: &Path) -> Result<Outcome, Failure> {
    let mut problems = Vec::new();
    let files = crate::daemon::files(Some(folder), "txt", &mut problems);
    if !problems.is_empty() {
        return Err(Failure::Diagnostics(problems));
    }
    if files.is_empty() {
        return Err(format!("{}: no sayings (*.txt) in this folder", folder.display()).into());
    }
    let rules = Rules::embedded().map_err(|errors| told(&errors))?;
    let weights = triage::train(&rules, &files).map_err(|errors| told(&errors))?;
    let out = folder.join("weights.tsv");
    // A build that reads them meanwhile must not see half of them.
    let new = folder.join("weights.tsv.new");
    std::fs::write(&new, weights)
        .and_then(|()| std::fs::rename(&new, &out))
        .map_err(|e| format!("{}: cannot be written: {e}", out.display()))?;
    output::print(&format!("{}: written; a new build takes it in\n", out.display()))?;
    Ok(Outcome::Fine)
}

fn told(errors: &[RuleError]) -> Failure {
    Failure::Message(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

fn test(args: &Args, path: Option<&Path>) -> Result<Outcome, Failure> {
    let set = match path {
        Some(path) => Ruleset::read(path)?,
        None => Ruleset::current(args)?,
    };
    let bar = output::spinner("running examples");
    let outcome = set.try_compile().and_then(|rules| {
        let broken = triage::check(&rules);
        if broken.is_empty() { Ok(rules) } else { Err(set.place(&broken)) }
    });
    bar.finish_and_clear();
    match outcome {
        Ok(rules) => {
            let (matches, misses) =
                rules.iter().map(Rule::examples).fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
            let (own, from) = (set.own.len(), set.origin());
            let told = if args.json {
                let counts = serde_json::json!({
                    "rules": rules.len(), "matches": matches, "misses": misses, "own_files": own, "failures": 0,
                });
                counts.to_string() + "\n"
            } else {
                format!(
                    "{} rules of {from}: {matches} examples and {misses} near misses hold\n",
                    rules.len()
                )
            };
            output::print(&told)?;
            Ok(Outcome::Fine)
        }
        Err(failures) => {
            for failure in &failures {
                if args.json {
                    let place = failure.place.unwrap_or_default();
                    output::json(&serde_json::json!({
                        "file": failure.file, "line": place.0, "column": place.1, "what": failure.what, "cure": failure.cure,
                    }))?;
                } else {
                    output::print(&format!("{failure}\n"))?;
                }
            }
            Ok(Outcome::Findings)
        }
    }
}

/// Rule files of the user on top of the built-in ones.
pub(super) struct Ruleset {
    /// (file name, text).
    own: Vec<(String, String)>,
    /// Where they were read from.
    from: Option<PathBuf>,
}

impl Ruleset {
    /// Built-in rules, nothing else.
    pub(super) fn built_in() -> Self {
        Self { own: Vec::new(), from: None }
    }

    /// What the daemon would use: the configuration's folder, where there is one.
    pub(super) fn current(args: &Args) -> Result<Self, Failure> {
        if !args.config.exists() {
            return Ok(Self::built_in());
        }
        args.config()?.rules.map_or_else(|| Ok(Self::built_in()), |folder| Self::read(&folder))
    }

    /// A folder of rule files, or one file.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let meta = std::fs::metadata(path)
            .map_err(|e| Failure::Message(format!("{}: {e}", path.display())))?;
        let own = if meta.is_dir() {
            let mut problems = Vec::new();
            let own = crate::daemon::files(Some(path), "toml", &mut problems);
            if !problems.is_empty() {
                return Err(Failure::Diagnostics(problems));
            }
            own
        } else {
            let text = std::fs::read_to_string(path)
                .map_err(|e| Failure::Message(format!("{}: {e}", path.display())))?;
            vec![(path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text)]
        };
        Ok(Self { own, from: Some(path.to_owned()) })
    }

    /// Whether a user's file is among them.
    pub(super) fn is_own(&self) -> bool {
        !self.own.is_empty()
    }

    /// Compiled; every example of a user's file was not run yet.
    pub(super) fn compile(&self) -> Result<Rules, Failure> {
        self.try_compile().map_err(Failure::Diagnostics)
    }

    fn try_compile(&self) -> Result<Rules, Vec<Diagnostic>> {
        Rules::with_overrides(&self.own).map_err(|errors| self.place(&errors))
    }

    /// What they are, in a few words.
    pub(super) fn origin(&self) -> String {
        match &self.from {
            Some(from) if self.is_own() => {
                format!(
                    "{} ({} of your files) and the built-in ones",
                    from.display(),
                    self.own.len()
                )
            }
            _ => "the built-in files".to_owned(),
        }
    }

    /// Problems, with the files where a person finds them.
    fn place(&self, errors: &[RuleError]) -> Vec<Diagnostic> {
        let path = |name: &str| match &self.from {
            Some(from) if self.own.iter().any(|(own, _)| own == name) => {
                if from.is_dir() {
                    from.join(name)
                } else {
                    from.clone()
                }
            }
            _ => PathBuf::from(format!("built-in rules/{name}")),
        };
        let one = |e: &RuleError| Diagnostic {
            file: path(&e.file),
            place: (e.line > 0).then_some((e.line, e.column.max(1))),
            what: e.what.clone(),
            cure: e.cure.clone(),
        };
        errors.iter().map(one).collect()
    }
}
