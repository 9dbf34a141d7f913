//! What the store keeps of a notification.

use regard::bench::{Knowledge, Notification};
use regard::stats::Past;
use regard::store::{Reach, Series, Store, StoreError};

use crate::{at, id, metric, notification};

fn runs(values: &[f64]) -> Vec<Option<f64>> {
    values.iter().copied().map(Some).collect()
}

/// Stores notifications, an hour each, under messages m0, m1, ...
fn stored(all: &[Notification]) -> Store {
    let mut store = Store::in_memory().expect("memory");
    let knowledge = Knowledge::embedded();
    for (hour, n) in all.iter().enumerate() {
        let defects = store
            .transaction(|tx| tx.put_points(n, &knowledge, &format!("m{hour}"), at(hour as i64)))
            .expect("stored");
        assert!(defects.is_empty(), "{defects:?}");
    }
    store
}

fn only(store: &mut Store) -> Series {
    let all = store.look(|tx| tx.all_series()).expect("read");
    assert_eq!(all.len(), 1, "{all:#?}");
    all.into_iter().next().expect("one")
}

fn past(store: &mut Store, n: &Notification) -> Past {
    store
        .look(|tx| {
            let suite = tx.suite_of(n)?.expect("known");
            tx.past(&suite, None, Reach::default())
        })
        .expect("read")
}

fn order(store: &mut Store, n: &Notification) -> Vec<String> {
    let commits = past(store, n).commits().to_vec();
    commits.into_iter().map(|c| c.commit[..4].to_owned()).collect()
}

#[test]
fn base_and_head_become_points_with_their_gaps() {
    let mut head = runs(&[90.0, 91.0]);
    head.insert(1, None);
    let n = notification(1, 2, vec![metric("pipes.rate", runs(&[100.0, 101.0]), head.clone())]);
    let mut store = stored(std::slice::from_ref(&n));
    let series = only(&mut store);
    assert_eq!(series.commits, 2);
    assert!(series.key.starts_with("kernel/master pipes threads=8 @lab-a~"), "{}", series.key);
    assert!(series.key.ends_with(" pipes.rate"), "{}", series.key);
    let history = store.look(|tx| tx.history(&series, 10)).expect("read");
    assert_eq!(history[0].commit, n.base);
    assert_eq!(history[0].spot.runs, runs(&[100.0, 101.0]));
    assert_eq!((history[1].commit.commit.as_str(), history[1].measured), (id(2).as_str(), at(0)));
    assert_eq!((&history[1].spot.runs, &history[1].messages), (&head, &vec!["m0".to_owned()]));
    assert_eq!(store.look(|tx| tx.history(&series, 1)).expect("read").len(), 1, "the newest");
}

#[test]
fn the_same_runs_are_stored_once_whoever_sends_them() {
    let pair = |head: usize, value: f64| {
        let base = runs(&[100.0, 101.3, 99.1]);
        notification(1, head, vec![metric("pipes.rate", base, runs(&[value, value + 1.0]))])
    };
    // The base's runs come again with every head, and the second mail comes twice.
    let mut store = stored(&[pair(2, 90.1), pair(3, 95.2), pair(3, 95.2)]);
    let series = only(&mut store);
    let history = store.look(|tx| tx.history(&series, 10)).expect("read");
    let counts: Vec<usize> = history.iter().map(|point| point.spot.runs.len()).collect();
    assert_eq!(counts, [3, 2, 2]);
    assert_eq!(history[0].messages, ["m0"]);
}

#[test]
fn further_runs_of_a_commit_are_further_builds() {
    let of = |values: &[f64], builds: Option<Vec<u32>>| {
        let mut m = metric("pipes.rate", Vec::new(), runs(values));
        m.head_builds = builds;
        notification(0, 1, vec![m])
    };
    let first = of(&[100.0, 101.0, 99.0], Some(vec![4, 4, 7]));
    let mut store = stored(&[first, of(&[98.0, 97.0], None), of(&[98.0, 97.0, 96.0], None)]);
    let series = only(&mut store);
    let history = store.look(|tx| tx.history(&series, 10)).expect("read");
    assert_eq!(history[0].spot.runs, runs(&[100.0, 101.0, 99.0, 98.0, 97.0, 96.0]));
    assert_eq!(history[0].spot.builds, [0, 0, 1, 2, 2, 2], "a list that grew is one round");
    assert_eq!(history[0].messages, ["m0", "m2"]);
}

