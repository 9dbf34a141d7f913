//! `regard review export`: what the operator settled, as examples for rule files.

use std::collections::BTreeMap;

use super::context::Failure;
use super::{Outcome, output};
use crate::daemon::Ruling;
use crate::engine::Policy;
use crate::mail::Address;
use crate::regression::Role;
use crate::store::{Store, StoredMessage};

/// Prints `[[example]]` blocks, those of one verdict together: each belongs into the rule file of that verdict, where
/// `regard rules test` runs it.
pub(super) fn run(store: &mut Store) -> Result<Outcome, Failure> {
    let settled = store.look(|tx| {
        let mut settled = Vec::new();
        for (review, said) in tx.settled_reviews()? {
            let mail = tx.message(&review.message)?;
            let regression = match mail.as_ref().and_then(|m| m.regression.as_ref()) {
                Some(id) => tx.regression(id)?,
                None => None,
            };
            settled.push((review.message, said, mail, regression));
        }
        Ok(settled)
    })?;
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (key, said, mail, regression) in &settled {
        // A row that was settled by hand in other words is no ruling.
        let Ok(ruling) = serde_json::from_str::<Ruling>(said) else { continue };
        // The configuration's operators are nobody's examples: the role that the log of the regression tells is enough.
        let nobody = Policy::new(Address { name: String::new(), email: String::new() });
        let from = mail.as_ref().and_then(|m| m.from.as_ref());
        let role = from.map(|f| crate::engine::role(f, regression.as_ref(), &nobody));
        let block = block(key, &ruling, mail.as_ref(), role);
        files.entry(format!("{}.toml", ruling.label)).or_default().push(block);
    }
    let mut text = String::new();
    for (file, blocks) in files {
        text += &format!("# for {file}\n\n{}\n", blocks.join("\n"));
    }
    output::print(&text)?;
    Ok(Outcome::Fine)
}

fn block(key: &str, ruling: &Ruling, mail: Option<&StoredMessage>, role: Option<Role>) -> String {
    let words = if ruling.span.is_empty() {
        mail.map_or("", |m| m.new_text.as_str())
    } else {
        ruling.span.as_str()
    };
    let before = match &ruling.was {
        Some((label, rule)) if rule != "no-verdict" => format!("was {label} [{rule}]"),
        _ => "was undecided".to_owned(),
    };
    let day = ruling.at.strftime("%Y-%m-%d");
    let mut block = format!("# <{key}>, settled by {} on {day}; {before}\n", one_line(&ruling.by));
    block += &format!("[[example]]\ntext = {}\n", quoted(words));
    if let Some(role) = role.filter(|role| *role != Role::Other) {
        block += &format!("role = {}\n", quoted(&output::word(&role)));
    }
    block
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// A TOML string, escaped where it must be.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn any_words_survive_as_toml() {
        for text in ["plain", "it's \"so\" \\ and\nthen'''\u{7}", "", "Ünïcode – 日本"] {
            let table: toml::Table = toml::from_str(&format!("x = {}", quoted(text))).unwrap();
            assert_eq!(table["x"].as_str(), Some(text));
        }
    }
}
