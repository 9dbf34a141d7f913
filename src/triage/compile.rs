//! Rule files to [`Rules`].

use std::collections::HashMap;

use serde::de::DeserializeOwned;
use toml::Spanned;

use super::facts::Fact;
use super::form::{Form, Forms};
use super::pattern::PatternSet;
use super::rules::{Example, Rule, Rules, Verdict};
use super::source::{ExampleSource, RuleError, RuleSource, Source, VerdictFile};
use super::words::Words;
use super::{Label, label};
use crate::mail::Origin;
use crate::regression::{Role, State};

/// The file that holds names for words and the forms of sentences.
pub(super) const WORDS: &str = "words.toml";

struct Compiler<'a> {
    words: &'a Words,
    text: PatternSet,
    answers: PatternSet,
    mail: PatternSet,
    subject: PatternSet,
    errors: Vec<RuleError>,
    examples: Vec<(Label, String, Example)>,
}

impl Rules {
    /// Compiles rule files: (file name, text). `words.toml` among them gives names to words.
    ///
    /// # Errors
    ///
    /// Everything that is wrong, each with its place and a cure: syntax, unknown names, bad regular expressions, missing
    /// examples. Whether the examples hold is for [`super::check`].
    pub fn compile(files: &[(String, String)]) -> Result<Rules, Vec<RuleError>> {
        let mut errors = Vec::new();
        let words = match files.iter().find(|(name, _)| name == WORDS) {
            Some((file, text)) => Words::read(Source { file, text }, &mut errors),
            None => Words::default(),
        };
        let mut compiler = Compiler {
            words: &words,
            text: PatternSet::default(),
            answers: PatternSet::default(),
            mail: PatternSet::default(),
            subject: PatternSet::default(),
            errors,
            examples: Vec::new(),
        };
        let mut rules = Vec::new();
        for (file, text) in files.iter().filter(|(name, _)| name != WORDS) {
            compiler.file(Source { file, text }, &mut rules);
        }
        compiler.refuse_twins(&rules);
        let Compiler { mut text, mut answers, mut mail, mut subject, errors, examples, .. } =
            compiler;
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut of_texts: Vec<Vec<usize>> = Vec::new();
        for (number, rule) in rules.iter().enumerate() {
            for &pattern in &rule.text {
                of_texts.resize_with(of_texts.len().max(pattern + 1), Vec::new);
                of_texts[pattern].push(number);
            }
        }
        text.prepare(|pattern| of_texts.get(pattern).is_some_and(|rules| !rules.is_empty()));
        for set in [&mut answers, &mut mail, &mut subject] {
            set.prepare(|_| false);
        }
        let of_mails = (0..rules.len()).filter(|&n| rules[n].text.is_empty()).collect();
        let verdicts = Verdict::all(&rules);
        Ok(Rules {
            rules,
            words,
            text,
            answers,
            mail,
            subject,
            of_texts,
            of_mails,
            verdicts,
            examples,
        })
    }
}

