//! The author's own figures: whether both sides come out the same.

use crate::mail::{BlockKind, Message};

use super::sentence::Sentence;

/// Two figures this close are the same, whatever the error bars.
const SAME: f64 = 0.015;
/// Two figures this far apart are not.
const OTHER: f64 = 0.05;

const BASE: &[&str] =
    &["parent", "before", "base", "baseline", "without", "unpatched", "old", "vanilla", "good"];
const HEAD: &[&str] =
    &["commit", "after", "head", "with", "patched", "new", "patch", "bad", "first bad"];

/// Whether the figures of base and head agree, and whether they differ. Neither when there are none, or when they
/// contradict each other.
pub(super) fn figures(message: &Message, sentences: &[Sentence]) -> (bool, bool) {
    let mut ratios = Vec::new();
    for sentence in sentences {
        ratios.extend(of_sentence(&sentence.text));
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

/// Rows with a figure a side, or a row a side.
fn of_rows(message: &Message) -> Vec<(f64, f64)> {
    let lines: Vec<&str> = message.body.lines().collect();
    let own =
        message.blocks.iter().filter(|b| b.kind == BlockKind::New).flat_map(|b| b.lines.clone());
    let mut found = Vec::new();
    let mut base: Option<(f64, f64)> = None;
    for line in own
        .filter_map(|n| lines.get(n))
        .filter(|l| l.starts_with([' ', '\t']) && l.len() < 200)
        .take(200)
    {
        let lower = line.trim().to_lowercase();
        let first =
            lower.split_whitespace().next().unwrap_or_default().trim_end_matches(':').to_owned();
        let row = numbers(line);
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
