//! Rule files that are refused: each with its place and a cure.
//!
//! `broken/NAME.toml` is read in place of, or beside, the rules that travel with the program; `broken/NAME.txt` holds what
//! is said about it. `REGARD_BLESS=1` rewrites it.

use std::fs;
use std::path::{Path, PathBuf};

use regard::triage::{Rules, check};

/// As little of `words.toml` as the cases need.
const WORDS: &str = "[forms]\nturn = ['\\bscratch that\\b']\n";

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/triage/broken");
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .expect("cases")
        .map(|e| e.expect("entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    found.sort();
    assert!(found.len() >= 10, "the cases were not found");
    found
}

#[test]
fn whatever_is_wrong_is_told_with_its_place_and_a_cure() {
    for path in cases() {
        let text = fs::read_to_string(&path).expect("UTF-8");
        // Line ends of another system count the same lines.
        let both: Vec<String> = [text.clone(), text.replace('\n', "\r\n")]
            .into_iter()
            .map(|text| {
                let words = ("words.toml".to_owned(), WORDS.to_owned());
                let errors = match Rules::compile(&[("own.toml".to_owned(), text), words]) {
                    Ok(rules) => check(&rules),
                    Err(errors) => errors,
                };
                errors.iter().map(|e| format!("{e}\n")).collect()
            })
            .collect();
        assert_eq!(both[0], both[1], "{}: LF and CRLF differ", path.display());
        let expected = path.with_extension("txt");
        if std::env::var_os("REGARD_BLESS").is_some() {
            fs::write(&expected, &both[0]).expect("written");
        }
        let wanted = fs::read_to_string(&expected).unwrap_or_default();
        assert!(!wanted.is_empty(), "{}: nothing is said", path.display());
        assert_eq!(both[0], wanted, "{}", path.display());
    }
}

#[test]
fn a_file_of_the_same_name_stands_in_for_the_shipped_one() {
    let own = "label = \"ping\"\nrank = 31\nwhy = \"Ours.\"\n\n[[rule]]\nid = \"our-nudge\"\ntext = ['\\bhello there\\b']\nmatches = [\"Hello there\"]\nmisses = [\"Hello\"]\n";
    let rules =
        Rules::with_overrides(&[("ping.toml".to_owned(), own.to_owned())]).expect("compiles");
    assert!(rules.iter().any(|r| r.id == "our-nudge"));
    assert!(!rules.iter().any(|r| r.id == "nudge"));
    assert!(rules.iter().any(|r| r.id == "is-expected"));
}
