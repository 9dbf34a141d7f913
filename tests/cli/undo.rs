//! `regard undo`: an entry is taken back, and the log says who did it, when and why.

use regard::regression::{Cause, Happening, State};

use crate::house::{House, ID};

#[test]
fn the_last_move_is_taken_back_with_its_reason() {
    let mut house = House::build("");
    house.reply("mira@example.org", "#regard fix: sched/fair: keep wakeups in the cluster");
    assert_eq!(house.regression(ID).state, State::FixQueued);
    let told = house.regard(&["undo", ID, "--reason", "another bug", "--as", "ops@example.org"]);
    assert_eq!(told, format!("{ID}: entry 4 undone (open -> fix-queued); fix-queued -> open\n"));
    let r = house.regression(ID);
    assert_eq!((r.state, r.fix), (State::Open, None), "the fix of the same line goes with it");
    let last = house.entries(ID).pop().unwrap();
    assert_eq!(last.what, Happening::Undone { entry: 4 });
    let line = format!("undo {ID} 4: another bug");
    assert_eq!(last.cause, Cause::Operator { who: "ops@example.org".to_owned(), line });
    let shown = house.regard(&["show", ID]);
    assert!(shown.contains("entry 4 undone"), "{shown}");
    assert!(shown.contains("ops@example.org on the command line: undo"), "{shown}");
}

#[test]
fn an_undo_is_undone_and_who_does_it_is_known() {
    let mut house = House::build("");
    house.reply("mira@example.org", "#regard expected: more checks");
    house.regard(&["undo", ID]);
    assert_eq!(house.regression(ID).state, State::Open);
    let number = house.entries(ID).len();
    let json = house.regard(&["--json", "undo", ID, &number.to_string()]);
    let told: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((told["from"].as_str(), told["to"].as_str()), (Some("open"), Some("expected")));
    assert_eq!(told["by"].as_str(), Some("olga"), "the login");
    assert_eq!(house.regression(ID).state, State::Expected);
}

#[test]
fn what_cannot_be_taken_back_is_refused_and_nothing_changes() {
    let mut house = House::build("");
    house.reply("mira@example.org", "#regard expected: more checks");
    let before = house.entries(ID).len();
    let refused = |args: &[&str], why: &str| {
        let output = house.run(args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{said}");
    };
    refused(&["undo", "nonsense!"], "is not an id");
    refused(&["undo", "zzzzzzzz"], "nothing is tracked under this id");
    refused(&["undo", ID, "0"], "has no entry 0");
    refused(&["undo", ID, "99"], "has no entry 99");
    refused(&["undo", ID, "1"], "entry 1 opened it");
    refused(&["undo", ID, "2"], "entry 2 is a written mail");
    house.regard(&["undo", ID, "3"]);
    refused(&["undo", ID, "3"], "was undone already");
    assert_eq!(house.entries(ID).len(), before + 1);
}
