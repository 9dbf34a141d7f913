//! Words that a pattern asks for, and what it asks for around them.

use std::ops::Range;

/// Letters that a question mark is worth.
const ASKED: usize = 6;
/// Letters that it is worth to know where a literal stands.
const PLACED: usize = 4;

/// Words that one in twenty sentences holds, or more, and those that are spelled out to them.
const COMMON: &[&str] = &[
    "the", "a", "it", "in", "to", "and", "of", "i", "is", "that", "for", "with", "on", "one",
    "this", "you", "be", "as", "so", "at", "by", "was", "from", "NOT", "NO", "not", "no", "have",
    "we", "has", "my", "what", "are", "do", "does", "would", "<num>",
];

/// Words that a text holds, and where they stand in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Literal {
    pub text: String,
    /// What is in front of them and behind them.
    pub edges: [Edge; 2],
}

/// What a pattern asks for in front of its words or behind them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Edge {
    /// Nothing.
    Any,
    /// Not within an ASCII word.
    Word,
    /// A blank.
    Blank,
    /// The text begins there.
    Start,
    /// The text ends there.
    End,
}

impl Edge {
    /// Whether it is so at this offset, where a literal begins or ends that has no blank there itself.
    pub(super) fn stands(self, text: &str, at: usize) -> bool {
        Edges::at(text, at).hold(Edges(self.bit()))
    }

    /// [`Edges`] at one end of a literal.
    fn bit(self) -> u8 {
        match self {
            Edge::Any => 0,
            Edge::Word => 1,
            Edge::Blank => 2,
            Edge::Start => 4,
            Edge::End => 8,
        }
    }

    /// What tells more of two at one place.
    pub(super) fn or(self, other: Edge) -> Edge {
        if matches!(self, Edge::Any | Edge::Word) && other != Edge::Any { other } else { self }
    }

    /// Whether [`Edge::or`] says all that the two say: a text begins and ends at the edge of a word.
    pub(super) fn goes_with(self, other: Edge) -> bool {
        self == other || [self, other].iter().any(|edge| matches!(edge, Edge::Any | Edge::Word))
    }
}

/// Whether a byte belongs to an ASCII word.
fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

/// What stands at both ends of a literal, or is asked for there: a bit for each [`Edge`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Edges(u8);

impl Edges {
    /// Where a literal stands in a text.
    pub(super) fn around(text: &str, literal: Range<usize>) -> Self {
        Self(Self::at(text, literal.start).0 | Self::at(text, literal.end).0 << 4)
    }

    /// What a literal asks for.
    pub(super) fn of([left, right]: [Edge; 2]) -> Self {
        Self(left.bit() | right.bit() << 4)
    }

    /// Whether all of these are there.
    pub(super) fn hold(self, wanted: Edges) -> bool {
        self.0 & wanted.0 == wanted.0
    }

    /// At one place.
    fn at(text: &str, at: usize) -> Self {
        let bytes = text.as_bytes();
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        let behind = bytes.get(at);
        let within = before.is_some_and(is_word) && behind.is_some_and(is_word);
        let blank = before == Some(&b' ') || behind == Some(&b' ');
        let all = [
            (Edge::Word, !within),
            (Edge::Blank, blank),
            (Edge::Start, before.is_none()),
            (Edge::End, behind.is_none()),
        ];
        Self(all.iter().map(|(edge, holds)| edge.bit() * u8::from(*holds)).sum())
    }
}

impl Literal {
    /// A blank at its edge is no part of it: "the", "the " and " the" are searched for as one.
    pub(super) fn new(mut text: &str, [mut left, mut right]: [Edge; 2]) -> Self {
        if left == Edge::Any
            && let Some(rest) =
                text.strip_prefix(' ').filter(|rest| !rest.is_empty() && !rest.starts_with(' '))
        {
            (text, left) = (rest, Edge::Blank);
        }
        if right == Edge::Any
            && let Some(rest) =
                text.strip_suffix(' ').filter(|rest| !rest.is_empty() && !rest.ends_with(' '))
        {
            (text, right) = (rest, Edge::Blank);
        }
        Self { text: text.to_owned(), edges: [left, right] }
    }

    /// How much it tells that a text holds it, in letters. That somebody asks tells more than one letter does.
    pub(super) fn tells(&self) -> usize {
        let edge = |edge: Edge| match edge {
            Edge::Any => 0,
            Edge::Word | Edge::Blank => 1,
            Edge::Start | Edge::End => PLACED,
        };
        let word = |word: &str| match word {
            "?" => ASKED,
            word if COMMON.contains(&word) => 1,
            word => word.len(),
        };
        let letters = self.text.trim().split(' ').map(word).sum::<usize>();
        letters + edge(self.edges[0]) + edge(self.edges[1])
    }

    /// Whether it tells anything: a letter is everywhere.
    pub(super) fn counts(&self) -> bool {
        self.text.trim().len() >= 2 || self.tells() > PLACED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_those_of_ascii_words() {
        let stands = |at| Edge::Word.stands("a b\u{e9}c_", at);
        let all: Vec<usize> = (0..=7).filter(|&at| stands(at)).collect();
        assert_eq!(all, [0, 1, 2, 3, 4, 5, 7]);
        assert!(
            Edge::Start.stands("a", 0) && !Edge::End.stands("a", 0) && Edge::Any.stands("a", 1)
        );
        let blanks: Vec<usize> = (0..=4).filter(|&at| Edge::Blank.stands("a bc", at)).collect();
        assert_eq!(blanks, [1, 2], "behind the a and in front of the b");
    }

    #[test]
    fn blanks_are_edges() {
        let spelled = |text| {
            let Literal { text, edges } = Literal::new(text, [Edge::Any; 2]);
            (text, edges)
        };
        assert_eq!(spelled(" the "), ("the".to_owned(), [Edge::Blank; 2]));
        assert_eq!(spelled("by the "), ("by the".to_owned(), [Edge::Any, Edge::Blank]));
        assert_eq!(spelled(" "), (" ".to_owned(), [Edge::Any; 2]), "nothing would be left");
        assert_eq!(spelled("  a").1, [Edge::Any; 2], "two blanks are something else");
        let word = Literal::new(" a", [Edge::Word, Edge::Any]);
        assert_eq!(word.text, " a", "there is an edge already");
    }
}
