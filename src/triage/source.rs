//! Rule files as they are written (`docs/rules.md`).

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

/// A rule file: one verdict with its rules.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct VerdictFile {
    pub label: Spanned<String>,
    /// `open -> expected`, `any -> open`, or left out where the verdict moves nothing.
    pub effect: Option<Spanned<String>>,
    /// What the verdict means, for people.
    pub why: String,
    /// Which of two verdicts of one mail comes first: the higher one.
    pub rank: i32,
    /// Whether the robot's side may say so, too: most verdicts are for others to give.
    #[serde(default)]
    pub robot: bool,
    #[serde(default)]
    pub rule: Vec<Spanned<RuleSource>>,
    /// Mails that must get this verdict, whichever rule finds it: what `regard review export` prints.
    #[serde(default)]
    pub example: Vec<Spanned<ExampleSource>>,
}

/// `words.toml`: names for groups of words, and the forms of sentences.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct WordsFile {
    #[serde(default)]
    pub words: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    pub forms: BTreeMap<String, Vec<Spanned<String>>>,
    /// Facts that quoted sentences make.
    #[serde(default)]
    pub facts: BTreeMap<String, Vec<Spanned<String>>>,
    /// How the people talk who run a robot: `talk`, `greeting`, `sign-off`.
    #[serde(default)]
    pub lab: LabSource,
}

/// How the people talk who run a robot.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct LabSource {
    /// What they speak of.
    #[serde(default)]
    pub talk: Vec<Spanned<String>>,
    /// How they begin.
    #[serde(default)]
    pub greeting: Vec<Spanned<String>>,
    /// How they sign: nobody else does.
    #[serde(default)]
    pub sign_off: Vec<Spanned<String>>,
}

/// One rule.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RuleSource {
    pub id: Spanned<String>,
    pub why: Option<String>,
    pub since: Option<String>,
    pub weight: Option<Spanned<f32>>,
    pub effect: Option<Spanned<String>>,
    /// Another place among several verdicts than that of the file.
    pub rank: Option<i32>,
    /// Any of these in the sentence. Left out: the rule looks at the mail as a whole.
    #[serde(default)]
    pub text: Vec<Spanned<String>>,
    /// Each of these in the sentence, too.
    #[serde(default)]
    pub and: Vec<Spanned<String>>,
    /// None of these in the sentence.
    #[serde(default)]
    pub not: Vec<Spanned<String>>,
    /// Any of these in the quoted words that the sentence answers.
    #[serde(default)]
    pub answers: Vec<Spanned<String>>,
    /// None of these there.
    #[serde(default)]
    pub not_answers: Vec<Spanned<String>>,
    /// Any of these anywhere in the author's words.
    #[serde(default)]
    pub mail: Vec<Spanned<String>>,
    /// None of these anywhere in the author's words.
    #[serde(default)]
    pub not_mail: Vec<Spanned<String>>,
    /// Any of these in the subject.
    #[serde(default)]
    pub subject: Vec<Spanned<String>>,
    /// Forms that the sentence may have: `question`, `suggestion`, `condition`, `hedge`, `reported`, `turn`.
    /// A plain statement is always welcome unless `only` says otherwise.
    pub form: Option<Vec<Spanned<String>>>,
    /// Forms of which the sentence must have one.
    #[serde(default)]
    pub only: Vec<Spanned<String>>,
    #[serde(default)]
    pub role: Vec<Spanned<String>>,
    #[serde(default)]
    pub not_role: Vec<Spanned<String>>,
    #[serde(default)]
    pub origin: Vec<Spanned<String>>,
    /// Facts that must hold (see `facts.rs`).
    #[serde(default)]
    pub has: Vec<Spanned<String>>,
    /// Facts of which one must hold.
    #[serde(default)]
    pub has_any: Vec<Spanned<String>>,
    /// Facts that must not hold.
    #[serde(default)]
    pub lacks: Vec<Spanned<String>>,
    /// Where in its run of words the sentence may stand: `true` wants the first one.
    pub opens: Option<bool>,
    /// Mails on which the rule must fire and its verdict be found.
    #[serde(default)]
    pub matches: Vec<Spanned<ExampleSource>>,
    /// Mails on which it must not fire.
    #[serde(default)]
    pub misses: Vec<Spanned<ExampleSource>>,
}

/// An example: the words alone, or with what they answer and other circumstances.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum ExampleSource {
    Words(String),
    Mail(ExampleMail),
}

/// An example with circumstances.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ExampleMail {
    pub text: String,
    /// Quoted words above the text.
    #[serde(default)]
    pub answers: String,
    #[serde(default)]
    pub subject: String,
    pub role: Option<String>,
    /// Facts to be taken for given.
    #[serde(default)]
    pub has: Vec<String>,
}

/// Something wrong with a rule file, told so that it can be mended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleError {
    /// File name as given.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub cure: String,
}

impl std::fmt::Display for RuleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}: {}. {}", self.file, self.line, self.column, self.what, self.cure)
    }
}

impl std::error::Error for RuleError {}

/// Where in which file, for errors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    pub file: &'a str,
    pub text: &'a str,
}

impl Source<'_> {
    pub(super) fn error(
        &self,
        span: Range<usize>,
        what: impl Into<String>,
        cure: impl Into<String>,
    ) -> RuleError {
        let (line, column) = self.place(span.start);
        RuleError { file: self.file.to_owned(), line, column, what: what.into(), cure: cure.into() }
    }

    pub(super) fn syntax(&self, error: &toml::de::Error) -> RuleError {
        let span = error.span().unwrap_or(0..0);
        self.error(
            span,
            error.message().replace('\n', " "),
            "See docs/rules.md for what a rule file holds.",
        )
    }

    /// Line and column of an offset, from 1.
    pub(super) fn place(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (line, column)
    }
}
