//! Nothing panics, nothing runs away, whatever a mail holds.

use proptest::prelude::*;
use regard::report::{read, read_mail, read_subject};

use crate::folders::mails;

/// One change to a text.
#[derive(Debug, Clone)]
enum Edit {
    Cut(f64, f64),
    Insert(f64, String),
    Repeat(f64, f64, u8),
    Quote(f64, f64),
    Swap(char, char),
    Join,
}

fn edit() -> impl Strategy<Value = Edit> {
    let place = || 0.0..1.0f64;
    prop_oneof![
        (place(), 0.0..0.2f64).prop_map(|(a, b)| Edit::Cut(a, b)),
        (place(), "\\PC{0,12}").prop_map(|(a, t)| Edit::Insert(a, t)),
        (place(), prop::sample::select(SPECIAL.as_slice()))
            .prop_map(|(a, t)| Edit::Insert(a, t.to_owned())),
        (place(), 0.0..0.1f64, 1..5u8).prop_map(|(a, b, n)| Edit::Repeat(a, b, n)),
        (place(), 0.0..1.0f64).prop_map(|(a, b)| Edit::Quote(a, b)),
        (prop::sample::select(CHARS.as_slice()), prop::sample::select(CHARS.as_slice()))
            .prop_map(|(a, b)| Edit::Swap(a, b)),
        Just(Edit::Join),
    ]
}

const CHARS: [char; 14] = ['\n', ' ', '%', '±', '|', '+', '-', '=', ':', '.', '0', '9', '>', 'ä'];
const SPECIAL: [&str; 14] = [
    "%stddev",
    "fail:runs",
    "---------------- ---------------------------",
    "commit:",
    "\r",
    "\u{0}",
    "=C2=B1",
    "| testcase: change |",
    "+---+---+",
    "To reproduce:",
    "FYI, we noticed a -1% regression of x due to commit:",
    "Amean x 1 (0.00%) 2 (1.00%)",
    "ﬁ\u{301}",
    "\u{85}",
];

fn range(text: &str, from: f64, part: f64) -> (usize, usize) {
    let at = |share: f64| text.floor_char_boundary((text.len() as f64 * share.min(1.0)) as usize);
    (at(from), at(from + part))
}

fn apply(text: &mut String, edit: &Edit) {
    match edit {
        Edit::Cut(from, part) => {
            let (a, b) = range(text, *from, *part);
            text.replace_range(a..b, "");
        }
        Edit::Insert(from, more) => {
            let (a, _) = range(text, *from, 0.0);
            text.insert_str(a, more);
        }
        Edit::Repeat(from, part, times) => {
            let (a, b) = range(text, *from, *part);
            let again = text[a..b].repeat(usize::from(*times));
            text.insert_str(b, &again);
        }
        Edit::Quote(from, part) => {
            let (a, b) = range(text, *from, *part);
            let quoted = text[a..b].replace('\n', "\n> ");
            text.replace_range(a..b, &quoted);
        }
        Edit::Swap(from, to) => *text = text.replace(*from, &to.to_string()),
        Edit::Join => *text = text.replace('\n', " "),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_change_of_any_mail(case in 0usize..1000, edits in prop::collection::vec(edit(), 1..5)) {
        let mails = mails();
        let mut text = mails[case % mails.len()].text.clone();
        for edit in &edits {
            if text.len() < 200_000 {
                apply(&mut text, edit);
            }
        }
        let found = read(&text);
        prop_assert!(found.defects.len() <= 32);
        prop_assert!(found.reports.len() <= 70);
        for report in &found.reports {
            let rows: usize = report.tables.iter().map(|t| t.rows).sum();
            prop_assert_eq!(rows, report.rows.len());
            for row in &report.rows {
                prop_assert!(row.base.is_none_or(f64::is_finite) && row.head.is_none_or(f64::is_finite));
                prop_assert!(!row.metric.is_empty());
            }
        }
    }

    #[test]
    fn any_text(text in "(\\PC|[ \n\t>|%±0-9.+:=-]){0,400}", subject in "\\PC{0,120}") {
        read_mail(&subject, &text);
    }

    #[test]
    fn any_subject(subject in "(Re: |\\[[a-z:/]{0,9}\\] |[0-9a-f]{7,12}: ?|[-+]?[0-9.]{1,5}% ?|regression|\\PC){0,12}") {
        read_subject(&subject);
    }
}

/// Built so that a careless reader needs quadratic time: then this test does not end in the time that a test has.
#[test]
fn time_is_linear() {
    let much = 1 << 17;
    let fill = |unit: &str| unit.repeat(much / unit.len());
    for (name, text) in [
        ("marks", fill(">")),
        ("marks and blanks", fill("> ")),
        ("numbers on one line", fill("1 -1% ")),
        ("numbers without an end", format!("{}|", fill("1 -1% "))),
        ("numbers after a head", format!("%stddev %change %stddev\n{}|", fill("1 -1% "))),
        ("counts on one line", fill("1:1 ")),
        ("half rows", fill("100 -5% 95\n")),
        ("half rows after a head", format!("%stddev %change %stddev\n{}", fill("100 -5%\n"))),
        ("one word", fill("a")),
        ("dashes", fill("-")),
        ("rules", fill("---------------- ---------------------------\n")),
        ("wide rules", format!("----------------{}\n", fill(" ---------------------------"))),
        ("heads", fill("%stddev %change %stddev\n")),
        ("a wide head", fill("%stddev %change ")),
        ("box rows", fill("| testcase: change | a: b 1% regression |\n")),
        ("open box rows", format!("+---+---+\n{}", fill("| a\n"))),
        ("pipes", fill("|")),
        ("openings", fill("FYI, we noticed a -1.0% regression of x.y due to commit:\n")),
        ("openings on one line", fill("FYI, we noticed a -1.0% regression of x.y due to commit: ")),
        (
            "a paragraph without end",
            fill("commit 1234567 is the one that may have caused a regression\n"),
        ),
        ("one long sentence", fill("commit 1234567 regress ")),
        ("soft breaks", format!("=3D=3D=3D=3D\n{}", fill("a=\n"))),
        ("gains", fill("Amean x 1.00 (0.00%) 2.00 (1.00%)\n")),
        ("gains on one line", format!("Amean x {}", fill("1.00 (0.00%) "))),
        ("half gains", fill("Amean x 1.00 (0.00%) 2.00 *\n")),
        ("benchmarks", fill("Benchmark 1: x\n")),
        ("histories", format!("x\n{}", fill("From: a\nSent: b\nTo: c\nSubject: d\n"))),
        ("subjects", fill("Subject: [a:b] 1234567: x 1% regression\n")),
        ("parameters", format!("with following parameters:\n{}", fill("a: b\n"))),
        ("parameters on one line", format!("with following parameters: {}", fill("a: b "))),
        ("rules of equals", fill("====================\na/b:\n")),
        ("commits", format!("commit:\n{}", fill("1234567 (\"x\")\n"))),
        ("carriage returns", fill("\r")),
        ("two bytes", fill("ä±")),
    ] {
        let found = read(&text);
        assert!(found.reports.len() <= 70, "{name}");
        assert!(found.defects.len() <= 32, "{name}");
    }
}
