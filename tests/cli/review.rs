//! `regard review`: what no rule was sure about is settled by the operator, by the same way as a mail.

use std::path::Path;

use serde_json::Value;

use regard::daemon::Desk;
use regard::regression::{Cause, Happening, State};

use crate::house::{House, ID};

/// Words for which `weak-rules/` has a hint, no verdict.
const WEAK: &str = "Well, marmots shrug.";

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

/// A house with one undecided mail; its six characters.
fn undecided() -> (House, String) {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/weak-rules");
    let mut house = House::build(&format!("[rules]\ndir = {rules:?}\n"));
    house.write(|tx| {
        let review = regard::store::Review {
            message: "mail-1@example.net".to_owned(),
            regression: Some(ID.to_owned()),
            label: Some("wont-fix".to_owned()),
            words: WEAK.to_owned(),
            why: "undecided".to_owned(),
        };
        tx.put_review(&review, crate::house::hour(1))
    });
    house.reply("Mira Okafor <mira@example.org>", WEAK);
    let listed = lines(&house.regard(&["--json", "review", "list"]));
    assert_eq!(listed.len(), 1, "{listed:?}");
    let id = listed[0]["id"].as_str().unwrap().to_owned();
    (house, id)
}

#[test]
fn the_list_and_one_of_it() {
    let (house, id) = undecided();
    let listed = house.regard(&["review"]);
    assert!(listed.contains("Mira Okafor") && listed.contains("wont-fix"), "{listed}");
    let shown = house.regard(&["review", "show", &id]);
    assert!(shown.contains(&format!("    {WEAK}\n")), "{shown}");
    assert!(shown.contains("guess 1    wont-fix: \"Well, marmots shrug"), "{shown}");
    // The Message-ID names it, too.
    assert_eq!(house.regard(&["review", "show", "<mail-1@example.net>"]), shown);
}

#[test]
fn an_accepted_guess_takes_effect_with_the_operators_name_and_the_mail() {
    let (mut house, id) = undecided();
    let told = house.regard(&["review", "accept", &id]);
    assert_eq!(told, format!("{id}: wont-fix: {ID}: open -> wont-fix\n"));
    assert_eq!(house.regression(ID).state, State::WontFix);
    assert_eq!(house.regression(ID).mover.unwrap().who, "mira@example.org");
    let entry = house.entries(ID).pop().unwrap();
    let Cause::Words { message, words, rule, settled_by, .. } = entry.cause else { panic!() };
    assert_eq!((message.as_str(), words.as_str()), ("mail-1@example.net", WEAK));
    assert_eq!((rule.as_str(), settled_by.as_deref()), ("review", Some("olga")));
    assert!(house.regard(&["show", ID]).contains("[review, settled by olga]"));
    assert_eq!(house.regard(&["review"]), "nothing waits for you\n");
}

#[test]
fn the_state_machine_still_decides_whether_anything_moves() {
    let (mut house, id) = undecided();
    house.reply("ops@example.org", "#regard invalid: a wrong machine");
    house.regard(&["review", "accept", &id]);
    assert_eq!(house.regression(ID).state, State::Invalid);
    let last = house.entries(ID).pop().unwrap().what;
    assert!(matches!(last, Happening::Kept { ref why, .. } if why == "closed"), "{last:?}");
}

#[test]
fn a_correction_takes_effect_and_becomes_an_example() {
    let (mut house, id) = undecided();
    house.regard(&["review", "correct", &id, "disputed", "--span", "would not lose sleep"]);
    assert_eq!(house.regression(ID).state, State::Disputed);
    let exported = house.regard(&["review", "export"]);
    let wanted = "# for disputed.toml\n\n# <mail-1@example.net>, settled by olga on ";
    assert!(exported.starts_with(wanted), "{exported}");
    assert!(
        exported.contains("[[example]]\ntext = \"would not lose sleep\"\nrole = \"author\"\n"),
        "{exported}"
    );
}

#[test]
fn a_wrong_verdict_of_a_rule_is_corrected_and_its_move_taken_back() {
    let mut house = House::build("");
    house.reply("mira@example.org", "This is expected, it is by design.");
    assert_eq!(house.regression(ID).state, State::Expected);
    house.regard(&[
        "review",
        "correct",
        "mail-1@example.net",
        "no-action",
        "--as",
        "ops@example.org",
    ]);
    assert_eq!(house.regression(ID).state, State::Open);
    let exported = house.regard(&["review", "export"]);
    assert!(exported.contains("; was expected [is-expected]\n"), "{exported}");
    let shown = house.regard(&["show", ID]);
    assert!(shown.contains("ops@example.org on the command line: review correct"), "{shown}");
}

#[test]
fn exported_examples_run_in_a_rule_file() {
    let (house, id) = undecided();
    house.regard(&["review", "correct", &id, "disputed", "--span", "Not my cup of tea."]);
    let exported = house.regard(&["review", "export"]);
    let file = house.folder.path().join("mine.toml");
    let rule = "label = \"disputed\"\nrank = 45\nwhy = \"Contested.\"\n\n[[rule]]\nid = \"no-sleep-lost\"\nweight = 0.8\n\
                text = ['no such words']\nmatches = [\"No such words.\"]\nmisses = [\"Words.\"]\n\n";
    std::fs::write(&file, format!("{rule}{exported}")).unwrap();
    let told = house.run(&["rules", "test", file.to_str().unwrap()]);
    let said = String::from_utf8(told.stdout).unwrap();
    assert_eq!(told.status.code(), Some(1));
    assert!(said.contains("mine.toml:15:1: read as "), "{said}");
    assert!(said.contains(", not as disputed: \"Not my cup of tea.\""), "{said}");
    std::fs::write(
        &file,
        format!("{rule}{exported}")
            .replace("'no such words'", r"'\bno such words', '\bcup of tea\b'"),
    )
    .unwrap();
    let told = house.run(&["rules", "test", file.to_str().unwrap()]);
    assert_eq!(told.status.code(), Some(0), "{}", String::from_utf8_lossy(&told.stdout));
}

#[test]
fn what_cannot_be_settled_is_refused() {
    let (mut house, id) = undecided();
    let refused = |args: &[&str], why: &str| {
        let output = house.run(args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{said}");
    };
    refused(&["review", "accept", "zzz"], "is not on the list");
    refused(&["review", "correct", &id, "expectd"], "did you mean `expected`?");
    refused(&["review", "correct", &id, "bounce"], "is nothing that words can mean");
    assert_eq!(house.regression(ID).state, State::Open);
}

#[test]
fn the_daemon_beside_sees_it() {
    let (mut house, id) = undecided();
    house.regard(&["review", "accept", &id]);
    house.desk = Desk::open(&house.config).unwrap();
    house.reply("jo@example.net", "#regard reopen: it hurts");
    assert_eq!(house.regression(ID).state, State::Open);
}
