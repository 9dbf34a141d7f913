//! Sayings: replies with their verdicts, one a line.
//!
//! `rules/sayings/*.txt`, lines of `verdict<TAB>words`; `verdict@robot` when somebody of the robot's house says so. Words that
//! answer something begin with `> quoted words <NL> `; `<NL>` ends a line, `<DIFF>` stands for a patch, `<TABLE>` for figures.
//! `[[ ]]` may mark what decides, for people who read on. `#` begins a remark.

use sha2::{Digest, Sha256};

use super::super::Label;
use super::super::rules::Example;
use super::super::source::RuleError;
use crate::regression::Role;

/// One saying.
#[derive(Debug, Clone)]
pub(super) struct Saying {
    pub label: Label,
    pub mail: Example,
}

const PATCH: &str = "\n\ndiff --git a/mm/x.c b/mm/x.c\n--- a/mm/x.c\n+++ b/mm/x.c\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n";
const FIGURES: &str = "\n\n    before   1000 1010 1005\n    after     900  905  910\n\n";

/// Reads files of sayings: (name, text).
pub(super) fn read(files: &[(String, String)]) -> Result<Vec<Saying>, Vec<RuleError>> {
    let (mut sayings, mut errors) = (Vec::new(), Vec::new());
    for (file, text) in files {
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let mut fail = |what: String, cure: &str| {
                let (line, column) = (number + 1, 1);
                errors.push(RuleError {
                    file: file.clone(),
                    line,
                    column,
                    what,
                    cure: cure.to_owned(),
                });
            };
            let Some((verdict, words)) = line.split_once('\t') else {
                fail("a line without a tab".to_owned(), "Write `verdict<TAB>words`.");
                continue;
            };
            let (verdict, role) = match verdict.trim().strip_suffix("@robot") {
                Some(verdict) => (verdict, Some(Role::Robot)),
                None => (verdict.trim(), None),
            };
            let Ok(label) = verdict.parse() else {
                fail(format!("unknown verdict `{verdict}`"), "`regard rules list` shows them.");
                continue;
            };
            sayings.push(Saying { label, mail: Example { role, ..mail(words) } });
        }
    }
    if errors.is_empty() { Ok(sayings) } else { Err(errors) }
}

fn mail(words: &str) -> Example {
    let words = words.replace("[[", "").replace("]]", "");
    let words = words.as_str();
    let (answers, text) = match words.split_once("<NL>") {
        Some((quoted, text)) if words.starts_with('>') => (quoted.trim_start_matches('>'), text),
        _ => ("", words),
    };
    let text = text.replace("<NL>", "\n").replace("<DIFF>", PATCH).replace("<TABLE>", FIGURES);
    Example {
        text: text.trim().to_owned(),
        answers: answers.trim().to_owned(),
        ..Example::default()
    }
}

/// SHA-256 over the files and the rules, so that weights can name what they were learned from.
pub fn digest(files: &[(String, String)]) -> String {
    let mut hash = Sha256::new();
    let files = files.iter().map(|(_, text)| text.as_str());
    let rules = crate::embedded::RULES.iter().map(|(_, text)| *text);
    files.chain(rules).for_each(|text| hash.update(text.as_bytes()));
    hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
}
