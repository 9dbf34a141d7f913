//! Tables of MMTests' `compare-kernels.sh`: a statistic, an operation, and per kernel a mean with its gain in percent.
//! A gain is better, whatever the direction of the metric; the first kernel is the base and shows 0.00 %.

use std::sync::LazyLock;

use regex::Regex;

use super::foreign::{self, WIDEST};
use super::line::Line;
use super::number::printed;
use super::pattern;
use super::scan::Scan;
use crate::report::{Row, RowUnit};

/// `110.00 * -10.00%*` where the gain is significant, `50.06 (  -0.12%)` where not or where the version is old.
static GROUP: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(-?\d[\d.]*(?:e[+-]\d+)?)\s*(?:\(\s*([+-]?(?:\d[\d.]*|[Ii]nf|[Nn]a[Nn]))%\s*\)|\*\s*([+-]?(?:\d[\d.]*|[Ii]nf|[Nn]a[Nn]))%\s*\*)",
    )
});
/// Statistics that begin a row.
const STATISTICS: [&str; 22] = [
    "Amean",
    "Hmean",
    "Gmean",
    "SubAmean",
    "SubHmean",
    "Stddev",
    "HStddev",
    "CoeffVar",
    "HCoeffVar",
    "BAmean",
    "BHmean",
    "Min",
    "Max",
    "Range",
    "Mean",
    "TMean",
    "Pctile",
    "1st-qrtle",
    "2nd-qrtle",
    "3rd-qrtle",
    "Median",
    "Samples",
];
/// Benchmarks that it drives and that nothing else is called.
const BENCHMARKS: [&str; 30] = [
    "kernbench",
    "dbench",
    "tbench",
    "hackbench",
    "pgbench",
    "sysbench",
    "netperf",
    "ebizzy",
    "reaim",
    "fsmark",
    "bonnie",
    "filebench",
    "blogbench",
    "sockperf",
    "specjbb",
    "hpcg",
    "thpscale",
    "thpfioscale",
    "stress-highalloc",
    "pagealloc",
    "vmscale",
    "will-it-scale",
    "unixbench",
    "aim9",
    "aim7",
    "schbench",
    "lmbench",
    "gitsource",
    "stutterp",
    "parallelio",
];
/// Lines above a table that speak of it.
const ABOVE: usize = 30;
/// More rows than this are cut off.
const LONGEST: usize = 20_000;

/// A row, cut.
struct Cut {
    label: String,
    /// Where the label ends and each group lies.
    label_end: usize,
    groups: Vec<(usize, usize)>,
    values: Vec<(f64, Option<f64>)>,
    taken: usize,
}

/// Reads a whole table from its first row.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let first = cut(lines, at).filter(|c| c.values[0].1 == Some(0.0))?;
    let columns = first.values.len();
    let (label_end, groups) = (first.label_end, first.groups.clone());
    let mut rows: Vec<Cut> = vec![first];
    let mut end = at + rows[0].taken;
    while let Some(line) = lines.get(end).filter(|l| l.depth == lines[at].depth && !l.is_blank()) {
        match cut(lines, end) {
            Some(row) if row.values.len() == columns && row.values[0].1 == Some(0.0) => {
                end += row.taken;
                rows.push(row);
            }
            Some(row) => {
                scan.defect(line, "a row with other columns than its table", line.trim());
                end += row.taken;
            }
            None if is_statistic(line.trim()) => {
                scan.defect(line, "a table row is cut", line.trim());
                end += 1;
            }
            None => break,
        }
        if rows.len() == LONGEST {
            break;
        }
    }
    let known = rows.iter().any(|r| is_statistic(&r.label));
    if !known && rows.len() < 2 {
        return None;
    }
    let (labels, head) = titles(lines, at, label_end, &groups);
    let caption = caption(lines, at - head);
    let named = labels.len() == columns;
    let label = |i: usize| {
        let title = || {
            if named { labels[i].clone() } else { format!("#{}", i + 1) }
        };
        (columns > 2).then(title)
    };
    let rows = rows.iter().flat_map(|row| {
        let label = &label;
        (1..columns).map(move |i| Row {
            metric: row.label.clone(),
            base: Some(row.values[0].0),
            base_stddev_percent: None,
            change: row.values[i].1,
            change_unit: RowUnit::Percent,
            head: Some(row.values[i].0),
            head_stddev_percent: None,
            base_label: label(0),
            head_label: label(i),
        })
    });
    let rows = rows.collect();
    let test = test(lines, at);
    foreign::push(scan, &lines[at], "mmtests", caption, &labels, rows, test);
    Some(end - at)
}

fn is_statistic(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    STATISTICS.iter().any(|s| {
        first
            .strip_prefix(s)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.']) && rest.len() < 8)
    })
}

/// Cuts a row into label and groups; a row that a mail program wrapped goes on in the next lines.
fn cut(lines: &[Line], at: usize) -> Option<Cut> {
    let text = &lines[at].text;
    if !text.contains('%') || text.len() > 4000 {
        return None;
    }
    let mut whole = expand(text);
    let mut taken = 1;
    loop {
        let next = lines
            .get(at + taken)
            .filter(|l| taken < 6 && !l.is_blank() && l.depth <= lines[at].depth)
            .map(|l| expand(l.trim()));
        let goes_on = next.as_ref().is_some_and(|n| is_rest(&whole, n));
        match next {
            Some(next) if goes_on => {
                whole = format!("{whole} {next}");
                taken += 1;
            }
            _ => return parse(&whole, taken),
        }
    }
}

