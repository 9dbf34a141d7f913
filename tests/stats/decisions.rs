//! One decision each: the gates, the hygiene, and what other robots get wrong (`lkp-reports` 1.9 and 2).

use regard::bench::{Direction, Environment, Metric};
use regard::stats::{Class, Kind, Noise, Settings, pair};

use super::{decide_with, metric, noise, notification, one};

#[test]
fn the_word_comes_from_direction_never_from_the_sign() {
    let (x, y) = ([100.0, 101.0, 99.0], [90.0, 91.0, 89.0]);
    let higher = one(metric("m", &x, &y));
    let lower = one(Metric { direction: Some(Direction::Lower), ..metric("m", &x, &y) });
    let unknown = one(Metric { direction: None, ..metric("m", &x, &y) });
    assert_eq!(
        (higher.kind, lower.kind, unknown.kind),
        (Kind::Regression, Kind::Improvement, Kind::Change)
    );
    assert!(higher.reason.starts_with("moderated-t: p "), "{}", higher.reason);
}

#[test]
fn small_effects_are_not_reported_however_sure() {
    let change = one(metric("m", &[1000.0, 1000.1, 999.9, 1000.0], &[985.0, 985.1, 984.9, 985.0]));
    assert_eq!(
        (change.kind, change.reason.as_str()),
        (Kind::Same, "below-effect-floor: -1.5 % is less than 2 %")
    );
}

#[test]
fn two_runs_are_suspicious_at_most_and_one_is_not_enough() {
    let change = one(metric("m", &[100.0, 100.1], &[50.0, 50.1]));
    assert_eq!(change.kind, Kind::Suspicious, "{}", change.reason);
    assert!(change.reason.starts_with("too-few-runs: 2+2"), "{}", change.reason);
    let change = one(metric("m", &[100.0], &[50.0, 50.1, 50.2]));
    assert_eq!(change.kind, Kind::Insufficient);
    assert_eq!(change.reason, "too-few-runs: 1 base and 3 head, 3 a side decide");
}

#[test]
fn overlapping_runs_are_suspicious() {
    let x = [100.0, 101.0, 99.0, 100.0, 101.0, 90.0];
    let y = [89.0, 90.0, 90.5, 91.0, 92.2, 99.8];
    let change = decide_with(vec![metric("m", &x, &y)], noise(0.01, 6.0, 0.0)).remove(0);
    assert_eq!(change.kind, Kind::Suspicious, "{}", change.reason);
    assert!(change.reason.starts_with("overlap: "), "{}", change.reason);
}

#[test]
fn wide_noise_is_inconclusive_not_same() {
    let change = one(metric("m", &[100.0, 160.0, 60.0], &[90.0, 170.0, 75.0]));
    assert_eq!(change.kind, Kind::Inconclusive);
    assert!(change.reason.starts_with("too-much-spread: "), "{}", change.reason);
}

#[test]
fn different_machines_are_invalid_and_the_first_difference_is_named() {
    let mut n = notification(vec![metric("m", &[1.0; 3], &[2.0; 3])]);
    n.environment.compiler = Some("gcc-12".to_owned());
    n.head_environment = Some(Environment {
        machine: "lab-b".to_owned(),
        compiler: Some("gcc-13".to_owned()),
        ..Environment::default()
    });
    let changes = regard::stats::decide(
        &n,
        &regard::bench::Knowledge::embedded(),
        &regard::stats::Prior::default(),
        &Settings::default(),
    );
    assert_eq!(changes[0].kind, Kind::Invalid);
    assert_eq!(changes[0].reason, "environment-differs: machine lab-a / lab-b");
}

#[test]
fn missing_runs_are_not_zero() {
    let mut m = metric("m", &[100.0, 101.0, 99.0], &[90.0, 91.0]);
    m.head.push(None);
    let change = one(m);
    assert_eq!(change.head.n, 2);
    assert_eq!(change.head.mean, Some(90.5));
    assert!((change.mean_change_percent.unwrap() + 9.5).abs() < 1e-9);
    assert_eq!(change.kind, Kind::Suspicious);
}

#[test]
fn a_metric_of_one_side_is_new_or_gone_and_has_no_percentage() {
    let gone = one(metric("m", &[5.0, 5.0, 5.0], &[]));
    let new = one(metric("m", &[], &[5.0, 5.0, 5.0]));
    assert_eq!((gone.kind, gone.change_percent), (Kind::Gone, None));
    assert_eq!((new.kind, new.change_percent), (Kind::New, None));
    let lost = one(Metric { head: vec![None, None], ..metric("m", &[5.0, 5.0], &[]) });
    assert_eq!(lost.kind, Kind::Insufficient);
}

#[test]
fn a_zero_base_has_no_percentage_and_never_1e103() {
    let counts = Metric {
        direction: Some(Direction::Lower),
        ..metric("m", &[0.0; 4], &[10.0, 12.0, 11.0, 9.0])
    };
    let change = one(counts);
    assert_eq!(
        (change.change_percent, change.mean_change_percent, change.ci95),
        (None, None, None)
    );
    assert_eq!(change.kind, Kind::Regression, "{}", change.reason);
    assert_eq!(change.reason, "zero-base: seen in 0:4 -> 4:4 runs, p 0.014");
    let floats = one(metric("m", &[0.0; 3], &[6.0, 6.5, 7.0]));
    assert_eq!(floats.kind, Kind::Inconclusive);
    assert_eq!(one(metric("m", &[0.0; 3], &[0.0; 3])).kind, Kind::Same);
}

