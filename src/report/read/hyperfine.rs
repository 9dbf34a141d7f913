//! Output of `hyperfine`: a command, its mean time and spread.

use std::sync::LazyLock;

use regex::Regex;

use super::foreign::Run;
use super::line::Line;
use super::number::scaled;
use super::pattern;
use super::scan::Scan;

static COMMAND: LazyLock<Regex> = LazyLock::new(|| pattern(r"^Benchmark #?\d+: (\S.*)$"));
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^Time \(mean .{1,8}\):\s+([\d.]+) (s|ms|µs|us)\s+[^\w\s.]{1,4}\s*([\d.]+) (s|ms|µs|us)(?:\s|$)",
    )
});
/// Name of the row, in seconds.
const METRIC: &str = "time.mean.seconds";

/// Reads one benchmark; the comparison follows when all of them are found.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let line = &lines[at];
    let command = COMMAND.captures(line.trim())?[1].to_owned();
    let behind = lines[at + 1..].iter().take(3).position(|l| TIME.is_match(l.trim()))?;
    let c = TIME.captures(lines[at + 1 + behind].trim())?;
    let mean = scaled(&c[1], exponent(&c[2])?)?;
    let spread = scaled(&c[3], exponent(&c[4])?)?;
    let percent = (mean > 0.0).then(|| (spread / mean * 1e4).round() / 100.0);
    scan.runs.push(Run {
        source: "hyperfine",
        label: Some(command),
        values: vec![(METRIC.to_owned(), mean, percent)],
        depth: line.depth,
        number: line.number,
    });
    Some(2 + behind)
}

/// Of seconds.
fn exponent(unit: &str) -> Option<i32> {
    Some(match unit {
        "s" => 0,
        "ms" => -3,
        "µs" | "us" => -6,
        _ => return None,
    })
}
