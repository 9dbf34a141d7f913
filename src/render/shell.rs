//! Commands in a mail: narrow, and still the same commands when they are copied out of it.

use crate::report::wrap::columns;

/// A line that no terminal takes as one: left out, with a note.
const MOST: usize = 900;

/// Breaks a command at unquoted blanks with a backslash. What cannot be broken without changing it stays long.
pub(super) fn fold(command: &str, width: usize) -> Vec<String> {
    if command.len() > MOST {
        return vec![format!(
            "# (a command of {} characters was left out)",
            command.chars().count()
        )];
    }
    if command.starts_with('#') {
        return crate::report::wrap::wrap(command, width, "# ");
    }
    if columns(command) <= width || command.contains("<<") {
        return vec![command.to_owned()];
    }
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in words(command) {
        // Two columns for the backslash.
        if !line.trim().is_empty() && columns(&line) + columns(word.trim_end()) + 2 > width {
            lines.push(format!("{} \\", line.trim_end()));
            line = "  ".to_owned();
        }
        line += word;
    }
    lines.push(line.trim_end().to_owned());
    lines
}

/// Words with the blanks behind them. Quoted blanks do not part words, and a comment is one word.
fn words(command: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut quote, mut escaped, mut previous) = (0, None, false, ' ');
    for (at, c) in command.char_indices() {
        let plain = !escaped && quote.is_none();
        if escaped {
            escaped = false;
        } else {
            if quote.is_none() && c != ' ' && previous == ' ' && at > start {
                words.push(&command[start..at]);
                start = at;
            }
            match (quote, c) {
                (None, '#') if previous == ' ' => break,
                (None | Some('"'), '\\') => escaped = true,
                (None, '\'' | '"') => quote = Some(c),
                (Some(q), _) if q == c => quote = None,
                _ => {}
            }
        }
        previous = if plain { c } else { 'x' };
    }
    words.push(&command[start..]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_stay_the_same_commands() {
        let cases: [(&str, &[&str]); 6] = [
            ("make -j8", &["make -j8"]),
            (
                "fio --name=a --rw=randread --bs=4k",
                &["fio --name=a \\", "  --rw=randread \\", "  --bs=4k"],
            ),
            (
                "sh -c 'one two three four five six'",
                &["sh -c \\", "  'one two three four five six'"],
            ),
            (
                "echo a\\ b\\ c\\ d\\ e\\ f\\ g\\ h\\ i",
                &["echo \\", "  a\\ b\\ c\\ d\\ e\\ f\\ g\\ h\\ i"],
            ),
            (
                "true # a comment must not be broken",
                &["true \\", "  # a comment must not be broken"],
            ),
            ("cat <<EOF; that would be another text", &["cat <<EOF; that would be another text"]),
        ];
        for (command, expected) in cases {
            assert_eq!(fold(command, 20), expected, "{command}");
        }
    }

    #[test]
    fn odd_input_ends() {
        for text in ["'", "\\", "\"", "#", " # ", "\u{754c} '\u{754c}"] {
            assert!(!fold(&text.repeat(30), 10).is_empty());
        }
    }
}
