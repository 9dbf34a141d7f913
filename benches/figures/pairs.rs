//! Unchanged and changed pairs: how often each method flags one.
//!
//! Every pair has its own history of 200 earlier commits (three runs each, same noise), from which regard estimates its noise;
//! "20 comm." knows the last 20 only, "no history" is the first notification of a new benchmark. Runs spread by 2 %; "build" is noise that all runs of one build
//! share. After a flag or a suspicion the second round runs on fresh builds, as the daemon asks for it.

use fastrand::Rng;
use regard::bench::{Direction, Environment, Knowledge, Metric, Notification, Resolved};
use regard::report::Finding;
use regard::stats::{Change, Kind, Measured, Noise, Settings, confirm, noise, pair};

use crate::dice::{heavy, normal, seeded};
use crate::peers::{lkp, mann_whitney, welch};

#[derive(Clone, Copy)]
enum Shape {
    Normal,
    Heavy,
    /// 30 % of the runs are 10 % slower.
    Modes,
}

struct Case {
    name: &'static str,
    effect: f64,
    runs: usize,
    build: f64,
    shape: Shape,
    goal: &'static str,
}

const fn case(
    name: &'static str,
    effect: f64,
    runs: usize,
    build: f64,
    shape: Shape,
    goal: &'static str,
) -> Case {
    Case { name, effect, runs, build, shape, goal }
}

const CASES: &[Case] = &[
    case("unchanged, 3+3", 0.0, 3, 0.0, Shape::Normal, "<= 0.5 / 0.02"),
    case("unchanged, 6+6", 0.0, 6, 0.0, Shape::Normal, "<= 0.5 / 0.02"),
    case("unchanged, 3+3, build 1 %", 0.0, 3, 0.01, Shape::Normal, "<= 0.5 / 0.02"),
    case("unchanged, 6+6, build 1 %", 0.0, 6, 0.01, Shape::Normal, "<= 0.5 / 0.02"),
    case("unchanged, 6+6, heavy tails, build 1 %", 0.0, 6, 0.01, Shape::Heavy, "<= 0.5 / 0.02"),
    case("unchanged, 3+3, two modes", 0.0, 3, 0.0, Shape::Modes, "<= 2 / 0.02"),
    case("unchanged, 6+6, two modes", 0.0, 6, 0.0, Shape::Modes, "<= 2 / 0.02"),
    case("-5 %, 3+3", -0.05, 3, 0.0, Shape::Normal, ""),
    case("-5 %, 6+6", -0.05, 6, 0.0, Shape::Normal, ">= 85"),
    case("-5 %, 6+6, build 1 %", -0.05, 6, 0.01, Shape::Normal, ""),
    case("-10 %, 3+3", -0.10, 3, 0.0, Shape::Normal, ">= 95"),
    case("-10 %, 3+3, build 1 %", -0.10, 3, 0.01, Shape::Normal, ">= 95"),
    case("-10 %, 6+6, build 1 %", -0.10, 6, 0.01, Shape::Normal, ""),
];

const SPREAD: f64 = 0.02;
const HISTORY: usize = 200;
const YOUNG: usize = 20;

