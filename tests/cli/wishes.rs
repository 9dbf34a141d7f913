//! Who must not be written to is not; whose word needs proof moves nothing without it.

use regard::daemon::Desk;
use regard::engine::Effect;
use regard::regression::State;
use regard::store::{OutboxRow, OutboxState, RecipientState};

use crate::house::{House, ID, REPORT, hour};

fn letters(house: &mut House) -> Vec<OutboxRow> {
    house.write(|tx| tx.outbox(None))
}

fn report(house: &mut House) -> OutboxRow {
    letters(house).into_iter().find(|row| row.key.starts_with("report/")).unwrap()
}

fn addresses(row: &OutboxRow) -> Vec<&str> {
    let pending = row.recipients.iter().filter(|r| r.state == RecipientState::Pending);
    pending.map(|r| r.address.as_str()).collect()
}

/// Results of another machine about the same commit: a follow-up that goes to its people.
fn news(house: &mut House) -> Option<OutboxRow> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/demo");
    let raw = std::fs::read(path.join("01-hackbench-gets-worse.eml")).unwrap();
    let text = String::from_utf8(raw)
        .unwrap()
        .replace("20260302.0610.hackbench", "once.more")
        .replace("lab-a-ivb", "lab-b-skl");
    let story = house.take(text.as_bytes(), hour(30));
    let number = *story.written.last()?;
    house.write(|tx| tx.outbox_row(number))
}

#[test]
fn whoever_opted_out_is_taken_off_what_waits_and_never_comes_back() {
    let mut house = House::build("");
    assert!(addresses(&report(&mut house)).contains(&"mira@example.org"));
    house.reply("Mira <mira@example.org>", "#regard opt-out");
    let row = report(&mut house);
    assert!(!addresses(&row).contains(&"mira@example.org"));
    let mira = row.recipients.iter().find(|r| r.address == "mira@example.org").unwrap();
    assert_eq!(mira.answer.as_deref(), Some("opted out before it was sent"));
    assert!(addresses(&row).contains(&"perf@lists.example.org"));

    // The daemon starts again.
    house.desk = Desk::open(&house.config).unwrap();
    let row = news(&mut house).unwrap();
    assert!(!row.recipients.iter().any(|r| r.address == "mira@example.org"), "{row:?}");
    assert_eq!(row.last.as_deref(), Some("left out, no mail wanted: mira@example.org"));
    // Not even when she asks something.
    let story = house.reply("mira@example.org", "#regard status");
    assert!(story.written.is_empty());
    assert!(story.defects.iter().any(|d| d.contains("mira@example.org wants no mail")));
}

#[test]
fn a_wish_about_one_regression_leaves_the_others() {
    let mut house = House::build("");
    house.reply("mira@example.org", "#syz uncc");
    assert!(!addresses(&report(&mut house)).contains(&"mira@example.org"));
    assert!(house.write(|tx| tx.opt_outs()).is_empty());
    // What she asks herself is answered.
    assert_eq!(house.reply("mira@example.org", "#regard status").written.len(), 1);
}

#[test]
fn the_gate_says_when_nobody_is_left() {
    let mut house = House::build(
        "[[opt_out]]\nwho = \"@example.org\"\n[[opt_out]]\nwho = \"@lists.example.org\"\n[[opt_out]]\nwho = \"@example.net\"\n",
    );
    let row = report(&mut house);
    assert_eq!(row.state, OutboxState::Held);
    let hold = row.hold.unwrap();
    assert!(
        hold.starts_with("opted-out: nobody is left, no mail is wanted by mira@example.org"),
        "{hold}"
    );
}

#[test]
fn the_operator_takes_a_wish_back() {
    let mut house = House::build("");
    house.reply("mira@example.org", "#regard opt-out");
    assert_eq!(house.write(|tx| tx.opt_outs()), ["mira@example.org"]);
    let number = house.entries(ID).len();
    house.regard(&["undo", ID, &number.to_string(), "--reason", "she changed her mind"]);
    assert!(house.write(|tx| tx.opt_outs()).is_empty());
    assert!(house.regression(ID).opted_out.is_empty());
}