impl Compiler<'_> {
    fn file(&mut self, source: Source<'_>, rules: &mut Vec<Rule>) {
        let file: VerdictFile = match toml::from_str(source.text) {
            Ok(file) => file,
            Err(error) => return self.errors.push(source.syntax(&error)),
        };
        let Some(label) = self.name::<Label>(source, &file.label, "verdict", &label::names())
        else {
            return;
        };
        let effect = file.effect.as_ref().and_then(|e| self.effect(source, e));
        for example in &file.example {
            let read = self.example(source, example);
            let named = read.map(|example| (label, source.file.to_owned(), example));
            self.examples.extend(named);
        }
        if file.rule.is_empty() {
            self.errors.push(source.error(
                file.label.span(),
                "a verdict without rules",
                "Add a [[rule]], or remove the file.",
            ));
        }
        for rule in &file.rule {
            if let Some(rule) = self.rule(source, rule, label, effect, &file) {
                rules.push(rule);
            }
        }
    }

    fn rule(
        &mut self,
        source: Source<'_>,
        spanned: &Spanned<RuleSource>,
        label: Label,
        effect: Option<(Option<State>, State)>,
        file: &VerdictFile,
    ) -> Option<Rule> {
        let rule = spanned.get_ref();
        let before = self.errors.len();
        let own = rule.effect.as_ref().map(|e| self.effect(source, e));
        let effect = own.unwrap_or(effect);
        let weight = rule.weight.as_ref().map_or(0.8, |w| *w.get_ref());
        if !(0.0..=1.0).contains(&weight) {
            let span = rule.weight.as_ref().map_or(0..0, Spanned::span);
            self.errors.push(source.error(
                span,
                format!("weight {weight}"),
                "A weight goes from 0 to 1; 0.5 decides alone.",
            ));
        }
        let looks = !rule.text.is_empty()
            || !rule.has.is_empty()
            || !rule.has_any.is_empty()
            || !rule.mail.is_empty()
            || !rule.subject.is_empty();
        if !looks {
            self.errors.push(source.error(
                rule.id.span(),
                format!("rule `{}` looks at nothing", rule.id.get_ref()),
                "Give it `text`, `mail`, `subject`, `has` or `has-any`.",
            ));
        }
        if rule.matches.is_empty() || rule.misses.is_empty() {
            let which = if rule.matches.is_empty() { "matches" } else { "misses" };
            self.errors.push(source.error(
                rule.id.span(),
                format!("rule `{}` has no `{which}`", rule.id.get_ref()),
                "Give at least one mail that it must find, and one near miss that it must not.",
            ));
        }
        let contradiction =
            rule.has.iter().find(|h| rule.lacks.iter().any(|l| l.get_ref() == h.get_ref()));
        if let Some(fact) = contradiction {
            self.errors.push(source.error(
                fact.span(),
                format!("the rule can never fire: it both wants and forbids `{}`", fact.get_ref()),
                "Remove it from `has` or from `lacks`.",
            ));
        }
        let form = match &rule.form {
            Some(forms) => self.names::<Form>(source, forms, "form"),
            None => vec![Form::Hedge],
        };
        let only = self.names::<Form>(source, &rule.only, "form");
        let forms: Forms = form.into_iter().chain(only.iter().copied()).collect();
        let (line, _) = source.place(rule.id.span().start);
        let compiled = Rule {
            id: rule.id.get_ref().clone(),
            label,
            why: rule.why.clone().unwrap_or_else(|| file.why.clone()),
            since: rule.since.clone().unwrap_or_else(|| "0.1.0".to_owned()),
            weight,
            rank: rule.rank.unwrap_or(file.rank),
            robot: file.robot,
            effect,
            place: (source.file.to_owned(), line),
            text: self.patterns(source, &rule.text, |c| &mut c.text),
            and: self.patterns(source, &rule.and, |c| &mut c.text),
            not: self.patterns(source, &rule.not, |c| &mut c.text),
            answers: self.patterns(source, &rule.answers, |c| &mut c.answers),
            not_answers: self.patterns(source, &rule.not_answers, |c| &mut c.answers),
            mail: self.patterns(source, &rule.mail, |c| &mut c.mail),
            not_mail: self.patterns(source, &rule.not_mail, |c| &mut c.mail),
            subject: self.patterns(source, &rule.subject, |c| &mut c.subject),
            forms,
            only: only.into_iter().collect(),
            roles: self.names(source, &rule.role, "role"),
            not_roles: self.names(source, &rule.not_role, "role"),
            origins: self.names(source, &rule.origin, "origin"),
            has: self.names(source, &rule.has, "fact"),
            has_any: self.names(source, &rule.has_any, "fact"),
            lacks: self.names(source, &rule.lacks, "fact"),
            opens: rule.opens,
            matches: rule.matches.iter().filter_map(|e| self.example(source, e)).collect(),
            misses: rule.misses.iter().filter_map(|e| self.example(source, e)).collect(),
        };
        (self.errors.len() == before).then_some(compiled)
    }

    fn patterns(
        &mut self,
        source: Source<'_>,
        patterns: &[Spanned<String>],
        set: impl Fn(&mut Self) -> &mut PatternSet,
    ) -> Vec<usize> {
        let mut numbers = Vec::with_capacity(patterns.len());
        for pattern in patterns {
            let words = self.words;
            match words.add_to(set(self), pattern.get_ref()) {
                Ok(number) => numbers.push(number),
                Err(what) => self.errors.push(source.error(
                    pattern.span(),
                    what,
                    "Mend the regular expression; names of words.toml go in braces: {we}.",
                )),
            }
        }
        numbers
    }

    fn effect(
        &mut self,
        source: Source<'_>,
        spanned: &Spanned<String>,
    ) -> Option<(Option<State>, State)> {
        let text = spanned.get_ref();
        let states =
            text.split_once("->").map(|(from, to)| (from.trim(), to.trim().parse::<State>()));
        let effect = match states {
            Some(("any", Ok(to))) => Some((None, to)),
            Some((from, Ok(to))) => from.parse().ok().map(|from| (Some(from), to)),
            _ => None,
        };
        if effect.is_none() {
            let names: Vec<&str> = State::ALL.iter().map(|s| s.as_str()).collect();
            self.errors.push(source.error(
                spanned.span(),
                format!("`{text}` is no effect"),
                format!(
                    "Write `STATE -> STATE` or `any -> STATE`, with states of {}.",
                    names.join(", ")
                ),
            ));
        }
        effect
    }

    fn example(&mut self, source: Source<'_>, spanned: &Spanned<ExampleSource>) -> Option<Example> {
        let (line, column) = source.place(spanned.span().start);
        let mail = match spanned.get_ref().clone() {
            ExampleSource::Words(text) => {
                return Some(Example { text, line, column, ..Example::default() });
            }
            ExampleSource::Mail(mail) => mail,
        };
        let role = match mail.role {
            Some(role) => {
                Some(self.name(source, &Spanned::new(spanned.span(), role), "role", &[])?)
            }
            None => None,
        };
        let has: Vec<Spanned<String>> =
            mail.has.into_iter().map(|f| Spanned::new(spanned.span(), f)).collect();
        let has = self.names(source, &has, "fact");
        Some(Example {
            text: mail.text,
            answers: mail.answers,
            subject: mail.subject,
            role,
            has,
            line,
            column,
        })
    }

    fn names<T: Named>(
        &mut self,
        source: Source<'_>,
        names: &[Spanned<String>],
        what: &str,
    ) -> Vec<T> {
        names.iter().filter_map(|name| self.name(source, name, what, &[])).collect()
    }

    fn name<T: Named>(
        &mut self,
        source: Source<'_>,
        name: &Spanned<String>,
        what: &str,
        known: &[String],
    ) -> Option<T> {
        let found = T::named(name.get_ref());
        if found.is_none() {
            let mut known: Vec<String> = known.to_vec();
            if known.is_empty() {
                known = T::known();
            }
            let cure = match nearest(name.get_ref(), &known) {
                Some(near) => format!("Did you mean `{near}`? One of {}.", known.join(", ")),
                None => format!("One of {}.", known.join(", ")),
            };
            self.errors.push(source.error(
                name.span(),
                format!("unknown {what} `{}`", name.get_ref()),
                cure,
            ));
        }
        found
    }

    /// Two rules of one name cannot be told apart in an audit trail.
    fn refuse_twins(&mut self, rules: &[Rule]) {
        let mut seen: HashMap<&str, &Rule> = HashMap::new();
        for rule in rules {
            if let Some(first) = seen.insert(&rule.id, rule) {
                let (file, line) = rule.place.clone();
                self.errors.push(RuleError {
                    file,
                    line,
                    column: 1,
                    what: format!("a second rule `{}`", rule.id),
                    cure: format!(
                        "The first one stands in {}:{}: rename one of them.",
                        first.place.0, first.place.1
                    ),
                });
            }
        }
    }
}

