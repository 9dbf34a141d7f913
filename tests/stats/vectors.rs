//! The worked vectors of `docs/statistics.md`, to their printed digits.

use regard::stats::{
    Kind, Scale, benjamini_hochberg, cliff, fisher_either, fisher_more, geometric_mean, moderated,
};

use super::{decide_with, metric, noise};

#[track_caller]
fn close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() <= 5e-6 * wanted.abs().max(1e-9), "{found} is not {wanted}");
}

struct Vector {
    x: &'static [f64],
    y: &'static [f64],
    /// s0, d0, sb.
    prior: [f64; 3],
    /// s~, SE, t, df, p, Cliff's delta.
    test: [f64; 6],
    /// Median effect and CI95 in percent, to a hundredth.
    effect: [f64; 3],
    kind: Kind,
}

const VECTORS: &[Vector] = &[
    Vector {
        x: &[100.0, 101.0, 99.0],
        y: &[90.0, 91.0, 89.0],
        prior: [0.02, 6.0, 0.005],
        test: [0.0168729, 0.0154854, -6.80438, 10.0, 4.71516e-05, -1.0],
        effect: [-10.0, -13.05, -6.84],
        kind: Kind::Regression,
    },
    Vector {
        x: &[100.0, 101.0, 99.0],
        y: &[98.0, 99.0, 97.0],
        prior: [0.02, 6.0, 0.005],
        test: [0.0167579, 0.0154019, -1.31179, 10.0, 0.218906, -0.888889],
        effect: [-2.0, -5.31, 1.42],
        kind: Kind::Same,
    },
    Vector {
        x: &[1000.0, 1010.0, 990.0, 1000.0],
        y: &[900.0, 905.0, 895.0, 900.0],
        prior: [0.01, 6.0, 0.005],
        test: [0.0084742, 0.00926855, -11.3657, 12.0, 8.83568e-08, -1.0],
        effect: [-10.0, -11.80, -8.16],
        kind: Kind::Regression,
    },
    Vector {
        x: &[10.0, 20.0, 30.0],
        y: &[21.0, 40.0, 50.0],
        prior: [0.05, 6.0, 0.005],
        test: [0.322198, 0.263169, 2.46472, 10.0, 0.0334056, 0.777778],
        effect: [100.0, 6.42, 243.84],
        kind: Kind::Suspicious,
    },
    Vector {
        x: &[13264.0, 13300.0, 13240.0],
        y: &[12694.0, 12710.0, 12650.0],
        prior: [0.01, 6.0, 0.01],
        test: [0.00788903, 0.01554, -2.89328, 10.0, 0.016017, -1.0],
        effect: [-4.297, -7.65, -1.03],
        kind: Kind::Suspicious,
    },
    Vector {
        x: &[100.0, 100.0, 100.0],
        y: &[100.0, 100.0, 100.0],
        prior: [0.02, 6.0, 0.005],
        test: [0.0154919, 0.0144914, 0.0, 10.0, 1.0, 0.0],
        effect: [0.0, -3.18, 3.28],
        kind: Kind::Same,
    },
];

#[test]
fn the_moderated_test_gives_the_worked_numbers() {
    for v in VECTORS {
        let [s0, d0, sb] = v.prior;
        let scale = Scale::of(v.x, v.y, false);
        let found = moderated(v.x, v.y, scale, &noise(s0, d0, sb), sb, [1.0, 1.0]);
        let [spread, error, t, df, p, delta] = v.test;
        close(found.spread, spread);
        close(found.error, error);
        close(found.t.unwrap(), t);
        close(found.df, df);
        close(found.p.unwrap(), p);
        close(cliff(v.x, v.y), delta);
    }
}

#[test]
fn decisions_on_the_worked_vectors() {
    for v in VECTORS {
        let [s0, d0, sb] = v.prior;
        let change =
            decide_with(vec![metric("bench.score", v.x, v.y)], noise(s0, d0, sb)).remove(0);
        let [effect, low, high] = v.effect;
        let ci = change.ci95.unwrap();
        assert!((change.change_percent.unwrap() - effect).abs() < 6e-4, "{change:?}");
        assert!(
            (ci[0] - low).abs() < 6e-3 && (ci[1] - high).abs() < 6e-3,
            "{ci:?} is not {low}..{high}"
        );
        assert_eq!(change.kind, v.kind, "{}", change.reason);
    }
}

#[test]
fn constant_samples_that_differ_are_changed() {
    let (x, y) = ([100.0; 4], [103.0; 4]);
    let change = decide_with(vec![metric("bench.score", &x, &y)], noise(0.0, 0.0, 0.0)).remove(0);
    assert_eq!((change.kind, change.p, change.t), (Kind::Improvement, None, None));
    close(change.change_percent.unwrap(), 3.0);
    assert!(change.reason.starts_with("exact-counter"), "{}", change.reason);
}

#[test]
fn fishers_exact_test() {
    // (base fails, runs, head fails, runs), two-sided, one-sided
    let cases = [
        ([0, 4, 3, 4], 0.14286, 0.07143),
        ([0, 6, 6, 6], 0.00216, 0.00108),
        ([5, 15, 10, 10], 0.00096, 0.00092),
        ([0, 6, 1, 6], 1.0, 0.5),
        ([0, 4, 4, 4], 0.02857, 0.01429),
        ([0, 6, 3, 6], 0.18182, 0.09091),
    ];
    for ([a, b, c, d], two, one) in cases {
        assert!(
            (fisher_either(a, b, c, d) - two).abs() < 6e-6,
            "{a}:{b} {c}:{d} {}",
            fisher_either(a, b, c, d)
        );
        assert!(
            (fisher_more(a, b, c, d) - one).abs() < 6e-6,
            "{a}:{b} {c}:{d} {}",
            fisher_more(a, b, c, d)
        );
    }
    assert!((fisher_more(0, 200, 10, 198) - 0.0008).abs() < 6e-5);
}

#[test]
fn benjamini_and_hochberg() {
    let found = benjamini_hochberg(&[0.001, 0.008, 0.039, 0.041, 0.9]);
    for (found, wanted) in found.iter().zip([0.005, 0.02, 0.05125, 0.05125, 0.9]) {
        close(*found, wanted);
    }
    assert_eq!(benjamini_hochberg(&[]), Vec::<f64>::new());
}

#[test]
fn geometric_mean_of_ratios() {
    assert!((geometric_mean(&[0.9, 1.05, 1.0]).unwrap() - 0.98132).abs() < 5e-6);
    assert_eq!(geometric_mean(&[1.0, 0.0]), None);
}