pub(crate) fn run() {
    let repetitions: u32 =
        std::env::var("REGARD_REPETITIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(40_000);
    println!("\npairs: percent flagged of {repetitions} pairs each, run spread 2 %");
    println!(
        "{:<40} {:>8} {:>8} {:>8} {:>8} | {:>8} {:>9} {:>9} {:>9} {:>9}  goal",
        "",
        "LKP >1%",
        "LKP >5%",
        "Welch",
        "MWU",
        "regard",
        "suspected",
        "confirmed",
        "20 comm.",
        "no hist."
    );
    let only = std::env::var("REGARD_CASE").unwrap_or_default();
    for (i, case) in CASES.iter().enumerate().filter(|(_, case)| case.name.contains(&only)) {
        let mut rng = seeded(1000 + i as u64);
        let mut count = Count::default();
        for _ in 0..repetitions {
            one(case, &mut rng, &mut count);
        }
        let percent = |n: u32| 100.0 * f64::from(n) / f64::from(repetitions);
        println!(
            "{:<40} {:>8.2} {:>8.2} {:>8.2} {:>8.2} | {:>8.2} {:>9.2} {:>9.3} {:>9.2} {:>9.2}  {}",
            case.name,
            percent(count.lkp1),
            percent(count.lkp5),
            percent(count.welch),
            percent(count.mwu),
            percent(count.flagged),
            percent(count.suspected),
            percent(count.confirmed),
            percent(count.young),
            percent(count.fresh),
            case.goal
        );
    }
}

#[derive(Default)]
struct Count {
    lkp1: u32,
    lkp5: u32,
    welch: u32,
    mwu: u32,
    flagged: u32,
    suspected: u32,
    confirmed: u32,
    young: u32,
    fresh: u32,
}

fn one(case: &Case, rng: &mut Rng, count: &mut Count) {
    let history: Vec<Measured> = (0..HISTORY)
        .map(|_| Measured {
            commit: String::new(),
            runs: side(case, 3, 0.0, rng).into_iter().map(Some).collect(),
        })
        .collect();
    let known =
        noise(&history, false, RESOLVED.with(|resolved| resolved.noise)).unwrap_or_default();
    let (base, head) = (side(case, case.runs, 0.0, rng), side(case, case.runs, case.effect, rng));
    count.lkp1 += u32::from(lkp(&base, &head, 1.01));
    count.lkp5 += u32::from(lkp(&base, &head, 1.05));
    count.welch += u32::from(welch(&base, &head) <= 0.05);
    count.mwu += u32::from(mann_whitney(&base, &head) <= 0.05);
    let first = decided(&base, &head, &known);
    count.flagged += u32::from(first.raises());
    count.suspected += u32::from(first.kind == Kind::Suspicious);
    let young = noise(&history[HISTORY - YOUNG..], false, RESOLVED.with(|resolved| resolved.noise))
        .unwrap_or_default();
    count.young += u32::from(decided(&base, &head, &young).raises());
    count.fresh += u32::from(decided(&base, &head, &Noise::default()).raises());
    if first.raises() || first.kind == Kind::Suspicious {
        let (again_base, again_head) =
            (side(case, case.runs, 0.0, rng), side(case, case.runs, case.effect, rng));
        let second = decided(&again_base, &again_head, &known);
        let rounds = (finding(&base, &head, first), finding(&again_base, &again_head, second));
        count.confirmed += u32::from(confirm(&rounds.0, &rounds.1).is_ok());
    }
}

/// Runs of one build.
fn side(case: &Case, runs: usize, effect: f64, rng: &mut Rng) -> Vec<f64> {
    let build = case.build * normal(rng);
    (0..runs)
        .map(|_| {
            let dice = match case.shape {
                Shape::Heavy => heavy(rng),
                _ => normal(rng),
            };
            let slow = matches!(case.shape, Shape::Modes) && rng.f64() < 0.3;
            let spread = if matches!(case.shape, Shape::Modes) { 0.005 } else { SPREAD };
            1000.0 * (1.0 + effect) * (build + spread * dice).exp() * if slow { 0.9 } else { 1.0 }
        })
        .collect()
}

fn resolved() -> Resolved {
    Knowledge::read::<&str, &str>(&[]).expect("empty knowledge").resolve_metric(&metric(&[], &[]))
}

fn metric(base: &[f64], head: &[f64]) -> Metric {
    Metric {
        name: "bench.score".to_owned(),
        direction: Some(Direction::Higher),
        kpi: Some(true),
        base: base.iter().copied().map(Some).collect(),
        head: head.iter().copied().map(Some).collect(),
        ..Metric::default()
    }
}

thread_local! {
    static RESOLVED: Resolved = resolved();
    static SETTINGS: Settings = Settings::default();
}

fn decided(base: &[f64], head: &[f64], noise: &Noise) -> Change {
    RESOLVED.with(|resolved| {
        SETTINGS.with(|settings| pair(&metric(base, head), resolved, noise, settings))
    })
}

fn finding(base: &[f64], head: &[f64], change: Change) -> Finding {
    let mut notification = Notification::new(
        Default::default(),
        Default::default(),
        Default::default(),
        Environment::default(),
    );
    notification.metrics.push(metric(base, head));
    Finding::new(notification, vec![change])
}
