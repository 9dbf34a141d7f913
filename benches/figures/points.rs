//! Change points beside Otava's: the same points in compatible mode, better ones in our own.

use regard::stats::{Hunter, Search, Stepper, Steps};

use crate::cpu;
use crate::otava;
use crate::series::{Quality, Series, Trouble, generated};

const REACH: usize = 3;

pub(crate) fn run() {
    let series = generated(1000, 500, 7);
    let values: Vec<Vec<f64>> = series.iter().map(|series| series.values.clone()).collect();
    println!("\nchange points: 1,000 series of 500 points, a hit lies within {REACH} points");
    println!("{:<34} {:>9} {:>7} {:>7} {:>12}", "", "precision", "recall", "exact", "series/CPU s");

    let begin = cpu::seconds();
    let mut hunter = Hunter::new(Search::default());
    let compatible: Vec<Vec<usize>> = values
        .iter()
        .map(|values| hunter.change_points(values).iter().map(|point| point.index).collect())
        .collect();
    row("regard, Otava-compatible", &series, &compatible, cpu::seconds() - begin);

    let begin = cpu::seconds();
    let mut stepper = Stepper::new(Steps::default());
    let own: Vec<Vec<usize>> = values
        .iter()
        .map(|values| stepper.steps(values).iter().map(|step| step.index).collect())
        .collect();
    row("regard, own", &series, &own, cpu::seconds() - begin);

    match otava::points(&values, 0.0) {
        Some((points, seconds)) => {
            row("Apache Otava, defaults", &series, &points, seconds);
            let same = points.iter().zip(&compatible).filter(|(a, b)| a == b).count();
            println!("  identical points in {same} of {} series", points.len());
        }
        None => println!(
            "  Apache Otava is not installed (pip install apache-otava, REGARD_PYTHON=its python)"
        ),
    }
}

fn row(name: &str, series: &[Series], points: &[Vec<usize>], seconds: f64) {
    let pairs = || series.iter().zip(points);
    let all = Quality::of(pairs().map(|(s, p)| (p.as_slice(), s.truth.as_slice())), REACH);
    println!(
        "{name:<34} {:>9.3} {:>7.3} {:>7.3} {:>12.0}",
        all.precision(),
        all.recall(),
        all.exact as f64 / all.hits.max(1) as f64,
        series.len() as f64 / seconds
    );
    for trouble in [Trouble::Steps, Trouble::Spikes, Trouble::Drift, Trouble::Modes, Trouble::Tails]
    {
        let of = pairs().filter(|(s, _)| s.trouble == trouble);
        let part = Quality::of(of.map(|(s, p)| (p.as_slice(), s.truth.as_slice())), REACH);
        println!(
            "  {:<32} {:>9.3} {:>7.3}",
            format!("{trouble:?}"),
            part.precision(),
            part.recall()
        );
    }
}
