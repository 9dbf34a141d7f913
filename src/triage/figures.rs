//! The author's own figures: whether both sides come out the same.

use std::sync::LazyLock;

use regex::Regex;

use super::plain::compile;
use super::sentence::Sentence;
use crate::mail::Message;

/// Two figures this close are the same, whatever the error bars.
const SAME: f64 = 0.015;
/// Two figures this far apart are not.
const OTHER: f64 = 0.05;

const BASE: &[&str] =
    &["parent", "before", "base", "baseline", "without", "unpatched", "old", "vanilla", "good"];
const HEAD: &[&str] =
    &["commit", "after", "head", "with", "patched", "new", "patch", "bad", "first bad"];

/// Two figures of one quantity that are set against each other: `812 vs 815`, `61.2M -> 43.9M`, `48s before and 55s after`.
static PAIR: LazyLock<Regex> = LazyLock::new(|| {
    const FIGURE: &str = r"(\d[\d.,]*\d|\d)\s?([a-z%][a-z%/]*)?";
    const BETWEEN: &str = r"(?:\s?(?:-+>|=+>|→|vs\.?|versus)|[^0-9.;]{0,30}\b(?:vs\.?|versus|against|compared (?:to|with))|[^0-9.;]{0,25}\b(?:before|without|unpatched|(?:on|for|with|in) the (?:parent|base|baseline|old one|old kernel|good one))\b[^0-9.;]{0,30})[^0-9.;]{0,14}?";
    compile(&format!(r"(?:^|[\s(:~,]){FIGURE}{BETWEEN}\s?~?{FIGURE}"))
});

/// What stands between the figures of a pair, at least in part.
const BETWEEN: &[&str] = &[
    "->",
    "=>",
    "→",
    "vs",
    "versus",
    "against",
    "compared",
    "before",
    "without",
    "unpatched",
    " the ",
];

/// Whether the figures of base and head agree, and whether they differ. Neither when there are none, or when they
/// contradict each other.
pub(super) fn figures(message: &Message, sentences: &[Sentence]) -> (bool, bool) {
    let mut ratios = Vec::new();
    let figures = |text: &str| text.bytes().filter(u8::is_ascii_digit).nth(1).is_some();
    for sentence in sentences.iter().filter(|sentence| figures(&sentence.text)) {
        let named = of_sentence(&sentence.text);
        match named {
            Some(ratio) => ratios.push(ratio),
            None => ratios.extend(of_pairs(&sentence.text)),
        }
    }
    ratios.extend(of_rows(message));
    let agree = !ratios.is_empty() && ratios.iter().all(|(gap, noise)| *gap <= SAME.max(*noise));
    let differ =
        !ratios.is_empty() && ratios.iter().all(|(gap, noise)| *gap >= OTHER.max(2.0 * noise));
    (agree, differ)
}

/// "842 for the parent, 839 with the commit": both sides named, one figure each.
fn of_sentence(text: &str) -> Option<(f64, f64)> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '.'))
        .filter(|w| !w.is_empty())
        .collect();
    let names = |list: &[&str]| list.iter().any(|n| words.contains(n));
    if !(names(BASE) && names(HEAD)) {
        return None;
    }
    let numbers = numbers(text);
    let &[(a, _), (b, _)] = numbers.as_slice() else { return None };
    comparable(a, b).then(|| (gap(a, b), 0.0))
}

/// Pairs of a sentence, at most a few. Percentages, versions and figures of different units are none.
fn of_pairs(text: &str) -> Vec<(f64, f64)> {
    let mut found = Vec::new();
    let lower = text.to_lowercase();
    if !BETWEEN.iter().any(|words| lower.contains(words)) {
        return found;
    }
    for hit in PAIR.captures_iter(&lower).take(8) {
        let part = |n: usize| hit.get(n).map_or("", |m| m.as_str());
        let no_unit =
            |word: &&str| !["after", "with", "on", "in", "now", "for", "and"].contains(word);
        let (left, right) = (part(2), Some(part(4)).filter(no_unit).unwrap_or_default());
        let units = UNITS.contains(&left) || UNITS.contains(&right);
        let clash = left.contains('%')
            || right.contains('%')
            || !left.is_empty() && !right.is_empty() && left != right;
        // `6.18 vs 7.0` are versions.
        let versions = !units && [part(1), part(3)].iter().all(|n| n.len() <= 5 && n.contains('.'));
        if clash || versions {
            continue;
        }
        let value = |text: &str| text.replace(',', "").parse::<f64>().ok();
        if let (Some(a), Some(b)) = (value(part(1)), value(part(3)))
            && a > 0.0
            && b > 0.0
            && (comparable(a, b) && a >= 10.0 || units && a.max(b) / a.min(b) < 20.0)
        {
            found.push((gap(a, b), 0.0));
        }
    }
    found
}

/// What may stand behind a figure.
const UNITS: &[&str] = &[
    "k", "m", "g", "s", "ms", "us", "ns", "sec", "seconds", "secs", "min", "minutes", "kb/s",
    "mb/s", "gb/s", "gbit/s", "mbit/s", "gbps", "mbps", "kops", "mops", "ops", "ops/s", "iops",
    "kiops", "tps", "mib/s", "gib/s", "kib/s", "req/s", "files/s", "msec", "usec", "w", "j",
];

