//! The last look at a text before it becomes a mail.

use crate::report::wrap::{columns, is_address, wrap};

/// Columns of a line.
pub const WIDTH: usize = 100;

/// Bytes of a whole text: lists hold or refuse larger ones.
pub const MOST_BYTES: usize = 40_000;

/// No trailing blanks (but in `-- `), no two empty lines in a row, none at the ends, no line that a mailbox would take for the
/// start of the next mail, no line wider than [`WIDTH`] except commands and addresses, which break when they are broken.
pub(super) fn finish(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut empty = true;
    for line in text.lines() {
        let line = if line == "-- " { line } else { line.trim_end() };
        if line.is_empty() {
            empty = true;
            continue;
        }
        if empty && !out.is_empty() {
            out.push('\n');
        }
        empty = false;
        for line in narrow(line) {
            // Blanks that `keep` protected.
            let line = line.replace('\u{a0}', " ");
            if line.starts_with("From ") {
                out.push(' ');
            }
            out += &line;
            out.push('\n');
        }
    }
    out
}

fn narrow(line: &str) -> Vec<String> {
    let command = line.starts_with("        ");
    let tag = line.starts_with("| ") && line.split(' ').any(is_address);
    if columns(line) <= WIDTH || command || tag {
        return vec![line.to_owned()];
    }
    let quote: String = line.chars().take_while(|c| matches!(c, '>' | '|' | ' ')).take(8).collect();
    wrap(line, WIDTH, &quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_safe_to_mail() {
        let text = "\n\nFrom here  \n\n\n\nto there\n-- \nbot\n";
        assert_eq!(finish(text), " From here\n\nto there\n-- \nbot\n");
    }

    #[test]
    fn wide_lines_are_broken_unless_that_would_break_them() {
        let long = "word ".repeat(40);
        assert!(finish(&long).lines().all(|l| l.len() <= WIDTH));
        assert!(finish(&format!("> {long}")).lines().all(|l| l.starts_with("> ")));
        let url = format!("https://example.org/{}", "x".repeat(120));
        assert_eq!(finish(&url).lines().count(), 1);
        assert_eq!(finish(&format!("        {long}")).lines().count(), 1);
    }
}
