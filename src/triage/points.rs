//! What a sentence points at: a commit with its subject, a subject, a Message-ID, a URL.

use super::Label;
use super::engine::Reader;
use super::facts::same_commit;
use super::plain::{Found, Thing};

/// The thing that a verdict speaks of, as written; from the sentence itself, else from its neighbours and from commits
/// pasted below it.
pub(super) fn points_at(
    reader: &Reader<'_>,
    label: Label,
    sentence: Option<usize>,
) -> Option<String> {
    let wanted: &[Thing] = match label {
        Label::AlreadyFixed
        | Label::FixApplied
        | Label::TestedGood
        | Label::TestedBad
        | Label::PartialFix => &[Thing::Commit, Thing::Subject, Thing::Id, Thing::Url],
        Label::FixPosted | Label::FixPlanned => {
            &[Thing::Id, Thing::Url, Thing::Commit, Thing::Subject]
        }
        Label::Duplicate => &[Thing::Url, Thing::Id],
        _ => return None,
    };
    let number = sentence?;
    let order = [number, number + 1, number.wrapping_sub(1)];
    let near = order.iter().filter_map(|n| reader.sentences.get(*n));
    for things in near.map(|s| &s.plain.things) {
        if let Some(found) = pick(reader, things, wanted) {
            return Some(found);
        }
    }
    pasted(reader, reader.sentences[number].line)
}

fn pick(reader: &Reader<'_>, things: &[Found], wanted: &[Thing]) -> Option<String> {
    let culprit = |found: &Found| {
        found.thing == Thing::Commit
            && reader.context.culprit.as_deref().is_some_and(|c| same_commit(c, &found.text))
    };
    let report = |found: &Found| {
        matches!(found.thing, Thing::Url | Thing::Id)
            && reader.context.reports.iter().any(|id| super::facts::names_id(&found.text, id))
    };
    for kind in wanted {
        let hit =
            things.iter().enumerate().find(|(_, f)| f.thing == *kind && !culprit(f) && !report(f));
        if let Some((at, found)) = hit {
            let subject = things
                .get(at + 1)
                .filter(|next| *kind == Thing::Commit && next.thing == Thing::Subject);
            return Some(match subject {
                Some(subject) => format!("{} (\"{}\")", found.text, subject.text),
                None => found.text.clone(),
            });
        }
    }
    None
}

/// Lines that a pasted reference may stand below the words.
const BELOW: usize = 12;

/// `commit <hex>` with its message, or `<hex> ("subject")`, set apart below the words.
fn pasted(reader: &Reader<'_>, line: usize) -> Option<String> {
    let lines: Vec<&str> = reader.context.message.body.lines().skip(line).take(BELOW).collect();
    for (at, text) in lines.iter().enumerate().map(|(at, l)| (at, l.trim())) {
        let text = text.strip_prefix("commit ").unwrap_or(text);
        let hex = text.split_whitespace().next().unwrap_or_default();
        let commit = (8..=40).contains(&hex.len())
            && hex.bytes().all(|b| b.is_ascii_hexdigit())
            && hex.bytes().any(|b| b.is_ascii_digit());
        if !commit || reader.context.culprit.as_deref().is_some_and(|c| same_commit(c, hex)) {
            continue;
        }
        let rest = text[hex.len()..].trim().trim_matches(['(', ')', '"']);
        let below = lines[at + 1..]
            .iter()
            .find(|l| l.starts_with("    ") && !l.trim().is_empty())
            .map(|l| l.trim());
        let subject = if rest.is_empty() { below.unwrap_or_default() } else { rest };
        return Some(if subject.is_empty() {
            hex.to_owned()
        } else {
            format!("{hex} (\"{subject}\")")
        });
    }
    None
}