/// Rows with a figure a side, a row a side, or a row of runs a side.
fn of_rows(message: &Message) -> Vec<(f64, f64)> {
    let mut found = Vec::new();
    let mut base: Option<(f64, f64)> = None;
    for line in message
        .own_lines()
        .filter(|l| l.len() < 200 && (l.starts_with([' ', '\t']) || labelled(l)))
        .take(200)
    {
        let lower = line.trim().to_lowercase();
        let first =
            lower.split_whitespace().next().unwrap_or_default().trim_end_matches(':').to_owned();
        let row = numbers(line);
        let side = BASE.contains(&first.as_str()) || HEAD.contains(&first.as_str());
        let row = if side && row.len() >= 3 { vec![runs(&row)] } else { row };
        match *row.as_slice() {
            [(value, noise)] if BASE.contains(&first.as_str()) => base = Some((value, noise)),
            [(value, noise)] => {
                if let Some((other, other_noise)) = base.take()
                    && comparable(value, other)
                {
                    found.push((gap(value, other), noise + other_noise));
                }
            }
            [(a, a_noise), (b, b_noise)] if comparable(a, b) => {
                found.push((gap(a, b), a_noise + b_noise))
            }
            _ => {}
        }
    }
    found
}

/// `before: 812 815 809`: a side with its figures, not set apart from the words.
fn labelled(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default().trim_end_matches(':').to_lowercase();
    (BASE.contains(&first.as_str()) || HEAD.contains(&first.as_str()))
        && words.next().is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit()))
}

/// Mean of several runs; half their range is the noise.
fn runs(row: &[(f64, f64)]) -> (f64, f64) {
    let mean = row.iter().map(|(v, _)| v).sum::<f64>() / row.len() as f64;
    let low = row.iter().map(|(v, _)| *v).fold(f64::INFINITY, f64::min);
    let high = row.iter().map(|(v, _)| *v).fold(0.0, f64::max);
    (mean, (high - low) / 2.0 / mean)
}

/// Figures of a line with the noise that is printed beside them (`61.2 +-1.4%`, `61.2 ± 1.4%`, `(stddev 1.4%)`), as a
/// share. Percentages alone, and whatever hangs on letters (`v6.1`, `64k`, `96t`), are none.
fn numbers(line: &str) -> Vec<(f64, f64)> {
    let line = line
        .replace("+/-", "±")
        .replace("+-", "±")
        .replace("± ", "±")
        .replace("stddev ", "±")
        .replace(['(', ')'], " ");
    let mut found: Vec<(f64, f64)> = Vec::new();
    for word in line.split_whitespace() {
        let word = word.trim_end_matches([',', ';', '.', ':']);
        if let Some(noise) = word.strip_prefix('±') {
            if let (Some(last), Ok(noise)) =
                (found.last_mut(), noise.trim_end_matches('%').parse::<f64>())
            {
                last.1 = noise / 100.0;
            }
            continue;
        }
        let (word, noise) = word.split_once('±').unwrap_or((word, ""));
        let bare = word.trim_end_matches("/s").trim_end_matches("ms").trim_end_matches('s');
        // `8.11M` and `812k` are figures, `64k` is a size.
        let large = bare.strip_suffix(['k', 'K', 'M', 'G']);
        let bare = large.filter(|n| n.len() >= 3).unwrap_or(bare);
        if let Ok(value) = bare.replace(',', "").parse::<f64>()
            && value.is_finite()
            && value > 0.0
        {
            found.push((value, noise.trim_end_matches('%').parse::<f64>().unwrap_or(0.0) / 100.0));
        }
    }
    found
}

/// Figures of one quantity: of like size, and no small counts.
fn comparable(a: f64, b: f64) -> bool {
    let (small, large) = (a.min(b), a.max(b));
    small > 0.0 && large / small < 20.0 && large >= 2.0
}

fn gap(a: f64, b: f64) -> f64 {
    (a - b).abs() / a.max(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::parse;

    fn of(body: &str) -> (bool, bool) {
        let message = parse(format!("From: a@example.org\n\n{body}").as_bytes());
        figures(&message, &super::super::sentences(&message))
    }

    #[test]
    fn sentences_name_both_sides() {
        assert_eq!(of("Average for the parent is 842, for the commit it's 839.\n"), (true, false));
        assert_eq!(of("We get 48s before and 55s after the change.\n"), (false, true));
        assert_eq!(of("I ran it 12 times on 96 CPUs.\n"), (false, false));
    }

    #[test]
    fn figures_are_set_against_each_other() {
        assert_eq!(of("4811 versus 4796 files/s on my end.\n"), (true, false));
        assert_eq!(of("128 threads: 61.2M before, 43.9M after.\n"), (false, true));
        assert_eq!(of("On my EPYC it's 4.02s vs 4.03s.\n"), (true, false));
        assert_eq!(of("I see 812k vs. 704k.\n"), (false, true));
        assert_eq!(of("From 6.18 -> 7.0 we lost 4% vs 3%.\n"), (false, false));
        assert_eq!(of("That is 12 CPUs vs 13 nodes with 4k vs 64s pages.\n"), (false, false));
    }

    #[test]
    fn runs_of_a_side_stand_in_a_row() {
        let same = "Five rounds:\n\n  before   41210 41307 40988 41155 41260\n  after    41190 41275 41304 41011 41248\n";
        assert_eq!(of(same), (true, false));
        assert_eq!(of("old: 41210 41307 40988\nnew: 31190 31275 31304\n"), (false, true));
    }

    #[test]
    fn tables_have_a_column_or_a_row_a_side() {
        assert_eq!(
            of(
                "Numbers:\n\n  CLX 96t    61.22 +-1.4%   61.90 +-1.1%\n  Rome 128t  48.05 +-2.0%   47.71 +-2.6%\n"
            ),
            (true, false)
        );
        assert_eq!(
            of(
                "Numbers:\n\n  before   4.411 GB/s  (stddev 0.6%)\n  after    4.420 GB/s  (stddev 0.7%)\n"
            ),
            (true, false)
        );
        assert_eq!(
            of("Numbers:\n\n  parent      1184220 bogo ops\n  c84e7d12a0   129035 bogo ops\n"),
            (false, true)
        );
    }
}
