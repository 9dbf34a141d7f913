//! 3,000 monitors of which 60 became 15 % slower: how many rows each method lists.

use regard::bench::{Direction, Knowledge, Metric};
use regard::stats::{Change, Kind, Noise, Settings, benjamini_hochberg, family, pair};

use crate::dice::{between, normal, seeded};
use crate::peers::{lkp, mann_whitney, welch};

const MONITORS: usize = 3000;
const CHANGED: usize = 60;
const ROUNDS: u64 = 20;

pub(crate) fn run() {
    println!(
        "\nfamily: {MONITORS} monitors, {CHANGED} of them -15 %, run spread 1 to 10 %; rows listed in the mean of {ROUNDS} commits"
    );
    println!("{:<8} {:<28} {:>7} {:>7}", "runs", "", "false", "true");
    for runs in [3, 6] {
        let names = ["LKP >1%", "LKP >5%", "BH 10 % on Welch", "BH 10 % on Mann-Whitney", "regard"];
        let mut found = [[0usize; 2]; 5];
        for round in 0..ROUNDS {
            let mut rng = seeded(500 + round * 10 + runs as u64);
            let samples: Vec<(f64, Vec<f64>, Vec<f64>)> = (0..MONITORS)
                .map(|i| {
                    let spread = between(&mut rng, 0.01, 0.1);
                    let effect = if i < CHANGED { 0.85 } else { 1.0 };
                    let mut side = |effect: f64| {
                        (0..runs)
                            .map(|_| 100.0 * effect * (spread * normal(&mut rng)).exp())
                            .collect()
                    };
                    (spread, side(1.0), side(effect))
                })
                .collect();
            let mut count = |method: usize, listed: &dyn Fn(usize) -> bool| {
                for i in 0..MONITORS {
                    found[method][usize::from(i < CHANGED)] += usize::from(listed(i));
                }
            };
            count(0, &|i| lkp(&samples[i].1, &samples[i].2, 1.01));
            count(1, &|i| lkp(&samples[i].1, &samples[i].2, 1.05));
            let q = |test: fn(&[f64], &[f64]) -> f64| {
                benjamini_hochberg(&samples.iter().map(|(_, x, y)| test(x, y)).collect::<Vec<_>>())
            };
            let (welch, mwu) = (q(welch), q(mann_whitney));
            count(2, &|i| welch[i] <= 0.1);
            count(3, &|i| mwu[i] <= 0.1);
            let changes = decided(&samples, &mut rng);
            count(4, &|i| changes[i].kind == Kind::Regression);
        }
        for (name, [wrong, right]) in names.iter().zip(found) {
            let mean = |count: usize| count as f64 / ROUNDS as f64;
            println!(
                "{:<8} {name:<28} {:>7.1} {:>7.1}",
                format!("{runs}+{runs}"),
                mean(wrong),
                mean(right)
            );
        }
    }
    println!("goal at 6+6: <= 2 false, >= 40 true");
}

fn decided(samples: &[(f64, Vec<f64>, Vec<f64>)], rng: &mut fastrand::Rng) -> Vec<Change> {
    let knowledge = Knowledge::embedded();
    let settings = Settings::default();
    let mut changes: Vec<Change> = samples
        .iter()
        .map(|(spread, base, head)| {
            let metric = Metric {
                name: "monitor".to_owned(),
                direction: Some(Direction::Higher),
                kpi: Some(false),
                base: base.iter().copied().map(Some).collect(),
                head: head.iter().copied().map(Some).collect(),
                ..Metric::default()
            };
            // Earlier commits told s0 to about a fifth.
            let known = Noise {
                spread: spread * (0.2 * normal(rng)).exp(),
                weight: 6.0,
                build: None,
                commits: 20,
            };
            pair(&metric, &knowledge.resolve_metric(&metric), &known, &settings)
        })
        .collect();
    family(changes.iter_mut(), &settings);
    changes
}
