//! A mail body as lines: decoded, unquoted, one line a line again.

use std::borrow::Cow;

use super::history;
use super::line::{Line, clean, unquote};
use super::repair;
use super::unroll;

/// The lines of a body in any state of quoting.
pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    let encoded = repair::is_encoded(text);
    let mut lines: Vec<Line> = Vec::new();
    let mut raw = text.split('\n').flat_map(|l| l.strip_suffix('\r').unwrap_or(l).split('\r'));
    let mut number = 0;
    while let Some(first) = raw.next() {
        number += 1;
        let start = number;
        let mut whole = Cow::Borrowed(first);
        if encoded {
            whole = Cow::Owned(joined(first, &mut raw, &mut number));
        }
        lines.push(match whole {
            Cow::Borrowed(whole) => {
                let (depth, rest) = unquote(whole);
                Line { depth, text: clean(rest), number: start }
            }
            Cow::Owned(whole) => {
                let (depth, rest) = unquote(&whole);
                Line { depth, text: Cow::Owned(clean(rest).into_owned()), number: start }
            }
        });
    }
    history::deepen(&mut lines);
    unroll::unroll(lines)
}

/// An encoded line with its soft-broken continuations; each of them may stand behind the same quote marks.
fn joined<'a>(first: &str, raw: &mut impl Iterator<Item = &'a str>, number: &mut usize) -> String {
    let mut whole = first.to_owned();
    let depth = unquote(first).0;
    while repair::is_soft_break(&whole) {
        let Some(next) = raw.next() else { break };
        *number += 1;
        let end = whole.trim_end().len() - 1;
        whole.truncate(end);
        let (next_depth, rest) = unquote(next);
        whole.push_str(if next_depth == depth { rest } else { next });
    }
    repair::decode(&whole)
}
