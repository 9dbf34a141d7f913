//! One line of a mail body, without its quote marks.

use std::borrow::Cow;

/// A line as the readers see it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line<'a> {
    /// Levels of quoting in front of it; 0 is the author's own text.
    pub(super) depth: usize,
    /// Without quote marks and odd blanks.
    pub(super) text: Cow<'a, str>,
    /// 1-based line of the body.
    pub(super) number: usize,
}

impl Line<'_> {
    /// Without outer blanks.
    pub(super) fn trim(&self) -> &str {
        self.text.trim()
    }

    /// Nothing but blanks.
    pub(super) fn is_blank(&self) -> bool {
        self.trim().is_empty()
    }
}

/// Depth of quoting and what stands behind the marks: `>>> > > text` gives 5. Blanks between the marks and initials
/// before them (`KS> text`) are marks too.
pub(super) fn unquote(text: &str) -> (usize, &str) {
    let bytes = text.as_bytes();
    let (mut depth, mut end) = (0, 0);
    loop {
        let mut at = end;
        while at < bytes.len() && at - end <= 4 && matches!(bytes[at], b' ' | b'\t') {
            at += 1;
        }
        let initials = bytes[at..].iter().take(4).take_while(|b| b.is_ascii_uppercase()).count();
        let mark = at + initials;
        if bytes.get(mark) != Some(&b'>') || (initials > 0 && at > end && depth == 0) {
            break;
        }
        depth += 1;
        end = mark + 1;
    }
    let rest = &text[end..];
    (depth, if depth > 0 { rest.strip_prefix(' ').unwrap_or(rest) } else { rest })
}

/// Odd blanks (no-break, ideographic, NEL, control characters) become plain ones, invisible characters go.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    let odd = |c: char| c != '\t' && c != ' ' && (c.is_whitespace() || c.is_control());
    let invisible = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}' | '\u{202a}'..='\u{202e}');
    if !text.chars().any(|c| odd(c) || invisible(c)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(
        text.chars().filter(|&c| !invisible(c)).map(|c| if odd(c) { ' ' } else { c }).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_every_style_are_counted() {
        for (text, depth, rest) in [
            ("plain", 0, "plain"),
            ("> one", 1, "one"),
            (">two >", 1, "two >"),
            (">>> > > five", 5, "five"),
            (" > > two", 2, "two"),
            ("> KS> initials", 2, "initials"),
            ("KS> initials", 1, "initials"),
            (">", 1, ""),
            (">      100 ±  2%", 1, "     100 ±  2%"),
            ("------>", 0, "------>"),
            ("", 0, ""),
            ("ü> no", 0, "ü> no"),
        ] {
            assert_eq!(unquote(text), (depth, rest), "{text:?}");
        }
    }

    #[test]
    fn odd_blanks_become_plain() {
        assert_eq!(clean("a\u{a0}b\u{85}c\u{3000}d\u{0}e"), "a b c d e");
        assert_eq!(clean("\u{feff}a\u{200b}b\tc"), "ab\tc");
        assert!(matches!(clean("untouched ± text"), Cow::Borrowed(_)));
    }
}
