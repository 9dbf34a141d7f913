//! Text that may stand in a mail: one line, no controls, and pure ASCII where that is asked for.

/// One line without controls and bidirectional marks; blanks at its ends go.
pub fn one_line(text: &str) -> String {
    let clean: String =
        text.chars().map(|c| if c.is_control() || separator(c) { ' ' } else { c }).collect();
    let clean: String = clean.chars().filter(|c| !invisible(*c)).collect();
    clean.trim().to_owned()
}

/// ASCII that reads like the text: accents go, other scripts are transliterated (`J\u{f6}rg` is `Jorg`, `\u{b5}s` is `us`).
pub fn ascii(text: &str) -> String {
    if text.is_ascii() { text.to_owned() } else { any_ascii::any_ascii(text) }
}

/// Line and paragraph separators, which some readers break lines at.
fn separator(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// Zero-width and direction marks: they make a name look like another one.
fn invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_units() {
        assert_eq!(ascii("J\u{f6}rg M\u{fc}ller"), "Jorg Muller");
        assert_eq!(ascii("\u{b5}s"), "us");
        assert_eq!(ascii("\u{b1}2%"), "+-2%");
        assert!(ascii("\u{738b}\u{1f600}\u{0}").is_ascii());
        assert_eq!(one_line(" a\nb\u{202e}c\u{2028}\r"), "a bc");
    }
}