#[test]
fn commits_stand_in_the_order_of_their_first_measurement() {
    let of =
        |n: usize| notification(0, n, vec![metric("pipes.rate", Vec::new(), runs(&[1.0, 2.0]))]);
    let mut store = stored(&[of(7), of(3), of(9), of(3)]);
    assert_eq!(order(&mut store, &of(7)), ["0007", "0003", "0009"]);
}

#[test]
fn dates_order_commits_where_the_first_one_has_one() {
    let of = |n: usize, date: Option<&str>| {
        let mut n = notification(0, n, vec![metric("pipes.rate", Vec::new(), runs(&[1.0, 2.0]))]);
        n.head.date = date.map(str::to_owned);
        n
    };
    let mails = [
        of(1, Some("2026-01-05")),
        of(2, Some("2026-01-09T12:00:00+02:00")),
        of(3, Some("2026-01-07")),
        of(4, None),
        of(5, Some("2026-01-08")),
        // A clock that runs ahead.
        of(6, Some("2999-01-01")),
    ];
    let mut store = stored(&mails);
    assert_eq!(order(&mut store, &mails[0]), ["0001", "0003", "0005", "0002", "0004", "0006"]);

    // A lab that begins to send dates later keeps its order.
    let mut store = stored(&[of(1, None), of(2, None), of(3, Some("2020-01-01"))]);
    assert_eq!(order(&mut store, &mails[0]), ["0001", "0002", "0003"]);
}

#[test]
fn a_base_stands_before_its_head_whatever_the_dates_say() {
    let pair = |base: usize, head: usize, date: &str| {
        let m = metric("pipes.rate", runs(&[1.0, 2.0]), runs(&[3.0, 4.0]));
        let mut n = notification(base, head, vec![m]);
        n.head.date = Some(date.to_owned());
        n
    };
    // The second patch was written long before it was applied.
    let mails = [pair(1, 2, "2026-02-01"), pair(2, 3, "2025-06-01")];
    let mut store = stored(&mails);
    assert_eq!(order(&mut store, &mails[0]), ["0001", "0002", "0003"]);
}

#[test]
fn other_facts_other_machines_and_other_branches_are_other_series() {
    let plain = notification(0, 1, vec![metric("pipes.rate", Vec::new(), runs(&[1.0, 2.0]))]);
    let other = |change: fn(&mut Notification)| {
        let mut n = plain.clone();
        change(&mut n);
        n
    };
    let mails = [
        plain.clone(),
        other(|n| n.environment.machine = "lab-b".to_owned()),
        other(|n| n.environment.compiler = Some("gcc-13".to_owned())),
        other(|n| n.tree.branch = "next".to_owned()),
        other(|n| n.test.version = Some("2".to_owned())),
        other(|n| n.test.parameters = [("threads".to_owned(), "9".to_owned())].into()),
        // Reads like the first, and is none.
        other(|n| {
            n.test.name = "pipes threads=8".to_owned();
            n.test.parameters.clear();
        }),
    ];
    let mut store = stored(&mails);
    let all = store.look(|tx| tx.all_series()).expect("read");
    assert_eq!(all.len(), 7);
    assert!(all.iter().all(|s| s.commits == 1), "{all:#?}");
    let sisters = store.look(|tx| tx.sisters(&tx.suite_of(&plain)?.expect("known"))).expect("read");
    let mut kept: Vec<String> = sisters.into_iter().map(|(s, _)| s.key).collect();
    kept.sort();
    assert_eq!(kept.len(), 3, "same test, parameters and machine: {kept:#?}");
}