/// Something with a fixed set of names.
trait Named: Sized {
    fn named(name: &str) -> Option<Self>;
    fn known() -> Vec<String>;
}

impl Named for Form {
    fn named(name: &str) -> Option<Self> {
        Form::parse(name)
    }
    fn known() -> Vec<String> {
        Form::ALL.iter().map(|(_, n)| (*n).to_owned()).collect()
    }
}

impl Named for Fact {
    fn named(name: &str) -> Option<Self> {
        Fact::parse(name)
    }
    fn known() -> Vec<String> {
        Fact::ALL.iter().map(|(_, n, _)| (*n).to_owned()).collect()
    }
}

impl Named for Label {
    fn named(name: &str) -> Option<Self> {
        of_serde(name)
    }
    fn known() -> Vec<String> {
        label::names()
    }
}

impl Named for Role {
    fn named(name: &str) -> Option<Self> {
        of_serde(name)
    }
    fn known() -> Vec<String> {
        ["other", "reporter", "author", "maintainer", "robot", "operator"]
            .map(str::to_owned)
            .to_vec()
    }
}

impl Named for Origin {
    fn named(name: &str) -> Option<Self> {
        of_serde(name)
    }
    fn known() -> Vec<String> {
        ["reply", "patch", "report", "other"].map(str::to_owned).to_vec()
    }
}

/// The value whose serde name this is.
fn of_serde<T: DeserializeOwned>(name: &str) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(name.to_owned())).ok()
}

/// The known name that differs least, if it is near enough to be meant.
pub(crate) fn nearest(name: &str, known: &[String]) -> Option<String> {
    let near = known.iter().map(|k| (distance(name, k), k)).min()?;
    (near.0 <= 2.max(name.chars().count() / 3)).then(|| near.1.clone())
}

/// Edits between two short words (Levenshtein, with swaps of neighbours counted as one).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best =
                (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}