#[test]
fn percentages_are_compared_in_points() {
    let share = |base: &[f64], head: &[f64]| {
        one(Metric {
            unit: Some("%".to_owned()),
            direction: Some(Direction::Lower),
            ..metric("m", base, head)
        })
    };
    let change = share(&[20.0, 21.0, 19.0], &[30.0, 31.0, 29.0]);
    assert!(change.bounded);
    assert_eq!((change.kind, change.change_absolute), (Kind::Regression, Some(10.0)));
    // 0.1 % -> 0.2 % doubles, and matters to nobody.
    assert_eq!(share(&[0.1, 0.101, 0.099], &[0.2, 0.201, 0.199]).kind, Kind::Same);
    // From zero points a difference in points is still a difference.
    assert_eq!(share(&[0.0, 0.0, 0.0], &[30.0, 31.0, 29.0]).kind, Kind::Regression);
}

#[test]
fn negative_values_keep_the_sign_of_the_rise() {
    let change =
        one(metric("m", &[-681107.0, -681100.0, -681110.0], &[-327811.0, -327800.0, -327820.0]));
    assert!((change.change_percent.unwrap() - 51.871).abs() < 1e-3);
    assert_eq!(change.kind, Kind::Improvement);
}

#[test]
fn two_modes_are_not_a_shift() {
    let x = [100.0, 100.5, 99.5, 90.0, 100.2, 90.4];
    let y = [90.1, 90.3, 100.1, 90.2, 89.8, 99.9];
    let change = one(metric("m", &x, &y));
    assert_eq!(change.kind, Kind::Inconclusive);
    assert_eq!(change.reason, "bimodal: slow runs 2:6 -> 4:6, 10 runs a side are needed");
}

#[test]
fn with_enough_runs_the_shares_of_two_modes_are_compared() {
    let side = |slow: usize| -> Vec<f64> {
        (0..20)
            .map(|i| if i < slow { 90.0 } else { 100.0 } + 0.1 * f64::from(i as u32 % 5))
            .collect()
    };
    let change = one(metric("m", &side(2), &side(14)));
    assert_eq!(change.kind, Kind::Regression);
    assert!(change.reason.starts_with("mode-shares: slow runs 2:20 -> 14:20"), "{}", change.reason);
    assert_eq!(one(metric("m", &side(5), &side(6))).kind, Kind::Same);
}

#[test]
fn a_shift_beyond_both_modes_is_a_change() {
    let x = [100.0, 100.5, 99.5, 97.0, 97.2, 97.1];
    let y = [70.0, 70.5, 69.5, 70.2, 69.8, 70.1];
    assert_eq!(one(metric("m", &x, &y)).kind, Kind::Regression);
}

#[test]
fn more_builds_make_the_same_runs_surer() {
    let m = metric("m", &[100.0, 100.4, 99.6, 100.1], &[97.0, 97.4, 96.6, 97.1]);
    let built = Metric {
        base_builds: Some(vec![0, 0, 1, 1]),
        head_builds: Some(vec![0, 0, 1, 1]),
        ..m.clone()
    };
    let p =
        |metric: Metric| decide_with(vec![metric], noise(0.005, 6.0, 0.01)).remove(0).p.unwrap();
    assert!(p(built) < p(m) / 2.0);
}

#[test]
fn many_kpis_need_better_evidence_than_one() {
    let quiet =
        |i: usize| metric(&format!("quiet{i}"), &[100.0, 101.0, 99.0], &[100.0, 99.0, 101.0]);
    let weak = || metric("weak", &[100.0, 101.0, 99.0], &[95.2, 96.2, 94.2]);
    let alone = decide_with(vec![weak()], noise(0.01, 6.0, 0.005)).remove(0);
    assert_eq!((alone.kind, alone.q), (Kind::Regression, None), "{}", alone.reason);
    let mut metrics = vec![weak()];
    metrics.extend((0..60).map(quiet));
    let among = decide_with(metrics, noise(0.01, 6.0, 0.005)).remove(0);
    assert_eq!(among.kind, Kind::Suspicious, "{}", among.reason);
    assert!(among.reason.starts_with("many-metrics: q 0."), "{}", among.reason);
}

#[test]
fn monitors_never_raise() {
    let m = Metric { kpi: Some(false), ..metric("m", &[100.0, 101.0, 99.0], &[50.0, 51.0, 49.0]) };
    let change = one(m);
    assert_eq!((change.class, change.kind), (Class::Monitor, Kind::Regression));
    assert!(!change.raises());
}

#[test]
fn hostile_numbers_do_not_panic() {
    let settings = Settings::default();
    let knowledge = regard::bench::Knowledge::embedded();
    let odd = [f64::NAN, f64::INFINITY, f64::MIN_POSITIVE, 1e100, -1e100, 0.0, -0.0, 5e-324];
    for a in odd {
        for b in odd {
            for noise in [Noise::default(), noise(0.0, 6.0, 0.0), noise(1e300, 1e300, 1e300)] {
                let m = metric("m", &[a, b, a, b], &[b, a, a, a]);
                let change = pair(&m, &knowledge.resolve_metric(&m), &noise, &settings);
                assert!(!change.reason.is_empty());
                assert!(change.change_percent.is_none_or(f64::is_finite));
            }
        }
    }
}
