//! Test, machine and parameters, in the layout until 2023 (`in testcase:`) and since (`testcase:`).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::line::Line;
use super::pattern;
use super::scan::{Fact, Scan};

/// `nr_task: 100%`.
static PARAMETER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^([A-Za-z0-9_][\w.+\-]*):(?:\s+(.*))?$"));

/// Keys that stand near the parameters and are none.
const OTHERS: [&str; 20] = [
    "test-description",
    "test-url",
    "config",
    "compiler",
    "version",
    "testcase",
    "commit",
    "url",
    "base",
    "Reported-by",
    "Closes",
    "Link",
    "Cc",
    "Fixes",
    "From",
    "To",
    "Subject",
    "Date",
    "kernel",
    "repro",
];

/// Reads one such line, or the block of parameters.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let line = &lines[at];
    let text = line.trim();
    let (key, value) = text.split_once(':')?;
    let value = value.trim();
    match key {
        "in testcase" if !value.is_empty() && value.len() <= 128 => {
            scan.push(line, Fact::Testcase(value.to_owned()));
            Some(1)
        }
        "testcase" if is_word(value) => {
            scan.push(line, Fact::Testcase(value.to_owned()));
            Some(1)
        }
        "test case" => {
            // 2014: machine/test/parameters.
            let (machine, rest) = value.split_once('/')?;
            let rest = rest.strip_prefix("micro/").unwrap_or(rest);
            let (test, _) = rest.split_once('/')?;
            if !is_word(value) {
                return None;
            }
            scan.push(line, Fact::Machine(machine.to_owned()));
            scan.push(line, Fact::Testcase(test.to_owned()));
            Some(1)
        }
        "on test machine" | "test machine" if !value.is_empty() => {
            let mut machine = value.to_owned();
            let mut taken = 1;
            while let Some(more) = lines
                .get(at + taken)
                .filter(|l| taken < 4 && l.depth <= line.depth && continues(&machine, l))
            {
                machine = format!("{machine} {}", more.trim());
                taken += 1;
            }
            scan.push(line, Fact::Machine(machine));
            Some(taken)
        }
        "with following parameters" | "parameters" => {
            let (parameters, taken) = parameters(lines, at, value);
            if !parameters.is_empty() {
                scan.push(line, Fact::Parameters(parameters));
            }
            Some(taken)
        }
        _ => None,
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.len() <= 128 && !text.contains(char::is_whitespace)
}

/// The rest of a machine: ours is indented, a mail program breaks before the memory.
fn continues(first: &str, line: &Line) -> bool {
    let text = line.trim();
    let known = text.split_once(':').is_some_and(|(key, _)| is_key(key));
    if text.is_empty() || known {
        return false;
    }
    line.text.starts_with("        ")
        || !first.ends_with("memory") && (text.ends_with("memory") || first.ends_with('@'))
}

/// A key that may stand below a machine.
fn is_key(key: &str) -> bool {
    OTHERS.contains(&key) || key.ends_with("parameters") || key.contains("machine")
}

fn parameters(lines: &[Line], at: usize, value: &str) -> (BTreeMap<String, String>, usize) {
    if !value.is_empty() {
        // A last line without its end may be cut within the value.
        let whole = at + 1 < lines.len();
        return (if whole { inline(value) } else { BTreeMap::new() }, 1);
    }
    let mut found = BTreeMap::new();
    let mut end = at + 1;
    let mut blanks = 0;
    while let Some(line) = lines.get(end).filter(|l| l.depth == lines[at].depth) {
        let text = line.trim();
        if text.is_empty() {
            blanks += 1;
            // One blank line stands above the block; archives that double line ends make three of it.
            if blanks > 3 || !found.is_empty() && blanks > 1 {
                break;
            }
        } else if let Some(c) = PARAMETER
            .captures(text)
            // A last line without its end may be cut within the value.
            .filter(|c| !OTHERS.contains(&&c[1]) && end + 1 < lines.len())
        {
            found.insert(c[1].to_owned(), c.get(2).map_or("", |v| v.as_str()).to_owned());
            blanks = 0;
        } else {
            break;
        }
        end += 1;
    }
    let taken = if found.is_empty() { 1 } else { end - at };
    (found, taken)
}

/// `a: 1 b: 2` of a filled line, or `a=1/b=2` of 2016.
fn inline(text: &str) -> BTreeMap<String, String> {
    let mut found: Vec<(String, String)> = Vec::new();
    if is_word(text) && text.contains('=') {
        for part in text.split('/') {
            match (part.split_once('='), found.last_mut()) {
                (Some((name, value)), _) => found.push((name.to_owned(), value.to_owned())),
                (None, Some((_, value))) => *value = format!("{value}/{part}"),
                (None, None) => {}
            }
        }
        return found.into_iter().collect();
    }
    for word in text.split_whitespace() {
        match (word.strip_suffix(':').filter(|_| PARAMETER.is_match(word)), found.last_mut()) {
            (Some(name), _) => found.push((name.to_owned(), String::new())),
            (None, Some((_, value))) if value.is_empty() => word.clone_into(value),
            (None, Some((_, value))) => {
                value.push(' ');
                value.push_str(word);
            }
            (None, None) => {}
        }
    }
    found.into_iter().collect()
}
