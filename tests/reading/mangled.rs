//! What archives and mail programs do to a report changes nothing of what is read.

use proptest::prelude::*;
use regard::report::{Report, read};

use crate::folders::text;

/// Intact reports of several years and layouts.
const INTACT: [&str; 6] = [
    "lkp-2025-perf",
    "lkp-several-tables",
    "lkp-2017-perf",
    "lkp-2014-changes",
    "lkp-2016-parameters-in-one-line",
    "three-commits",
];

fn only(text: &str) -> Report {
    let found = read(text);
    assert_eq!(found.reports.len(), 1, "{:?}", found.defects);
    found.reports.into_iter().next().unwrap()
}

/// Without what says where the text stood.
fn content(mut report: Report) -> Report {
    report.quoted = false;
    report.tables.iter_mut().for_each(|t| t.depth = 0);
    report
}

fn quote(text: &str, mark: &str) -> String {
    text.lines().map(|l| format!("{mark}{l}\n")).collect()
}

fn collapse(text: &str) -> String {
    text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

/// Breaks lines at blanks, as mail programs do; a word stays whole.
fn wrap(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut column = 0;
        for piece in line.split_inclusive(' ') {
            let word = piece.trim_end_matches(' ').chars().count();
            if column > 0 && word > 0 && column + word > width && !out.ends_with('\n') {
                out = out.trim_end_matches(' ').to_owned() + "\n";
                column = 0;
            }
            out.push_str(piece);
            column += piece.chars().count();
        }
        out.push('\n');
    }
    out
}

#[test]
fn quoting_to_any_depth() {
    for name in INTACT {
        let whole = text(name);
        let plain = only(&whole);
        let mut quoted = whole.clone();
        for mark in ["> ", ">", "> > ", ">> ", "> > > > > > > > > "] {
            quoted = quote(&quoted, mark);
            let report = only(&quoted);
            assert!(report.quoted, "{name}");
            assert_eq!(content(report), content(plain.clone()), "{name} behind {mark}");
        }
    }
}

#[test]
fn collapsed_blanks() {
    for name in INTACT {
        let whole = text(name);
        assert_eq!(only(&collapse(&whole)), only(&whole), "{name}");
    }
}

#[test]
fn every_stand_in_for_the_sign() {
    for mark in ["+-", "~", "ą", "Ä", ".", "Â±", "\u{fffd}", "▒", "+/-"] {
        for name in ["lkp-2025-perf", "lkp-several-tables", "three-commits"] {
            let whole = text(name);
            let marked = whole.replace('±', mark);
            assert_ne!(marked, whole);
            assert_eq!(only(&marked), only(&whole), "{name} with {mark}");
        }
    }
}

#[test]
fn rows_wrapped_at_any_width() {
    for name in ["lkp-2025-perf", "lkp-2017-perf"] {
        let whole = text(name);
        let plain = only(&whole);
        for width in 45..100 {
            let report = only(&quote(&wrap(&whole, width), "> "));
            assert_eq!(report.rows, plain.rows, "{name} at {width}");
            assert_eq!(report.commit, plain.commit, "{name} at {width}");
            assert_eq!(report.metric, plain.metric, "{name} at {width}");
        }
    }
}

#[test]
fn a_whole_mail_on_one_line() {
    for name in ["lkp-2025-perf", "lkp-2017-perf", "lkp-several-tables"] {
        let whole = text(name);
        let rolled = whole.split_whitespace().collect::<Vec<_>>().join(" ");
        let (report, plain) = (only(&rolled), only(&whole));
        assert_eq!(report.rows, plain.rows, "{name}");
        assert_eq!(report.failures, plain.failures, "{name}");
        assert_eq!(report.impacted, plain.impacted, "{name}");
        assert_eq!(report.parameters, plain.parameters, "{name}");
        assert_eq!(report.commit_subject, plain.commit_subject, "{name}");
        assert_eq!(report.tree, plain.tree, "{name}");
        assert_eq!(report.test_machine, plain.test_machine, "{name}");
    }
}

#[test]
fn undecoded_quoted_printable() {
    let plain = only(&text("lkp-2025-perf"));
    let encoded = only(&text("quoted-printable-never-decoded"));
    assert_eq!(encoded.rows, plain.rows);
    assert_eq!(encoded.parameters, plain.parameters);
    assert_eq!(encoded.closes, plain.closes);
}

/// Where each table of a mail begins and ends in its rows, and the numbers of every row.
fn numbers(report: &Report) -> Vec<[Option<f64>; 5]> {
    let row = |r: &regard::report::Row| {
        [r.base, r.base_stddev_percent, r.change, r.head, r.head_stddev_percent]
    };
    report.rows.iter().map(row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// A mail cut anywhere tells a beginning of what the whole mail tells, and no number that it does not hold.
    #[test]
    fn a_cut_mail_tells_a_beginning(name in prop::sample::select(INTACT.as_slice()), at in 0.0..1.0f64) {
        let whole = text(name);
        let cut = whole.floor_char_boundary((whole.len() as f64 * at) as usize);
        let plain = only(&whole);
        for report in read(&whole[..cut]).reports {
            let rows = numbers(&report);
            prop_assert_eq!(&rows[..], &numbers(&plain)[..rows.len()]);
            for (row, full) in report.rows.iter().zip(&plain.rows) {
                prop_assert!(full.metric.starts_with(&row.metric));
            }
            for (failure, full) in report.failures.iter().zip(&plain.failures) {
                prop_assert_eq!(failure.base_fails, full.base_fails);
                prop_assert_eq!(failure.head_runs, full.head_runs);
            }
            prop_assert!(report.change_percent.is_none() || report.change_percent == plain.change_percent);
            for impact in &report.impacted {
                prop_assert!(plain.impacted.iter().any(|i| i.change_percent == impact.change_percent));
            }
            for (name, value) in &report.parameters {
                prop_assert_eq!(plain.parameters.get(name), Some(value));
            }
        }
    }

    /// Text between the lines of a quoted report takes no row away and adds none.
    #[test]
    fn words_between_the_lines(seed in prop::collection::vec((0usize..400, 0usize..4), 0..6)) {
        let whole = text("lkp-2025-perf");
        let plain = only(&whole);
        let quoted = quote(&whole, "> ");
        let mut lines: Vec<&str> = quoted.lines().collect();
        let words = ["I do not see this here.", "", "[...]", "Is 5% of 100 that much? See [1]."];
        for (at, word) in seed {
            // Never inside the paragraphs that a person would not break.
            let at = at % lines.len();
            if at > 45 {
                lines.insert(at, words[word]);
            }
        }
        let report = read(&(lines.join("\n") + "\n")).reports.into_iter().next().unwrap();
        prop_assert_eq!(numbers(&report), numbers(&plain));
    }
}
