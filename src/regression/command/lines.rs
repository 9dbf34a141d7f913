//! Finding command lines among an author's words.

use super::Marker;
use crate::mail::{BlockKind, Message};

/// A command line, unfolded, with the rest of its marker's line and what may follow it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub marker: Marker,
    /// What follows the marker, on one line.
    pub rest: String,
    /// The lines below it that are no commands, up to the next empty one: a value may stand there.
    pub below: Vec<String>,
    /// The next lines behind that empty one: only what cannot be anything else is looked for there.
    pub further: Vec<String>,
    pub at: Option<usize>,
}

impl Line {
    /// A command with nothing below it.
    pub(super) fn alone(marker: Marker, rest: &str) -> Self {
        let (below, further) = (Vec::new(), Vec::new());
        Self { marker, rest: rest.to_owned(), below, further, at: None }
    }
}

/// Lines of a value that are joined.
const FOLDS: usize = 6;

/// Command lines of a mail that are looked at. No person writes so many, templates included.
pub(super) const MOST: usize = 200;

/// The command lines of a mail, its subject included; one more than [`MOST`] at most.
pub(super) fn lines(message: &Message) -> Vec<Line> {
    let mut found = Vec::new();
    if let Some((marker, rest)) = marker_of(&message.subject) {
        found.push(Line::alone(marker, rest));
    }
    let mut fenced = false;
    for block in message.blocks_of(BlockKind::New) {
        let body: Vec<&str> = message.text(block).lines().collect();
        let mut at = 0;
        while at < body.len() && found.len() <= MOST {
            fenced ^= body[at].trim_start().starts_with("```");
            let Some((marker, rest)) = marker_of(body[at]).filter(|_| !fenced) else {
                at += 1;
                continue;
            };
            let end = (at + 1..body.len()).find(|&n| ends_value(body[n])).unwrap_or(body.len());
            let below: Vec<String> =
                body[at + 1..end].iter().take(FOLDS).map(|l| (*l).to_owned()).collect();
            let commands = |l: &&&str| marker_of(l).is_none();
            let further: Vec<String> = body[end..]
                .iter()
                .take_while(commands)
                .filter(|l| !l.trim().is_empty())
                .take(2)
                .map(|l| (*l).to_owned())
                .collect();
            let pieces = parted(rest);
            let last = pieces.len() - 1;
            for (number, piece) in pieces.into_iter().enumerate().take(MOST + 1) {
                let (marker, rest) =
                    marker_of(&piece).map_or((marker, piece.as_str()), |(m, r)| (m, r));
                let place = Some(block.lines.start + at);
                let mut line = Line { at: place, ..Line::alone(marker, rest) };
                if number == last {
                    line.below.clone_from(&below);
                    line.further.clone_from(&further);
                }
                found.push(line);
            }
            at += 1;
        }
    }
    found
}

fn ends_value(line: &str) -> bool {
    line.trim().is_empty() || marker_of(line).is_some()
}

/// The marker of a line and what follows it. Up to three blanks may stand in front; more make it code.
pub(super) fn marker_of(line: &str) -> Option<(Marker, &str)> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let text = line.trim_start_matches(' ');
    if indent > 3 || !text.starts_with('#') {
        return None;
    }
    let markers = [
        ("#regzbot", Marker::Regzbot),
        ("#regard", Marker::Regard),
        ("#syzbot", Marker::Syz),
        ("#syz", Marker::Syz),
    ];
    for (name, marker) in markers {
        let Some(head) = text.get(..name.len()) else { continue };
        if !head.eq_ignore_ascii_case(name) {
            continue;
        }
        let rest = &text[name.len()..];
        // A blank, a colon or a dash parts the marker from its verb; anything else makes another word of it.
        let parted = rest.is_empty() || rest.starts_with([' ', '\t', ':', '-', ',', '!', '.']);
        return parted
            .then(|| (marker, rest.trim_start_matches([':', '-', ',', '!', '.', ' ', '\t'])));
    }
    None
}

/// Several commands on one line, joined by `;`: each with its own marker.
fn parted(rest: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for piece in rest.split_inclusive(';') {
        let starts = marker_of(piece.trim_start()).is_some();
        if starts && !pieces.last().is_some_and(String::is_empty) {
            if let Some(last) = pieces.last_mut() {
                let end = last.trim_end().trim_end_matches(';').trim_end().len();
                last.truncate(end);
            }
            pieces.push(String::new());
        }
        if let Some(last) = pieces.last_mut() {
            last.push_str(piece);
        }
    }
    pieces.into_iter().map(|p| p.trim().trim_end_matches(';').trim().to_owned()).collect()
}