/// True when the second line holds nothing but the groups that the first began.
fn is_rest(first: &str, second: &str) -> bool {
    let joined = format!("{} {second}", first.rsplit_once(['%', ')']).map_or("", |(_, tail)| tail));
    let mut end = 0;
    for found in GROUP.find_iter(&joined) {
        if !joined[end..found.start()].trim_matches([' ', '*', ')']).is_empty() {
            return false;
        }
        end = found.end();
    }
    end > 0 && !second.starts_with(char::is_alphabetic) && joined[end..].trim().is_empty()
}

fn parse(text: &str, taken: usize) -> Option<Cut> {
    let mut groups = Vec::new();
    let mut values = Vec::new();
    for c in GROUP.captures_iter(text) {
        let whole = c.get(0)?;
        if let Some(&(_, end)) = groups.last()
            && !text[end..whole.start()].trim().is_empty()
        {
            return None;
        }
        let gain = c.get(2).or(c.get(3))?.as_str();
        values.push((printed(&c[1])?.value, printed(gain).map(|p| p.value)));
        groups.push((whole.start(), whole.end()));
    }
    let (first, last) = (groups.first()?, groups.last()?);
    let label = text[..first.0].split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = (2..=WIDEST).contains(&values.len())
        && !text[last.1..].contains(|c: char| c.is_ascii_digit() || matches!(c, '%' | '(' | '*'))
        && label.starts_with(char::is_alphanumeric)
        && label.chars().any(char::is_alphabetic)
        && label.len() <= 80;
    let label_end = text[..first.0].trim_end().len();
    fits.then_some(Cut { label, label_end, groups, values, taken })
}

/// Tabs as blanks, so that columns can be compared by position.
fn expand(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut column = 0;
    for c in text.chars() {
        if c == '\t' {
            let width = 8 - column % 8;
            out.extend(std::iter::repeat_n(' ', width));
            column += width;
        } else {
            out.push(c);
            column += 1;
        }
    }
    out
}

/// The kernels' names: one or two lines above the first row, a word over each column. Gives the lines that they took.
fn titles(
    lines: &[Line],
    at: usize,
    label_end: usize,
    groups: &[(usize, usize)],
) -> (Vec<String>, usize) {
    let mut names: Vec<Vec<String>> = Vec::new();
    let mut own_label = false;
    for line in lines[..at].iter().rev().take(2) {
        if line.is_blank() || line.depth != lines[at].depth {
            break;
        }
        let text = expand(&line.text);
        let words = words(&text);
        let Some(surplus) = words.len().checked_sub(groups.len()).filter(|s| *s <= 1) else {
            break;
        };
        let over = words[surplus..].iter().zip(groups).all(|(&(start, word), &(low, high))| {
            let middle = start + word.len() / 2;
            middle + 8 >= low && middle <= high + 8
        });
        let beside = surplus == 0 || words[0].0 <= label_end;
        if !over || !beside {
            break;
        }
        own_label |= surplus == 1;
        names.push(words[surplus..].iter().map(|(_, w)| (*w).to_owned()).collect());
    }
    let taken = names.len();
    let Some(mut labels) = names.pop() else {
        return (Vec::new(), 0);
    };
    // The tool splits a name at its first dash; titles that a person set have a label of their own in front.
    let joint = if own_label { " " } else { "-" };
    for below in names {
        for (label, word) in labels.iter_mut().zip(below) {
            *label = format!("{label}{joint}{word}");
        }
    }
    labels.iter_mut().for_each(|l| l.truncate(l.floor_char_boundary(80)));
    (labels, taken)
}

fn words(text: &str) -> Vec<(usize, &str)> {
    let start = text.as_ptr() as usize;
    text.split_whitespace().map(|w| (w.as_ptr() as usize - start, w)).collect()
}

/// The benchmark that the words above the table name, when they name a single one.
fn test(lines: &[Line], at: usize) -> Option<String> {
    let depth = lines[at].depth;
    let mut found: Option<&str> = None;
    for line in lines[at.saturating_sub(ABOVE)..at].iter().filter(|l| l.depth == depth) {
        let words = line.text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_');
        for word in words {
            let known = BENCHMARKS.iter().find(|b| {
                word.strip_prefix(**b).is_some_and(|r| r.bytes().all(|c| c.is_ascii_digit()))
            });
            match (known, found) {
                (Some(known), None) => found = Some(known),
                (Some(known), Some(other)) if *known != other => return None,
                _ => {}
            }
        }
    }
    found.map(str::to_owned)
}

/// The line right above the titles.
fn caption(lines: &[Line], at: usize) -> Option<String> {
    let above = lines[..at].last().filter(|l| l.depth == lines[at].depth)?;
    let text = above.trim();
    let fits = text.len() <= 80
        && text.starts_with(char::is_alphabetic)
        && !text.ends_with([':', '.', ','])
        && !text.contains('%');
    fits.then(|| text.to_owned())
}
