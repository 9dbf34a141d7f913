//! The commands under "To reproduce:", or the address of the materials.

use super::line::Line;
use super::scan::{Fact, Scan};

/// A longer block is cut off.
const LONGEST: usize = 60;

/// Reads the block; gives the lines taken.
pub(super) fn read(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let text = lines[at].trim();
    if text.starts_with("The kernel config") && text.contains("materials to reproduce") {
        return materials(scan, lines, at);
    }
    let behind = text.strip_prefix("To reproduce:")?.trim();
    let mut commands: Vec<String> = Vec::new();
    let mut keep = |text: &str| {
        if !text.is_empty() && !text.starts_with('#') {
            commands.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    };
    keep(behind);
    let mut end = at + 1;
    while let Some(line) = lines.get(end).filter(|_| end < at + LONGEST) {
        if ends(line.trim()) || line.depth != lines[at].depth {
            break;
        }
        keep(line.trim());
        end += 1;
    }
    if !commands.is_empty() {
        scan.push(&lines[at], Fact::Reproduce(commands));
    }
    Some(end - at)
}

fn ends(text: &str) -> bool {
    let rule = |c: char| text.len() >= 5 && text.chars().all(|x| x == c);
    rule('=')
        || rule('*')
        || text.starts_with("-----")
        || [
            "Disclaimer",
            "Thanks",
            "Environment:",
            "-- ",
            "The kernel config",
            "testcase/",
            "commit:",
            "If you",
            "Details",
        ]
        .iter()
        .any(|e| text.starts_with(e))
        || text == "--"
        || text.starts_with("[ ")
        || text.contains("%stddev")
}

fn materials(scan: &mut Scan, lines: &[Line], at: usize) -> Option<usize> {
    let here = lines[at].trim().split_whitespace().find(|w| w.contains("://"));
    let next = lines[at + 1..].iter().take(2).find_map(|l| {
        let text = l.trim();
        (text.contains("://") && !text.contains(' ')).then_some(text)
    });
    let address = here.or(next)?.to_owned();
    let taken = if here.is_some() { 1 } else { 2 };
    scan.push(&lines[at], Fact::Reproduce(vec![address]));
    Some(taken)
}
