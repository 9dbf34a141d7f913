//! The lines of a body, told apart: own words, quotes, attributions, signatures, footers, history, patches, wrappers.
//!
//! One pass over the lines. The first byte of a line says which test is worth making, so most lines cost next to nothing.

mod attribution;
mod footer;
mod history;
mod patch;
mod quote;
mod signature;

use super::{Block, BlockKind};

/// Splits a body into blocks that cover every line in order. Empty lines belong to the block before them.
pub(super) fn split(body: &str) -> Vec<Block> {
    let lines = lines(body);
    let mut kinds: Vec<BlockKind> = vec![BlockKind::New; lines.len()];
    let diffs = patch::diffs(&lines);
    let mut at = 0;
    while at < lines.len() {
        at = step(&lines, &diffs, &mut kinds, at);
    }
    attribution::mark_lonely(&lines, &mut kinds);
    quote::mark_wrapped(&lines, &mut kinds);
    footer::mark_banner(&lines, &mut kinds);
    runs(body, &lines, &kinds)
}

/// As [`str::lines`], in large steps.
fn lines(body: &str) -> Vec<&str> {
    let mut lines = Vec::with_capacity(body.len() / SHORT);
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', body.as_bytes()) {
        let line = &body[start..end];
        lines.push(line.strip_suffix('\r').unwrap_or(line));
        start = end + 1;
    }
    lines.extend(Some(&body[start..]).filter(|rest| !rest.is_empty()));
    lines
}

/// Bytes that the lines of most mails have, or more.
const SHORT: usize = 32;

/// Decides on the line `at` and perhaps on some that follow. Gives the next undecided line.
fn step(lines: &[&str], diffs: &[usize], kinds: &mut [BlockKind], at: usize) -> usize {
    let line = lines[at];
    let first = line.trim_start().bytes().next().unwrap_or(b'\n');
    match first {
        b'\n' => return at + 1,
        b'>' | b'|' | b'A'..=b'Z' => {
            let depth = quote::depth(lines, at);
            if depth > 0 {
                kinds[at] = BlockKind::Quote(depth);
                if at > 0 && !matches!(kinds[at - 1], BlockKind::Quote(_)) {
                    attribution::mark_above(lines, kinds, at);
                }
                return at + 1;
            }
        }
        _ => {}
    }
    let mut fill = |end: usize, kind: BlockKind| {
        kinds[at..end].fill(kind);
        end
    };
    if line.starts_with("-----BEGIN PGP ") {
        return fill(wrapper_end(lines, at), BlockKind::Wrapper);
    }
    if let Some(end) = patch::end(lines, diffs, at, first) {
        return fill(end, BlockKind::Patch);
    }
    if history::starts(lines, at, first) {
        let end = footer::trailing(lines, at + 1).unwrap_or(lines.len());
        return fill(end, BlockKind::History);
    }
    if let Some(end) = footer::end(lines, at, first) {
        return fill(end, BlockKind::Footer);
    }
    if let Some(end) = signature::end(lines, at, first) {
        return fill(end, BlockKind::Signature);
    }
    at + 1
}

/// The armour lines of a clear-signed message, or a whole signature, key or encrypted block.
fn wrapper_end(lines: &[&str], at: usize) -> usize {
    if lines[at].starts_with("-----BEGIN PGP SIGNED MESSAGE") {
        let blank = lines.iter().skip(at + 1).take(6).position(|line| line.trim().is_empty());
        return blank.map_or(at + 1, |n| at + n + 2);
    }
    // Without its end it takes what looks like armour.
    let armour = |line: &&&str| {
        !line.contains(' ') || line.contains(": ") || line.starts_with("-----END PGP")
    };
    let inside = lines.iter().skip(at + 1).take_while(armour);
    match inside.clone().position(|line| line.starts_with("-----END PGP")) {
        Some(end) => at + end + 2,
        None => at + 1 + inside.take_while(|line| !line.starts_with("-----BEGIN")).count(),
    }
}

/// Joins lines of one kind into blocks; an empty line goes with the block before it.
fn runs(body: &str, lines: &[&str], kinds: &[BlockKind]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let start = |line: &&str| line.as_ptr() as usize - body.as_ptr() as usize;
    for (at, (line, &kind)) in lines.iter().zip(kinds).enumerate() {
        let bytes = start(line)..lines.get(at + 1).map_or(body.len(), start);
        let blank = kind == BlockKind::New && line.trim().is_empty();
        let same = |last: &Block| match (last.kind, kind) {
            (BlockKind::Quote(_), BlockKind::Quote(_)) => true,
            (a, b) => a == b,
        };
        match blocks.last_mut() {
            Some(last) if blank || same(last) => {
                (last.lines.end, last.bytes.end) = (at + 1, bytes.end);
            }
            _ => blocks.push(Block { kind, lines: at..at + 1, bytes }),
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    #[test]
    fn lines_are_those_of_the_standard_library() {
        for text in ["", "\n", "a", "a\n", "a\n\nb", "a\r\nb\r", "\r\n\n", "\u{e9}\n\u{e9}"] {
            assert_eq!(super::lines(text), text.lines().collect::<Vec<_>>(), "{text:?}");
        }
    }
}
