//! Metric knowledge: the shipped files, precedence, and what is wrong with a broken one.

use regard::bench::{Direction, Knowledge};
use regard::stats::Class;

#[test]
fn every_shipped_file_is_read() {
    let knowledge = Knowledge::read(regard::embedded::METRICS)
        .unwrap_or_else(|problems| panic!("{problems:?}"));
    let score = knowledge.resolve("unixbench.score", None);
    assert_eq!(
        (score.direction, score.class, score.effect),
        (Some(Direction::Higher), Class::Kpi, 2.0)
    );
}

#[test]
fn broken_knowledge_is_named_by_file_and_line() {
    let problems = |text: &str| -> Vec<String> {
        Knowledge::read(&[("99-mine.toml", text)])
            .unwrap_err()
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    let found = problems("[[metric]]\nmatch = 'ok'\n\n[[metric]]\nmatch = '(open'\n");
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("99-mine.toml:5: found "), "{found:?}");
    let found = problems("[[metric]]\nmatch = 'ok'\ndirektion = \"higher\"\n");
    assert!(found[0].starts_with("99-mine.toml:3: found "), "{found:?}");
    let found = problems("[[metric]]\nmatch = 'ok'\nunit = \"parsecs\"\n");
    assert!(found[0].contains("[unknown-unit]"), "{found:?}");
    let found = problems("[[metric]]\nmatch = 'ok'\neffect = -1.0\n");
    assert!(found[0].contains("[out-of-range]"), "{found:?}");
}

#[test]
fn stated_beats_unit_beats_pattern() {
    let text =
        "[[metric]]\nmatch = '^m'\ndirection = \"higher\"\nclass = \"monitor\"\neffect = 7.0\n";
    let knowledge = Knowledge::read(&[("1.toml", text)]).unwrap();
    assert_eq!(knowledge.resolve("m", None).direction, Some(Direction::Higher));
    let by_unit = knowledge.resolve("m", Some("ms"));
    assert_eq!(
        (by_unit.direction, by_unit.class, by_unit.effect),
        (Some(Direction::Lower), Class::Monitor, 7.0)
    );
    assert_eq!(
        knowledge.why(&by_unit),
        "direction lower: unit ms; monitor: 1.toml:2 ^m; effect 7 %: 1.toml:2 ^m"
    );
    assert_eq!(knowledge.resolve("other", None).direction, None);
}

/// `metrics.tsv`: name, unit or `-`, direction or `?`, class.
#[test]
fn benchmarks_and_monitors_resolve_as_people_expect() {
    let knowledge = Knowledge::embedded();
    let text = std::fs::read_to_string(super::folder("metrics.tsv")).unwrap();
    let mut found = String::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let resolved = knowledge.resolve(cells[0], Some(cells[1]).filter(|unit| *unit != "-"));
        let direction = resolved
            .direction
            .map_or("?".to_owned(), |direction| format!("{direction:?}").to_lowercase());
        let class = format!("{:?}", resolved.class).to_lowercase();
        found += &format!("{}\t{}\t{direction}\t{class}\n", cells[0], cells[1]);
    }
    if found != text {
        panic!("{}", similar::TextDiff::from_lines(text.as_str(), &found).unified_diff());
    }
}

#[test]
fn shares_are_bounded_and_counters_exact() {
    let knowledge = Knowledge::embedded();
    assert!(knowledge.resolve("mpstat.cpu.all.sys%", None).bounded);
    assert!(knowledge.resolve("anything", Some("%")).bounded);
    assert!(!knowledge.resolve("unixbench.time.percent_of_cpu_this_job_got", None).bounded);
    let size = knowledge.resolve("vmlinux.text_size", None);
    assert!(size.exact);
    assert_eq!((size.effect, size.noise), (0.2, 0.0));
    assert_eq!(knowledge.resolve("vmstat.system.cs", None).floor, 100.0);
}
