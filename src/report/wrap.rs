//! Breaking lines. Words stay whole where they can.

/// Breaks `text` at blanks into lines of at most `width` columns, further lines behind `indent`. A word that is too long for a
/// line is broken, except an address (`https://...`, `<id@host>`), which stands alone on its line whatever its length.
///
/// Blanks inside a line are kept as they are; the result has at least one line.
pub fn wrap(text: &str, width: usize, indent: &str) -> Vec<String> {
    broken(text, width, indent, is_address)
}

/// As [`wrap`], but no line is wider, whatever stands in it: for cells of a box.
pub fn wrap_cell(text: &str, width: usize) -> Vec<String> {
    broken(text, width, "", |_| false)
}

fn broken(text: &str, width: usize, indent: &str, whole: fn(&str) -> bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut blank = true;
    for piece in text.split_inclusive(' ') {
        let word = piece.trim_end_matches(' ');
        if !blank && columns(&line) + columns(word) > width {
            lines.push(line.trim_end().to_owned());
            line = indent.to_owned();
            blank = true;
        }
        let mut rest = word;
        while !rest.is_empty() && !whole(rest) && columns(&line) + columns(rest) > width {
            let room = width.saturating_sub(columns(&line)).max(1);
            let (part, left) = split_at_column(rest, room);
            lines.push(format!("{line}{part}"));
            line = indent.to_owned();
            rest = left;
        }
        line += rest;
        let room = width.saturating_sub(columns(&line));
        line.extend(std::iter::repeat_n(' ', (piece.len() - word.len()).min(room)));
        blank = blank && word.is_empty();
    }
    lines.push(line.trim_end().to_owned());
    lines
}

/// Columns of a text on a terminal.
pub fn columns(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// `https://...` or `<id@host>`: of no use when it is broken.
pub fn is_address(word: &str) -> bool {
    let url = word.split_once("://").is_some_and(|(scheme, rest)| {
        !rest.is_empty() && !scheme.is_empty() && scheme.bytes().all(|b| b.is_ascii_alphabetic())
    });
    let id = word.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    url || id.is_some_and(|id| id.contains('@') && !id.contains(['<', '>']))
}

fn split_at_column(text: &str, width: usize) -> (&str, &str) {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
        if used > width && at > 0 {
            return text.split_at(at);
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole() {
        assert_eq!(wrap("one two three", 8, "  "), ["one two", "  three"]);
        assert_eq!(wrap("", 8, ""), [""]);
        assert_eq!(wrap("  kept  blanks", 20, ""), ["  kept  blanks"]);
        assert_eq!(wrap(&format!("a{}b", " ".repeat(50)), 8, ""), ["a", "b"]);
        assert_eq!(wrap("abcdefghij", 4, ""), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("ab abcdefgh", 5, " "), ["ab", " abcd", " efgh"]);
        assert_eq!(
            wrap("see https://example.org/long now", 10, ""),
            ["see", "https://example.org/long", "now"]
        );
        assert_eq!(wrap("\u{754c}\u{754c}\u{754c}", 4, ""), ["\u{754c}\u{754c}", "\u{754c}"]);
    }

    #[test]
    fn it_ends_on_any_input() {
        for width in 0..4 {
            for text in ["   ", "\u{754c}", "a  b", "\u{301}\u{301}", "<a@b> x"] {
                assert!(!wrap(text, width, "  ").is_empty());
            }
        }
    }
}