#[test]
fn what_happens_in_a_private_tree_is_its_owners_business() {
    let mut house =
        House::build("[[private_tree]]\ntree = \"kernel:*\"\nowner = \"owner@example.org\"\n");
    assert_eq!(addresses(&report(&mut house)), ["owner@example.org"]);
    assert_eq!(addresses(&news(&mut house).unwrap()), ["owner@example.org"]);
}

const PROOF: &str =
    "[authentication]\nauthserv_id = \"mx.example.org\"\nrequire = [\"operator commands\"]\n";

fn ops(house: &mut House, results: &str, text: &str) -> State {
    let header = format!(
        "{results}From: Ops <ops@example.org>\nTo: bot@example.org\nSubject: Re: x\nIn-Reply-To: <{REPORT}>\n"
    );
    house.mail(&header, text);
    house.regression(ID).state
}

#[test]
fn a_proven_command_counts() {
    let results = [
        "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\n",
        "Authentication-Results: mx.example.org 1; spf=fail smtp.mailfrom=x.example; dkim=pass (2048 bits) header.d=example.org\n",
        "Authentication-Results: MX.example.org;\n dkim=fail header.d=example.org;\n dkim=pass header.i=@example.org\n",
    ];
    for result in results {
        let mut house = House::build(PROOF);
        assert_eq!(ops(&mut house, result, "#regard invalid"), State::Invalid, "{result}");
    }
}

#[test]
fn what_is_not_proven_is_answered_and_moves_nothing() {
    let forged = [
        "",
        "Authentication-Results: mx.example.org; dmarc=fail header.from=example.org\n",
        "Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=example.org\n",
        "Authentication-Results: mx.example.org; dkim=pass header.d=evil.example\n",
        "Authentication-Results: mx.example.org; dkim=pass header.d=org\n",
        "Authentication-Results: mx.example.org; dmarc=pass header.from=evil.example\n",
        "Authentication-Results: mx.evil.example; dmarc=pass header.from=example.org\n",
        "Authentication-Results: mx.example.org; none\n",
        "Authentication-Results: mx.example.org; dkim=neutral (dkim=pass header.d=example.org)\n",
        // Only the topmost one of our server counts.
        "Authentication-Results: mx.example.org; dmarc=fail header.from=example.org\n\
         Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\n",
    ];
    for result in forged {
        let mut house = House::build(PROOF);
        assert_eq!(ops(&mut house, result, "#regard invalid"), State::Open, "{result}");
        let answer = letters(&mut house).pop().unwrap();
        assert_eq!(answer.reason, "command-answer");
        let text = String::from_utf8_lossy(&answer.raw).replace("\r\n", " ");
        assert!(text.contains("I cannot tell that this mail is really from you"), "{text}");
    }
}

#[test]
fn asking_needs_no_proof_and_others_need_none_unless_told() {
    let mut house = House::build(PROOF);
    assert_eq!(ops(&mut house, "", "#regard status"), State::Open);
    let answer = letters(&mut house).pop().unwrap();
    assert!(String::from_utf8_lossy(&answer.raw).contains("open since"));
    house.reply("jo@example.net", "#regard invalid");
    assert_eq!(house.regression(ID).state, State::Invalid);
}

#[test]
fn unproven_words_of_the_operator_are_anybodys() {
    let mut house = House::build(PROOF);
    let words = "Sorry for the noise, please ignore this report, it is a false positive.";
    let story = house.reply("ops@example.org", words);
    assert_ne!(house.regression(ID).state, State::Invalid);
    let moved = story.effects.iter().any(
        |e| matches!(e, Effect::Append(_, entry) if format!("{:?}", entry.cause).contains("Operator")),
    );
    assert!(!moved);
}

#[test]
fn rights_of_the_configuration_hold() {
    let mut house = House::build("[commands]\ninvalid = \"maintainer\"\n");
    house.reply("jo@example.net", "#regard invalid: because");
    assert_eq!(house.regression(ID).state, State::Open);
    house.reply("ops@example.org", "#regard invalid: because");
    assert_eq!(house.regression(ID).state, State::Invalid);
}