#[test]
fn units_of_one_quantity_are_one_series() {
    let of = |n: usize, unit: &str, values: &[f64]| {
        let mut m = metric("pipes.latency", Vec::new(), runs(values));
        m.unit = Some(unit.to_owned());
        notification(0, n, vec![m])
    };
    let mut store = stored(&[of(1, "ms", &[2.0, 3.0]), of(2, "us", &[2500.0])]);
    let series = only(&mut store);
    let history = store.look(|tx| tx.history(&series, 10)).expect("read");
    assert_eq!(history[1].spot.runs, runs(&[2.5]));
    let knowledge = Knowledge::embedded();
    let defects = store
        .transaction(|tx| tx.put_points(&of(3, "MB", &[7.0]), &knowledge, "m3", at(3)))
        .expect("stored");
    assert_eq!(defects, ["pipes.latency is not stored: its unit MB is not one of its history"]);
}

#[test]
fn a_series_is_found_by_number_metric_and_words() {
    let with = |machine: &str| {
        let metrics =
            ["pipes.rate", "pipes.latency"].map(|name| metric(name, Vec::new(), runs(&[1.0, 2.0])));
        let mut n = notification(0, 1, metrics.to_vec());
        n.environment.machine = machine.to_owned();
        n
    };
    let mut store = stored(&[with("lab-a"), with("lab-b")]);
    let mut named = |name: &str| -> Vec<String> {
        let found = store.look(|tx| tx.series_named(name)).expect("read");
        found.into_iter().map(|s| format!("{} {}", s.id, s.metric)).collect()
    };
    assert_eq!(named("3"), ["3 pipes.rate"]);
    assert_eq!(named("LAB-B latency"), ["4 pipes.latency"]);
    assert_eq!(named("pipes.rate").len(), 2, "two machines");
    assert_eq!(named("lab-c"), Vec::<String>::new());
}

#[test]
fn points_go_with_their_transaction() {
    let mut store = Store::in_memory().expect("memory");
    let n = notification(0, 1, vec![metric("pipes.rate", Vec::new(), runs(&[1.0, 2.0]))]);
    let outcome = store.transaction(|tx| {
        tx.put_points(&n, &Knowledge::embedded(), "m0", at(0))?;
        Err::<(), _>(StoreError::Newer { found: 1, known: 0 })
    });
    assert!(outcome.is_err());
    assert!(store.look(|tx| tx.all_series()).expect("read").is_empty());
    assert_eq!(store.look(|tx| tx.suite_of(&n)).expect("read"), None);
}

#[test]
fn a_half_filled_row_is_refused() {
    let dir = tempfile::tempdir().expect("temp dir");
    let path = dir.path().join("regard.db");
    let n = notification(0, 1, vec![metric("pipes.rate", Vec::new(), runs(&[1.0, 2.0]))]);
    let mut store = Store::open(&path).expect("made");
    store.transaction(|tx| tx.put_points(&n, &Knowledge::embedded(), "m0", at(0))).expect("stored");
    let db = rusqlite::Connection::open(&path).expect("open");
    db.execute("update point set runs = '[1, two]'", []).expect("broken");
    let series = only(&mut store);
    let error = store.look(|tx| tx.history(&series, 9)).expect_err("refused").to_string();
    assert!(error.contains("point of series 1"), "{error}");
}

#[test]
fn monitors_are_read_less_far_back() {
    let of = |n: usize| {
        let mut monitor = metric("vmstat.cs", Vec::new(), runs(&[n as f64, 2.0]));
        monitor.kpi = Some(false);
        notification(0, n, vec![metric("pipes.rate", Vec::new(), runs(&[1.0, n as f64])), monitor])
    };
    let mails: Vec<Notification> = (1..=12).map(of).collect();
    let mut store = stored(&mails);
    let past = store
        .look(|tx| {
            let suite = tx.suite_of(&mails[0])?.expect("known");
            tx.past(&suite, Some(&id(10)), Reach { kpis: 8, monitors: 3 })
        })
        .expect("read");
    assert_eq!(past.commits().len(), 8);
    assert_eq!(past.commits()[7].commit, id(10), "up to that commit");
    let spots = |name: &str| past.track(name).expect("there").spots.len();
    assert_eq!((spots("pipes.rate"), spots("vmstat.cs")), (8, 3));
}
