//! What was learned from sayings.

use std::fs;
use std::path::{Path, PathBuf};

use regard::triage::{Bag, Label, Rules, Weights, digest, train};

fn sayings() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/sayings");
    let entries = fs::read_dir(folder).expect("sayings").map(|e| e.expect("entry").path());
    let mut paths: Vec<_> = entries.filter(|p| p.extension().is_some_and(|e| e == "txt")).collect();
    paths.sort();
    let named = |p: PathBuf| (p.display().to_string(), fs::read_to_string(&p).expect("text"));
    paths.into_iter().map(named).collect()
}

#[test]
fn the_weights_are_those_of_the_sayings() {
    let weights = Weights::embedded();
    assert!(!weights.is_empty());
    assert_eq!(weights.digest, digest(&sayings()), "run `regard rules learn rules/sayings`");
}

#[test]
fn weights_are_written_as_they_are_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/sayings/weights.tsv");
    let text = fs::read_to_string(path).expect("weights");
    assert_eq!(&Weights::parse(&text).expect("own words"), Weights::embedded());
}

#[test]
fn what_is_learned_is_what_was_told() {
    let rules = Rules::compile(&[]).expect("no rules");
    let told = "expected\tmeant to be so\nexpected\tit was meant\nconfirmed\tsame here\nconfirmed\t[[seen here]] too\n\
                robot-self@robot\tlogs attached\nrobot-self@robot\tmore logs attached\n";
    // What fewer than four sayings have is not learned.
    let files = [("sayings.txt".to_owned(), told.repeat(2))];
    let text = train(&rules, &files).expect("sayings");
    assert_eq!(text, train(&rules, &files).expect("sayings"), "the same each time");
    let weights = Weights::parse(&text).expect("own words");
    let first = |words: &[&str]| weights.opinion(&bag(&[words]), |_| true).shares[0].0;
    assert_eq!(first(&["meant"]), Label::Expected);
    assert_eq!(first(&["here"]), Label::Confirmed);
    assert_eq!(first(&["attached"]), Label::RobotSelf);
    assert!(weights.knows("here") && !weights.knows("[[seen"), "marks are no words");
}

#[test]
fn sayings_that_cannot_be_read_are_refused_with_their_line() {
    let rules = Rules::compile(&[]).expect("no rules");
    let refused = |text: &str| {
        let errors = train(&rules, &[("x.txt".to_owned(), text.to_owned())]).expect_err("refused");
        errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    assert!(refused("# a remark\nexpected no tab\n").contains("x.txt:2:1: a line without a tab"));
    assert!(refused("expekted\twords\n").contains("x.txt:1:1: unknown verdict `expekted`"));
}

fn bag(sentences: &[&[&str]]) -> Bag {
    let words = |words: &&[&str]| words.iter().map(|w| (*w).to_owned()).collect();
    Bag { sentences: sentences.iter().map(words).collect(), ..Bag::default() }
}

#[test]
fn torn_weights_are_refused_with_their_line() {
    let refused = |text: &str| Weights::parse(text).expect_err("refused");
    assert_eq!(refused("digest\tab\nlabels\tno-such\n"), "line 2: expected verdicts");
    let head = "digest\tab\nlabels\tconfirmed expected\nbias\t1 2\n";
    assert_eq!(refused(&format!("{head}word\tc12\n")), "line 4: expected a12 b-7");
    assert_eq!(refused(&format!("{head}word\n")), "line 4: expected a name, a tab and values");
    assert_eq!(
        refused("digest\tab\nlabels\tconfirmed expected\nbias\t1\n"),
        "line 3: expected as many numbers as there are verdicts in line 2"
    );
    assert_eq!(refused(&format!("{head}word\tb7\nword\ta1\n")), "line 5: expected one line a name");
    assert_eq!(refused(&format!("{head}word\ta99999\n")), "line 4: expected a12 b-7");
}

#[test]
fn an_opinion_is_a_share_of_belief() {
    let text = "digest\tab\nlabels\tconfirmed expected\nbias\t0 0\nouch\ta300\nintended\tb300\n";
    let weights = Weights::parse(text).expect("weights");
    let bag = bag(&[&["hello"], &["ouch"]]);
    let opinion = weights.opinion(&bag, |_| true);
    assert_eq!(opinion.shares[0].0, Label::Confirmed);
    assert!((opinion.shares.iter().map(|(_, p)| p).sum::<f32>() - 1.0).abs() < 1e-5);
    // One of two features: z = 3 / sqrt(2).
    assert!((opinion.shares[0].1 - 1.0 / (1.0 + (-3.0_f32 / 2.0_f32.sqrt()).exp())).abs() < 1e-4);
    assert_eq!(opinion.known, 1);
    assert_eq!(weights.speaks_for(&bag, Label::Confirmed), Some(1), "the second sentence");
    let other = weights.opinion(&bag, |label| label == Label::Expected);
    assert_eq!(other.shares, [(Label::Expected, 1.0)], "the only choice");
}
