//! `[commands]`, `[authentication]`: read, refused with their place, and as `regard init` prints them.

use std::path::Path;

use regard::config::{self, Config};
use regard::engine::Rights;
use regard::regression::Role;
use regard::regression::command::VERBS;

const BOT: &str = "[bot]\naddress = \"bot@example.org\"\n";

fn read(more: &str) -> Config {
    config::parse(&format!("{BOT}{more}"), Path::new("regard.toml"))
        .unwrap_or_else(|e| panic!("{e:?}"))
}

fn refused(more: &str) -> Vec<String> {
    let problems = config::parse(&format!("{BOT}{more}"), Path::new("regard.toml")).unwrap_err();
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn rights_of_a_role_a_command() {
    let rights =
        read("[commands]\ninvalid = \"maintainer\"\nwontfix = \"author\"\nsend = \"anybody\"\n")
            .policy
            .rights;
    let of = |verb: &str| rights.of(verb);
    assert_eq!(
        (of("invalid"), of("wont-fix"), of("send")),
        (Role::Maintainer, Role::Author, Role::Other)
    );
    assert_eq!((of("reject"), of("status")), (Role::Operator, Role::Other));
}

#[test]
fn bad_names_are_refused_with_their_place_and_the_nearest() {
    let mut said =
        refused("[commands]\ninvald = \"maintainer\"\nsend = \"maintaner\"\nfix = \"king\"\n");
    said.sort();
    assert_eq!(
        said,
        [
            "regard.toml:4:1: `invald` is no command; did you mean `invalid`?",
            "regard.toml:5:8: `maintaner` is no role; did you mean `maintainer`?",
            "regard.toml:6:7: `king` is no role; write one of other, reporter, author, maintainer, robot, operator, or anybody",
        ]
    );
}

#[test]
fn the_sample_of_init_shows_the_defaults() {
    let from = config::SAMPLE.find("# [commands]").unwrap();
    let block = &config::SAMPLE[from..config::SAMPLE.find("[policy]").unwrap()];
    let lines = block.lines().filter(|l| l.starts_with("# ")).map(|l| {
        let line = l.trim_start_matches("# ");
        // Prose between the sections stays a comment.
        let setting = line.starts_with('[') || line.contains(" = ");
        if setting { line.to_owned() } else { format!("# {line}") }
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    let policy = read(&text).policy;
    for verb in VERBS {
        let shown = text.contains(&format!("\n{} = ", verb.name));
        let (of_sample, default) = (policy.rights.of(verb.name), Rights::default().of(verb.name));
        assert_eq!((shown, of_sample), (default != Role::Other, default), "{}", verb.name);
    }
    let asked = policy.authentication.unwrap();
    assert_eq!(
        (asked.authserv_id.as_str(), asked.require.as_slice()),
        ("mx.example.org", &[Role::Operator][..])
    );
}

#[test]
fn whose_word_needs_proof() {
    let roles = |require: &str| {
        let text = format!("[authentication]\nauthserv_id = \"mx\"\nrequire = {require}\n");
        read(&text).policy.authentication.unwrap().require
    };
    assert_eq!(roles("[\"operator commands\", \"author\"]"), [Role::Operator, Role::Author]);
    assert_eq!(roles("[\"commands\"]").len(), 6);
    assert_eq!(
        refused("[authentication]\nauthserv_id = \"mx 1\"\nrequire = [\"operators\"]\n"),
        [
            "regard.toml:5:12: `operators` is no role; did you mean `operator`?",
            "regard.toml:4:15: `mx 1` is no authserv-id; write what stands first in the Authentication-Results headers of your mail \
             server",
        ]
    );
    assert_eq!(
        refused("[authentication]\nauthserv_id = \"mx\"\n"),
        [
            "regard.toml:3:1: [authentication] asks for no proof; write require = [\"operator commands\"], or [\"commands\"] for \
             everybody's"
        ]
    );
}

#[test]
fn unknown_keys_are_refused() {
    let said = refused("[authentication]\nauthserv_id = \"mx\"\nrequires = []\n").join("\n");
    assert!(said.starts_with("regard.toml:5:1: unknown field `requires`"), "{said}");
}
