//! `docs/commands.md` says what the program says: its table is written by this test (`REGARD_BLESS=1`).

use std::path::Path;

use regard::engine::Rights;
use regard::regression::Role;
use regard::regression::command::{Marker, VERBS, parse_line};

const BEGIN: &str = "<!-- table: written by tests/cli/docs.rs -->\n";
const END: &str = "<!-- end of the table -->\n";

/// One line for each verb, as people type it.
const EXAMPLES: &[&str] = &[
    "#regard status",
    "#regard help",
    "#regzbot introduced: 1d7bb6093f0c (\"sched/fair: name the wakeup paths\")",
    "#regzbot title: hackbench is slower with many groups",
    "#regard fix: 1d7bb6093f0c (\"sched/fair: keep wakeups in the cluster\")",
    "#syz unfix",
    "#regard dup-of: https://lists.example.org/r/other-report@example.net",
    "#syz undup",
    "#regard invalid: the machine was throttled",
    "#regzbot resolve: gone with the new compiler",
    "#regzbot inconclusive: the machine is no more",
    "#regard expected: more checks on each wakeup",
    "#regard wont-fix: the old scheduler goes away",
    "#regard reopen: it hurts",
    "#regard undo",
    "#regzbot monitor: https://lists.example.org/r/discussion@example.net",
    "#regzbot link: https://bugs.example.org/1234 the bug",
    "#regzbot unlink: https://bugs.example.org/1234",
    "#regard snooze: 14 days",
    "#regzbot backburn: waits for hardware",
    "#regzbot unbackburn",
    "#regzbot note: bisected twice",
    "#regzbot ignore-activity",
    "#regzbot from: Zoe Ziegler <zoe@example.net>",
    "#regzbot use: https://lists.example.org/r/other-report@example.net",
    "#regard not-me",
    "#regard opt-out",
    "#regard retest",
    "#syz test: https://git.example.org/kernel.git fix-wakeups",
    "#regard send",
    "#syz upstream",
    "#syz set prio: low",
    "#syz unset no-reminders",
    "#syz regenerate",
    "#syz reject",
    "#syz unreject",
];

fn table() -> String {
    let rights = Rights::default();
    let mut out = String::from(
        "| command | other names | known to users of | behind it | who may | what it does | as in |\n|---|---|---|---|---|---|---|\n",
    );
    for verb in VERBS {
        let example = EXAMPLES.iter().find(
            |line| matches!(parse_line(line), Some(Ok(given)) if given.command.verb() == verb.name),
        );
        let example = example.unwrap_or_else(|| panic!("{} has no example", verb.name));
        let aliases: Vec<String> = verb.aliases.iter().map(|a| format!("`{a}`")).collect();
        let bots: Vec<&str> =
            verb.markers().iter().filter(|m| **m != Marker::Regard).map(|m| m.as_str()).collect();
        let who = match rights.of(verb.name) {
            Role::Other => "anybody".to_owned(),
            role => serde_json::to_string(&role).unwrap().trim_matches('"').to_owned(),
        };
        out += &format!(
            "| `{}` | {} | {} | {} | {who} | {} | `{}` |\n",
            verb.name,
            aliases.join(" "),
            bots.join(" "),
            verb.value(),
            verb.does,
            example
        );
    }
    out
}

#[test]
fn the_table_of_commands_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/commands.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once(BEGIN).expect("the begin of the table");
    let (_, tail) = rest.split_once(END).expect("the end of the table");
    let fresh = format!("{head}{BEGIN}{}{END}{tail}", table());
    if std::env::var_os("REGARD_BLESS").is_some() {
        std::fs::write(&path, &fresh).unwrap();
    }
    let page = std::fs::read_to_string(&path).unwrap();
    let diff = similar::TextDiff::from_lines(page.as_str(), &fresh);
    assert!(page == fresh, "{}", diff.unified_diff());
}

#[test]
fn every_example_reads() {
    for line in EXAMPLES {
        assert!(matches!(parse_line(line), Some(Ok(_))), "{line}");
    }
    assert_eq!(EXAMPLES.len(), VERBS.len());
}
