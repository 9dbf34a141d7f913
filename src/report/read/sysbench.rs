//! Output of `sysbench`: one block a run. Two runs are compared when the mail says which is which.

use std::sync::LazyLock;

use regex::Regex;

use super::foreign::Run;
use super::line::Line;
use super::number::printed;
use super::pattern;
use super::scan::Scan;

/// Lines that begin a block.
static START: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:sysbench \d+\.\d|Running the test with following options:|SQL statistics:|CPU speed:|General statistics:|File operations:|Total operations: )",
    )
});
/// Lines that a block is made of.
static PART: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^[A-Za-z0-9][\w /,()%.-]{0,60}(?::\s.*|:)$|^Running the test|^Prime numbers limit|^Initializing|^Threads started|^\d+(?:\.\d+)? MiB transferred|^-{4,}",
    )
});
/// `transactions: 1000 (99.87 per sec.)`.
static RATE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(transactions|queries|read/write requests):\s+\d+\s+\(([\d.]+) per sec\.\)$")
});
static PLAIN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(events per second|avg|95th percentile|99th percentile|reads/s|writes/s|fsyncs/s|read, MiB/s|written, MiB/s):\s+([\d.]+)$",
    )
});
/// A block longer than this is cut off.
const LONGEST: usize = 80;

/// Reads one block; the comparison follows when all of them are found.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let line = &lines[at];
    if !START.is_match(line.trim()) {
        return None;
    }
    let mut values: Vec<(String, f64, Option<f64>)> = Vec::new();
    let mut heads: Vec<&str> = Vec::new();
    let mut end = at;
    while let Some(line) =
        lines.get(end).filter(|l| end < at + LONGEST && l.depth == lines[at].depth)
    {
        let text = line.trim();
        let repeated = heads.contains(&text) || end > at && text.starts_with("sysbench ");
        if START.is_match(text) {
            heads.push(text);
        }
        if !text.is_empty() && (!PART.is_match(text) && !START.is_match(text) || repeated) {
            break;
        }
        // A last line without its end may be cut within the number.
        if let Some((metric, value)) = value(text).filter(|_| end + 1 < lines.len()) {
            if values.iter().any(|(m, ..)| *m == metric) {
                break;
            }
            values.push((metric, value, None));
        }
        end += 1;
    }
    if values.is_empty() {
        return None;
    }
    // The title of the next run may look like a part of this one.
    while end > at && !ends_block(lines[end - 1].trim()) {
        end -= 1;
    }
    let label = label(lines, at);
    let (depth, number) = (line.depth, line.number);
    scan.runs.push(Run { source: "sysbench", label, values, depth, number });
    Some((end - at).max(1))
}

fn value(text: &str) -> Option<(String, f64)> {
    if let Some(c) = RATE.captures(text) {
        return Some((
            format!("sysbench.{}_per_second", c[1].replace('/', "_")),
            printed(&c[2])?.value,
        ));
    }
    let c = PLAIN.captures(text)?;
    let name = match &c[1] {
        "events per second" => "events_per_second",
        "avg" => "latency_avg_ms",
        "95th percentile" => "latency_95th_ms",
        "99th percentile" => "latency_99th_ms",
        "reads/s" => "reads_per_second",
        "writes/s" => "writes_per_second",
        "fsyncs/s" => "fsyncs_per_second",
        "read, MiB/s" => "read_mib_per_second",
        _ => "written_mib_per_second",
    };
    Some((format!("sysbench.{name}"), printed(&c[2])?.value))
}

/// The last line that only sysbench prints.
fn ends_block(text: &str) -> bool {
    text.split_once(':')
        .is_some_and(|(_, value)| value.trim().starts_with(|c: char| c.is_ascii_digit()))
}

/// The words above the block, where they end in a colon.
fn label(lines: &[Line], at: usize) -> Option<String> {
    let above = lines[..at].iter().rev().take(3).find(|l| !l.is_blank())?;
    let text = above.trim().strip_suffix(':')?.trim();
    let own = START.is_match(above.trim());
    (above.depth == lines[at].depth && !own && !text.is_empty() && text.len() <= 80)
        .then(|| text.to_owned())
}
