//! Every command with what it does: `commands/effects.txt` holds the mails, `commands/effects.expected.txt` what followed.
//! `REGARD_BLESS=1` rewrites the latter.

use std::collections::BTreeSet;

use regard::daemon::Story;
use regard::engine::{Answer, Draft, Effect, Letter, News};
use regard::regression::command::{VERBS, parse_line};

use crate::house::{House, ID, golden};

const CASES: &str = include_str!("commands/effects.txt");

/// One case: its title, then mails, each with who writes and where.
struct Case<'a> {
    title: &'a str,
    mails: Vec<&'a str>,
}

fn cases() -> Vec<Case<'static>> {
    let blocks = CASES.split("\n== ").skip(1);
    let case = |block: &'static str| {
        let (title, rest) = block.split_once('\n').unwrap();
        Case { title, mails: rest.split("\n--\n").map(str::trim).collect() }
    };
    blocks.map(case).collect()
}

/// `jo@example.net, in the thread: words`; the thread is ours unless another one, or none, is named.
fn send(house: &mut House, mail: &str) -> Story {
    let (head, text) = mail.split_once('\n').unwrap();
    let (from, place) = head.split_once(", ").unwrap_or((head, "ours"));
    let thread = match place {
        "ours" => return house.reply(from, text),
        "nowhere" => String::new(),
        parent => format!("In-Reply-To: <{parent}>\n"),
    };
    let header =
        format!("From: {from}\nTo: bot@example.org\nSubject: Re: slower since June\n{thread}");
    house.mail(&header, text)
}

fn draft(draft: &Draft) -> String {
    match &draft.letter {
        Letter::Answer(Answer::Commands { lines }) => {
            let line = |(line, said): &(String, regard::engine::Said)| {
                // The list of commands is `docs/commands.md`.
                let said = match said {
                    regard::engine::Said::Help(all) => format!("{} verbs", all.len()),
                    said => serde_json::to_string(said).unwrap(),
                };
                format!("    answer  {line}: {said}\n")
            };
            lines.iter().map(line).collect()
        }
        Letter::RunRequest(r) => format!("    asks    the lab: {} {:?}\n", r.purpose, r.fix),
        Letter::FollowUp(f) => match &f.news {
            News::Closing { .. } => "    writes  closing\n".to_owned(),
            _ => format!("    writes  {}\n", draft.key),
        },
        _ => format!("    writes  {}\n", draft.key),
    }
}

fn told(story: &Story) -> String {
    let mut out = String::new();
    for effect in &story.effects {
        out += &match effect {
            Effect::Append(id, entry) => {
                format!("    {id}  {}\n", serde_json::to_string(&entry.what).unwrap())
            }
            Effect::Join(id, message) => format!("    joins   {id}: {message}\n"),
            Effect::Leave(id, message) => format!("    leaves  {id}: {message}\n"),
            Effect::Release(id) => format!("    lets go {id}\n"),
            Effect::Reject(id) => format!("    rejects {id}\n"),
            Effect::Unreject(id) => format!("    holds   {id}\n"),
            Effect::OptOut { email } => format!("    leaves alone {email}\n"),
            Effect::Review { why, .. } => format!("    review  {why}\n"),
            Effect::Nothing(why) => format!("    nothing {why}\n"),
            Effect::Send(d) => draft(d),
            Effect::Await { .. } | Effect::Settle { .. } | Effect::Keep { .. } => String::new(),
        };
    }
    out
}

#[test]
fn every_command_has_its_effect() {
    let mut house = House::build("");
    let mut out = String::new();
    for case in cases() {
        house.start_again();
        out += &format!("== {}\n", case.title);
        for mail in &case.mails {
            let story = send(&mut house, mail);
            let text = mail.split_once('\n').unwrap().1;
            out += &text.lines().map(|l| format!("> {l}\n")).collect::<String>();
            out += &told(&story);
        }
        out += &format!("    = {}\n\n", house.regression(ID).state);
    }
    golden("tests/cli/commands/effects.expected.txt", &out);
}

#[test]
fn no_verb_is_left_out() {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for line in CASES.lines() {
        if let Some(Ok(given)) = parse_line(line) {
            seen.insert(given.command.verb());
        }
    }
    let missing: Vec<&str> =
        VERBS.iter().map(|v| v.name).filter(|name| !seen.contains(name)).collect();
    assert!(missing.is_empty(), "without a case: {missing:?}");
}

#[test]
fn every_alias_reads_as_its_verb() {
    let values = [
        "",
        " some words",
        " 1d7bb6093f0c",
        " https://lists.example.org/r/x@example.org",
        " v6.1..v6.2",
        " prio: low",
    ];
    for verb in VERBS {
        for name in std::iter::once(&verb.name).chain(verb.aliases) {
            let understood = values.iter().filter_map(|value| {
                parse_line(&format!("#regard {name}{value}"))?.ok().map(|g| g.command.verb())
            });
            let understood: BTreeSet<&str> = understood.collect();
            assert_eq!(understood, BTreeSet::from([verb.name]), "{name}");
        }
    }
}
