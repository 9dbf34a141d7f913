//! The form of a sentence: asked, supposed, hedged, told by others.

use std::borrow::Cow;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use serde::Serialize;

use super::words::Words;

/// What keeps a sentence from being a plain statement. Several may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Asks.
    Question,
    /// Asks in the negative, or asks for agreement ("isn't that", "..., no?"): a claim in a question's clothes.
    Suggestion,
    /// Holds only if something else does.
    Condition,
    /// Might, probably, I think.
    Hedge,
    /// Somebody else said so.
    Reported,
    /// Takes back what was said before ("but then I remembered", "scratch that").
    Turn,
}

impl Form {
    /// Every form with its name in rule files.
    pub const ALL: [(Form, &'static str); 6] = [
        (Form::Question, "question"),
        (Form::Suggestion, "suggestion"),
        (Form::Condition, "condition"),
        (Form::Hedge, "hedge"),
        (Form::Reported, "reported"),
        (Form::Turn, "turn"),
    ];

    pub(super) fn parse(name: &str) -> Option<Form> {
        Form::ALL.into_iter().find(|(_, n)| *n == name).map(|(form, _)| form)
    }
}

/// A set of forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Forms(u8);

impl Forms {
    /// Whether the form is among them.
    pub fn has(self, form: Form) -> bool {
        self.0 & bit(form) != 0
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The forms.
    pub fn list(self) -> Vec<Form> {
        Form::ALL.into_iter().map(|(form, _)| form).filter(|form| self.has(*form)).collect()
    }

    pub(super) fn add(&mut self, form: Form) {
        self.0 |= bit(form);
    }

    /// The first form that `allowed` does not hold.
    pub(super) fn beyond(self, allowed: Forms) -> Option<Form> {
        Form::ALL.into_iter().map(|(form, _)| form).find(|f| self.has(*f) && !allowed.has(*f))
    }

    pub(super) fn meets(self, wanted: Forms) -> bool {
        self.0 & wanted.0 != 0
    }
}

impl FromIterator<Form> for Forms {
    fn from_iter<T: IntoIterator<Item = Form>>(forms: T) -> Self {
        let mut set = Forms::default();
        forms.into_iter().for_each(|form| set.add(form));
        set
    }
}

fn bit(form: Form) -> u8 {
    1 << (form as u8)
}

/// A sentence told apart: its forms, and its words without the parts that only suppose or wonder.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    /// The forms.
    pub forms: Forms,
    /// Normal form without `if ...` and `whether ...` clauses: what is really claimed.
    pub claim: String,
}

/// Finds the shape of a sentence in normal form. `asked` tells whether it ends with a question mark.
pub(super) fn shape(plain: &str, words: &Words) -> Shape {
    let asked = plain.trim_end_matches(['"', ')', '\'', ' ']).ends_with('?');
    let mut forms = words.forms_of(plain);
    // A negative question is a suggestion; asking for agreement is one too; a question mark decides the rest.
    let suggests = forms.has(Form::Suggestion);
    if asked && !suggests {
        forms.add(Form::Question);
    }
    if suggests && !asked {
        // "Is not this gone with the next patch," goes on after what it quotes.
        let begins =
            ["is NOT ", "are NOT ", "was NOT ", "does NOT ", "did NOT ", "has NOT ", "should NOT "];
        if !begins.iter().any(|b| plain.starts_with(b) || plain.contains(&format!(": {b}"))) {
            forms = forms.list().into_iter().filter(|f| *f != Form::Suggestion).collect();
        }
    }
    // "Isn't this gone" claims that it is gone.
    let meant = if forms.has(Form::Suggestion) && !plain.ends_with(" no?") {
        Cow::Owned(plain.replacen(" NOT ", " ", 1))
    } else {
        Cow::Borrowed(plain)
    };
    let (claim, supposed) = without_suppositions(&meant);
    if supposed {
        forms.add(Form::Condition);
    }
    Shape { forms, claim }
}

/// Cuts `if ..., ` and `whether ...` clauses out. Tells whether a condition was among them.
fn without_suppositions(plain: &str) -> (String, bool) {
    let mut out = String::with_capacity(plain.len());
    let mut rest = plain;
    let mut supposed = false;
    while let Some((at, word)) = next_supposition(rest) {
        let before = &rest[..at];
        let last = before.trim_end().rsplit([' ', '(']).next().unwrap_or_default();
        // "see if", "wonder if": a question inside, no condition. "as if", "what if", "even if" go with the rest.
        let wonders = [
            "see",
            "check",
            "wonder",
            "wondering",
            "know",
            "tell",
            "test",
            "verify",
            "sure",
            "ask",
            "find out",
            "out",
            "clear",
            "decide",
            "matter",
            "seeing",
            "checking",
            "testing",
            "knowing",
        ]
        .contains(&last);
        out.push_str(before);
        supposed |= word != "whether" && !wonders;
        let clause = &rest[at..];
        // The clause reaches to the comma after it; at the front of a sentence "then" ends it too.
        let end = clause
            .find(", ")
            .map(|n| n + 2)
            .into_iter()
            .chain(clause.find(" then ").map(|n| n + 6))
            .chain(clause.find("; ").map(|n| n + 2))
            .chain(clause.find(" - ").map(|n| n + 3))
            .min()
            .unwrap_or(clause.len());
        rest = &clause[end..];
    }
    out.push_str(rest);
    (out, supposed)
}

fn next_supposition(text: &str) -> Option<(usize, &'static str)> {
    const WORDS: [&str; 7] =
        ["if", "unless", "whether", "provided that", "assuming", "in case", "as long as"];
    /// None of them begins within another.
    static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(WORDS).ok()
    });
    let finder = FINDER.as_ref()?;
    finder.find_iter(text).map(|hit| (hit.start(), WORDS[hit.pattern().as_usize()])).find(
        |&(at, word)| {
            let (before, tail) = text.split_at(at);
            let starts = before.is_empty() || before.ends_with([' ', '(', ',']);
            let whole = tail[word.len()..].starts_with(' ');
            let idiom = || {
                IDIOMS.iter().any(|idiom| tail.starts_with(idiom))
                    || before.ends_with("as ") && word == "if"
                    || before.ends_with("even ")
            };
            starts && whole && !idiom()
        },
    )
}

/// Suppositions that suppose nothing.
const IDIOMS: [&str; 15] = [
    "if only",
    "if memory serves",
    "if you ask me",
    "if any",
    "if it is any",
    "if i remember",
    "if i recall",
    "if i read",
    "if i understand",
    "if i am NOT mistaken",
    "if that helps",
    "if you like",
    "if anything",
    "if at all",
    "if NOT ",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suppositions_are_cut_out() {
        assert_eq!(
            without_suppositions("if it is noise, i will fix it."),
            ("i will fix it.".to_owned(), true)
        );
        assert_eq!(
            without_suppositions("i can reproduce it if i use <num> threads."),
            ("i can reproduce it ".to_owned(), true)
        );
        assert_eq!(
            without_suppositions("let me see if this is expected."),
            ("let me see ".to_owned(), false)
        );
        assert_eq!(
            without_suppositions("it tells us whether it is expected, no more."),
            ("it tells us no more.".to_owned(), false)
        );
        assert_eq!(
            without_suppositions("it looks as if it works."),
            ("it looks as if it works.".to_owned(), false)
        );
    }
}
