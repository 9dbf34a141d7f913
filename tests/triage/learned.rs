//! What was learned from sayings.

use regard::triage::{Label, Weights, is_current};

#[test]
fn the_weights_are_those_of_the_sayings() {
    assert!(is_current(), "run `regard rules learn`: the sayings have changed");
}

#[test]
fn weights_are_written_as_they_are_read() {
    let weights = Weights::embedded();
    assert!(!weights.is_empty());
    assert_eq!(&Weights::parse(&weights.write()).expect("own words"), weights);
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
        "line 3: as many numbers as there are verdicts in line 2"
    );
}

#[test]
fn an_opinion_is_a_share_of_belief() {
    let text = "digest\tab\nlabels\tconfirmed expected\nbias\t0 0\nouch\ta300\nintended\tb300\n";
    let weights = Weights::parse(text).expect("weights");
    let bag = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
    let opinion = weights.opinion(&[bag(&["hello"]), bag(&["ouch"]), Vec::new()]);
    assert_eq!(opinion.shares[0].0, Label::Confirmed);
    assert!((opinion.shares.iter().map(|(_, p)| p).sum::<f32>() - 1.0).abs() < 1e-5);
    // One of two features: z = 3 / sqrt(2).
    assert!((opinion.shares[0].1 - 1.0 / (1.0 + (-3.0_f32 / 2.0_f32.sqrt()).exp())).abs() < 1e-4);
    assert_eq!(opinion.sentence, Some(1), "the sentence that speaks for it");
}
