//! What twenty earlier commits teach about the noise changes a verdict, both ways.

use regard::bench::Knowledge;
use regard::stats::{Change, Kind, Past, Settings, decide};

use crate::{Dice, metric, notification};

/// Twenty commits, three runs each; `build` moves all runs of a commit.
fn earlier(spread: f64, build: f64) -> Past {
    let mut dice = Dice(42);
    let mut past = Past::default();
    for n in 0..20 {
        let level = 1000.0 * (1.0 + build * dice.normal());
        past.add_notification(&notification(
            0,
            n,
            vec![metric("pipes.rate", Vec::new(), dice.runs(level, spread))],
        ));
    }
    past
}

fn runs(values: [f64; 3]) -> Vec<Option<f64>> {
    values.into_iter().map(Some).collect()
}

fn one(base: [f64; 3], head: [f64; 3], past: &Past) -> Change {
    let knowledge = Knowledge::embedded();
    let n = notification(100, 101, vec![metric("pipes.rate", runs(base), runs(head))]);
    decide(&n, &knowledge, &past.prior(&n, &knowledge), &Settings::default()).remove(0)
}

#[test]
fn a_calm_history_makes_a_small_change_significant() {
    let (base, head) = ([1000.0, 1003.0, 998.0], [978.0, 974.0, 977.0]);
    let alone = one(base, head, &Past::default());
    assert_eq!(alone.kind, Kind::Suspicious, "{}", alone.reason);
    let known = one(base, head, &earlier(0.003, 0.0));
    assert_eq!(known.kind, Kind::Regression, "{}", known.reason);
    assert!(known.p < alone.p && known.df > alone.df, "{known:#?}");
}

#[test]
fn a_noisy_history_takes_a_change_back() {
    let (base, head) = ([1000.0, 1001.0, 999.0], [950.0, 949.0, 951.0]);
    let alone = one(base, head, &Past::default());
    assert_eq!(alone.kind, Kind::Regression, "{}", alone.reason);
    // Every build lies somewhere else: three runs of one build know nothing of it.
    let shaky = one(base, head, &earlier(0.002, 0.03));
    assert_eq!(shaky.kind, Kind::Same, "{}", shaky.reason);
    assert!(shaky.build_noise > 0.02, "{}", shaky.build_noise);
    let wild = one(base, head, &earlier(0.03, 0.0));
    assert!(matches!(wild.kind, Kind::Same | Kind::Suspicious), "{}", wild.reason);
}

#[test]
fn the_commits_under_test_teach_nothing_about_themselves() {
    let knowledge = Knowledge::embedded();
    let mut past = earlier(0.003, 0.0);
    let n = notification(19, 101, vec![metric("pipes.rate", runs([1.0; 3]), runs([2.0; 3]))]);
    let before = past.prior(&n, &knowledge);
    past.add_notification(&n);
    // What came after head is not earlier either.
    past.add_notification(&notification(
        0,
        102,
        vec![metric("pipes.rate", Vec::new(), runs([5.0, 900.0, 77.0]))],
    ));
    assert_eq!(past.prior(&n, &knowledge), before);
    assert_eq!(before.of("pipes.rate").commits, 19);
}

#[test]
fn rebuilds_of_a_commit_tell_of_build_noise() {
    let mut dice = Dice(3);
    let mut past = Past::default();
    for n in 0..8 {
        for _ in 0..4 {
            let level = 1000.0 * (1.0 + 0.02 * dice.normal());
            past.add_notification(&notification(
                0,
                n,
                vec![metric("pipes.rate", Vec::new(), dice.runs(level, 0.002))],
            ));
        }
    }
    let learnt = past.noise("pipes.rate", &Knowledge::embedded()).expect("enough");
    assert_eq!(learnt.commits, 32, "each build is a measurement of its own");
    assert!((learnt.spread - 0.002).abs() < 0.001, "{learnt:?}");
    assert!((learnt.build.expect("learnt") - 0.02).abs() < 0.008, "{learnt:?}");
}
