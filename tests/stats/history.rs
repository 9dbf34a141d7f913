//! Histories: steps, spikes, noise, and the same points as Hunter finds.

use regard::stats::{Measured, Search, Steps, change_points, noise, prior, steps};

/// Deterministic noise between -1 and 1.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    }

    /// Nearly normal, standard deviation 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() / 2.0
    }
}

fn series(levels: &[(usize, f64)], noise: f64) -> Vec<f64> {
    let mut dice = Dice(7);
    levels
        .iter()
        .flat_map(|&(count, level)| vec![level; count])
        .map(|level| level * (1.0 + noise * dice.normal()))
        .collect()
}

#[test]
fn a_step_is_found_where_it_is() {
    let found = steps(&series(&[(40, 100.0), (40, 90.0)], 0.01), &Steps::default());
    assert_eq!(found.len(), 1);
    assert!(found[0].index.abs_diff(40) <= 1, "{found:?}");
    assert!((found[0].percent().unwrap() + 10.0).abs() < 1.0, "{found:?}");
    assert!(found[0].p < 1e-10);
}

#[test]
fn a_spike_that_went_away_is_no_step() {
    let spike = series(&[(40, 100.0), (3, 80.0), (40, 100.0)], 0.01);
    assert_eq!(steps(&spike, &Steps::default()), []);
    assert!(!change_points(&spike, &Search::default()).is_empty(), "Hunter reports it");
}

#[test]
fn noise_alone_has_no_steps() {
    let mut dice = Dice(3);
    let mut series = |_| -> Vec<f64> { (0..200).map(|_| 50.0 + dice.normal()).collect() };
    let noisy: Vec<Vec<f64>> = (0..50).map(&mut series).collect();
    let own: usize = noisy.iter().map(|values| steps(values, &Steps::default()).len()).sum();
    assert_eq!(own, 0);
}

#[test]
fn two_modes_are_no_steps() {
    let mut dice = Dice(11);
    let values: Vec<f64> = (0..200)
        .map(|_| if dice.next() < -0.4 { 90.0 } else { 100.0 } + 0.3 * dice.normal())
        .collect();
    assert_eq!(steps(&values, &Steps::default()), []);
}

#[test]
fn short_and_constant_and_odd_series_are_quiet() {
    for values in
        [vec![], vec![1.0], vec![5.0; 100], vec![0.0; 40], (0..11).map(f64::from).collect()]
    {
        assert_eq!(steps(&values, &Steps::default()), []);
    }
    let mut exact = vec![100.0; 20];
    exact.extend(vec![103.0; 20]);
    let found = steps(&exact, &Steps::default());
    assert_eq!((found.len(), found[0].index), (1, 20), "exact counters step too");
    let negative: Vec<f64> =
        series(&[(30, 10.0), (30, 20.0)], 0.01).iter().map(|value| value - 15.0).collect();
    assert_eq!(steps(&negative, &Steps::default()).len(), 1);
}

/// Points that Apache Otava 0.8.0 gives with its defaults (window 50, p 0.001, magnitude 0).
#[test]
fn the_same_points_as_otava() {
    let index = |values: &[f64]| -> Vec<usize> {
        change_points(values, &Search::default()).iter().map(|point| point.index).collect()
    };
    let saw: Vec<f64> = (0..90)
        .map(|i| {
            f64::from((i * 7919) % 13)
                + if i >= 30 { 20.0 } else { 0.0 }
                + if i >= 60 { 9.0 } else { 0.0 }
        })
        .collect();
    assert_eq!(index(&saw), OTAVA_SAW);
    let rough = series(&[(30, 100.0), (25, 104.0), (4, 80.0), (61, 104.0), (50, 97.0)], 0.02);
    assert_eq!(index(&rough), OTAVA_ROUGH);
    let flat: Vec<f64> = (0..60).map(|i| f64::from((i * 7919) % 13)).collect();
    assert!(index(&flat).is_empty());
}

const OTAVA_SAW: [usize; 2] = [30, 60];
const OTAVA_ROUGH: [usize; 2] = [59, 120];

fn history(commits: usize, spread: f64, build: f64, level: impl Fn(usize) -> f64) -> Vec<Measured> {
    let mut dice = Dice(5);
    (0..commits)
        .map(|i| {
            let build = build * dice.normal();
            let runs =
                (0..3).map(|_| Some(level(i) * (1.0 + build + spread * dice.normal()))).collect();
            Measured { commit: format!("c{i}"), runs }
        })
        .collect()
}

#[test]
fn noise_is_learnt_from_earlier_commits() {
    let quiet = noise(&history(200, 0.02, 0.0, |_| 100.0), false, 0.005).unwrap();
    assert!((quiet.spread - 0.02).abs() < 0.004, "{quiet:?}");
    assert!(quiet.build.unwrap() < 0.006, "{quiet:?}");
    let shaky = noise(&history(200, 0.01, 0.02, |_| 100.0), false, 0.005).unwrap();
    assert!((shaky.build.unwrap() - 0.02).abs() < 0.006, "{shaky:?}");
    assert!((shaky.spread - 0.01).abs() < 0.002, "{shaky:?}");
    assert_eq!(quiet.weight, 24.0);
}

