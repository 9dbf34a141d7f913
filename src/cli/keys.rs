//! The review list on a terminal: one key settles a mail.

use std::io::{self, IsTerminal};

use super::args::Args;
use super::context::Failure;
use super::review::{Item, List, accept, ruling, settle, text};
use super::{Outcome, output};
use crate::daemon::{Desk, Ruling};
use crate::triage::Label;

/// What one key says that a mail means.
const KEYS: &[(char, Label)] = &[
    ('0', Label::NoAction),
    ('b', Label::TestedBad),
    ('c', Label::Confirmed),
    ('d', Label::Disputed),
    ('e', Label::Expected),
    ('f', Label::AlreadyFixed),
    ('g', Label::TestedGood),
    ('i', Label::Investigating),
    ('k', Label::FixApplied),
    ('m', Label::NeedsInfo),
    ('n', Label::NotReproducible),
    ('o', Label::Objection),
    ('p', Label::FixPlanned),
    ('r', Label::Retracted),
    ('t', Label::StillPresent),
    ('u', Label::Duplicate),
    ('w', Label::WontFix),
    ('x', Label::FixPosted),
];

/// What a key asks for.
#[derive(Debug, PartialEq)]
pub(super) enum Answer {
    /// This is what the mail means.
    Rule(Box<Ruling>),
    /// The next one.
    Skip,
    /// Enough for today.
    Quit,
    /// What can be typed.
    Help,
}

/// Whether somebody sits there who can press keys.
pub(super) fn wanted(args: &Args) -> bool {
    !args.json && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Shows each mail and waits for a key.
pub(super) fn work_through(list: &mut List, desk: &mut Desk, by: &str) -> Result<Outcome, Failure> {
    let terminal = console::Term::stdout();
    let items = list.items()?;
    if items.is_empty() {
        output::print("nothing waits for you\n")?;
    }
    for (number, item) in items.iter().enumerate() {
        output::print(&format!(
            "\n{} of {}  {}\n{}\n",
            number + 1,
            items.len(),
            text(item),
            prompt(item)
        ))?;
        loop {
            match answer(terminal.read_char()?, item, by) {
                Answer::Rule(ruling) => {
                    let did = settle(desk, &item.message_id, &ruling)?;
                    output::print(&format!("{}: {}\n", ruling.label, did.join("; ")))?;
                    break;
                }
                Answer::Skip => break,
                Answer::Quit => return Ok(Outcome::Fine),
                Answer::Help => output::print(&help())?,
            }
        }
    }
    Ok(Outcome::Fine)
}

fn prompt(item: &Item) -> String {
    let guesses: Vec<String> = item
        .guesses
        .iter()
        .take(9)
        .enumerate()
        .map(|(n, g)| format!("{} {}", n + 1, g.label))
        .collect();
    let accept = match guesses.first() {
        Some(_) => format!("a accept, {}, ", guesses.join(", ")),
        None => String::new(),
    };
    format!("{accept}0 no verdict, s skip, q quit, ? other verdicts")
}

/// What a key means for an item.
pub(super) fn answer(key: char, item: &Item, by: &str) -> Answer {
    let guessed = |n: usize| accept(item, n, by).map(|r| Answer::Rule(Box::new(r)));
    match key {
        's' | ' ' | '\n' => Answer::Skip,
        'q' | '\u{3}' | '\u{4}' | '\u{1b}' => Answer::Quit,
        'a' => guessed(0).unwrap_or(Answer::Help),
        '1'..='9' => guessed(key as usize - '1' as usize).unwrap_or(Answer::Help),
        _ => KEYS.iter().find(|(k, _)| *k == key).map_or(Answer::Help, |(_, label)| {
            // A verdict that was guessed, too, keeps its sentence.
            let same = item.guesses.iter().position(|g| g.label == *label);
            let ruling =
                same.and_then(|n| accept(item, n, by)).unwrap_or_else(|| ruling(*label, by));
            Answer::Rule(Box::new(ruling))
        }),
    }
}

fn help() -> String {
    let rows: Vec<String> = KEYS.iter().map(|(key, label)| format!("{key} {label}")).collect();
    let lines: Vec<String> = rows.chunks(6).map(|row| row.join(", ")).collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::review::Guess;

    fn item(labels: &[Label]) -> Item {
        let guess = |label: &Label| Guess {
            label: *label,
            weight: 0.4,
            rule: "r".to_owned(),
            sentence: format!("Words for {label}."),
            points_at: None,
        };
        Item {
            id: "abc123".to_owned(),
            message_id: "m@example.org".to_owned(),
            regression: None,
            why: "undecided".to_owned(),
            from: None,
            received: None,
            subject: String::new(),
            new_text: String::new(),
            guesses: labels.iter().map(guess).collect(),
        }
    }

    fn ruled(key: char, item: &Item) -> (Label, String, bool) {
        match answer(key, item, "jo") {
            Answer::Rule(r) => (r.label, r.span, r.accepted),
            other => panic!("{key}: {other:?}"),
        }
    }

    #[test]
    fn one_key_settles_a_mail() {
        let item = item(&[Label::Expected, Label::Disputed]);
        assert_eq!(ruled('a', &item), (Label::Expected, "Words for expected.".to_owned(), true));
        assert_eq!(ruled('2', &item), (Label::Disputed, "Words for disputed.".to_owned(), true));
        assert_eq!(ruled('d', &item).1, "Words for disputed.");
        assert_eq!(ruled('w', &item), (Label::WontFix, String::new(), false));
        assert_eq!(ruled('0', &item).0, Label::NoAction);
        assert_eq!(answer('s', &item, "jo"), Answer::Skip);
        assert_eq!(answer('\u{3}', &item, "jo"), Answer::Quit);
        assert_eq!(answer('3', &item, "jo"), Answer::Help);
    }

    #[test]
    fn without_a_guess_there_is_nothing_to_accept() {
        assert_eq!(answer('a', &item(&[]), "jo"), Answer::Help);
    }

    #[test]
    fn no_key_means_two_things() {
        let keys: Vec<char> = KEYS.iter().map(|(k, _)| *k).chain("asq?".chars()).collect();
        assert!(keys.iter().enumerate().all(|(n, k)| !keys[..n].contains(k)));
    }
}