#[test]
fn noise_is_learnt_anew_after_a_step() {
    let stepped = history(80, 0.01, 0.0, |i| if i < 40 { 100.0 } else { 50.0 });
    let found = noise(&stepped, false, 0.005).unwrap();
    assert!(found.commits <= 41, "{found:?}");
    assert!(found.build.unwrap() < 0.01, "the step is no noise: {found:?}");
}

#[test]
fn a_short_history_teaches_nothing_of_its_own() {
    assert_eq!(noise(&history(4, 0.01, 0.0, |_| 100.0), false, 0.005), None);
    let few = history(4, 0.01, 0.0, |_| 100.0);
    let many = history(30, 0.01, 0.0, |_| 100.0);
    let names = ["a", "b", "c"];
    let known = names.iter().map(|name| (*name, many.as_slice(), false, 0.005)).chain([(
        "d",
        few.as_slice(),
        false,
        0.005,
    )]);
    let prior = prior(known);
    assert_eq!(prior.metrics.len(), 3);
    assert_eq!(prior.of("d").weight, 3.0);
    assert_eq!(prior.of("a").weight, 10.0);
}

#[test]
fn missing_runs_and_zeros_in_a_history_do_no_harm() {
    let mut holes = history(30, 0.01, 0.0, |_| 100.0);
    holes[3].runs = vec![None, None];
    holes[9].runs = vec![];
    assert!(noise(&holes, false, 0.005).is_some());
    assert_eq!(noise(&history(30, 0.0, 0.0, |_| 0.0), false, 0.005), None);
}

#[test]
fn a_table_of_commits_is_a_history() {
    let mut table = "commit,run,score\n".to_owned();
    let mut dice = Dice(2);
    for commit in 0..12 {
        for run in 0..3 {
            table += &format!("c{commit},{run},{}\n", 100.0 + dice.normal());
        }
    }
    let reading = regard::bench::read("earlier.csv", table.as_bytes(), None).unwrap();
    let past = regard::stats::Past::of_readings(&[reading]);
    let score = past.track("score").unwrap();
    let (last, first) = (&past.commits()[11].commit, &score.spots[0].runs);
    assert_eq!((score.spots.len(), first.len(), last.as_str()), (12, 3, "c11"));
    let learnt = past.noise("score", &regard::bench::Knowledge::embedded()).unwrap();
    assert!((learnt.spread - 0.01).abs() < 0.004, "{learnt:?}");
}

#[test]
fn a_step_is_attributed_to_the_commits_around_it() {
    let mut stepped = history(80, 0.01, 0.0, |i| if i < 40 { 100.0 } else { 90.0 });
    stepped[39].runs = vec![None];
    let found = regard::stats::seen(&stepped, &Steps::default());
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].from.as_str(), found[0].to.as_str(), found[0].index), ("c38", "c40", 40));
}

#[test]
fn the_newest_commits_tell_a_step_from_a_spike() {
    use regard::stats::{Recent, recent};
    let look = |bad: std::ops::Range<usize>| {
        let history = history(60, 0.01, 0.0, |i| if bad.contains(&i) { 80.0 } else { 100.0 });
        recent(&history, &Steps::default())
    };
    assert_eq!(look(70..71), Recent::Steady);
    assert_eq!(look(58..60), Recent::Unsettled { since: 58 });
    assert_eq!(look(56..58), Recent::Spike { from: 56, to: 58 });
    assert!(matches!(look(52..60), Recent::Stepped(seen) if seen.index == 52));
}

#[test]
fn alerts_of_one_range_are_one() {
    use regard::stats::{Alert, merge};
    let alert = |series: &str, from: usize, to: usize, percent: f64| Alert {
        series: series.to_owned(),
        from,
        to,
        percent,
    };
    let ranges = merge(
        vec![
            alert("a", 10, 14, -5.0),
            alert("c", 40, 41, 3.0),
            alert("b", 12, 16, -9.0),
            alert("d", 13, 14, -1.0),
        ],
        0,
    );
    assert_eq!(ranges.len(), 2);
    assert_eq!((ranges[0].from, ranges[0].to), (13, 14));
    let names: Vec<&str> = ranges[0].alerts.iter().map(|alert| alert.series.as_str()).collect();
    assert_eq!(names, ["b", "a", "d"]);
    assert_eq!(ranges[0].percent(), -5.0);
    let near = merge(vec![alert("a", 10, 11, 1.0), alert("b", 12, 13, 1.0)], 2);
    assert_eq!(near.len(), 1);
}
