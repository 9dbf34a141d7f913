//! Quoted lines: `> `, `>> `, `> > `, `| `, `AB> `, and lines that a mailer broke off a quote.

use super::BlockKind;

/// How deep the line is quoted; 0 when it is not.
pub(super) fn depth(lines: &[&str], at: usize) -> u8 {
    let line = lines[at];
    let bytes = line.as_bytes();
    let indent = bytes.iter().take_while(|&&b| b == b' ').count();
    match bytes.get(indent) {
        Some(b'>') if indent <= 2 => {
            let alone =
                line.starts_with(">From ") && !is_marked(lines, at, -1) && !is_marked(lines, at, 1);
            if alone { 0 } else { marks(&bytes[indent..]) }
        }
        Some(b'|') if indent <= 1 && is_pipe_quote(&line[indent..]) => 1,
        Some(b'A'..=b'Z') if indent <= 1 && initials(line) => {
            let neighbour = |by: isize| near(lines, at, by).is_some_and(initials);
            u8::from(neighbour(-1) || neighbour(1))
        }
        _ => 0,
    }
}

fn near<'a>(lines: &[&'a str], at: usize, by: isize) -> Option<&'a str> {
    lines.get(at.checked_add_signed(by)?).copied()
}

fn is_marked(lines: &[&str], at: usize, by: isize) -> bool {
    near(lines, at, by).is_some_and(|line| line.starts_with('>') && !line.starts_with(">From "))
}

/// `>`, `>>`, `> >`, `>|`: one each, blanks between them allowed.
fn marks(bytes: &[u8]) -> u8 {
    let mut depth = 0u8;
    let mut blanks = 0;
    for &byte in bytes {
        match byte {
            b'>' => {
                depth = depth.saturating_add(1);
                blanks = 0;
            }
            b' ' if blanks == 0 => blanks = 1,
            _ => break,
        }
    }
    depth
}

/// A pipe is a quote mark unless it draws a table.
fn is_pipe_quote(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('|') else {
        return false;
    };
    if !(rest.is_empty() || rest.starts_with(' ')) {
        return false;
    }
    let rest = rest.trim();
    !rest.ends_with('|') && !rest.contains(" | ") && !rest.starts_with("--")
}

/// `HL> text`, as some mailers mark who is quoted. Worth nothing when it stands alone (`SQL> select`).
fn initials(line: &str) -> bool {
    let bytes = line.trim_start_matches(' ').as_bytes();
    let letters = bytes.iter().take_while(|b| b.is_ascii_uppercase()).count();
    (1..=4).contains(&letters)
        && bytes.get(letters) == Some(&b'>')
        && bytes.get(letters + 1).is_none_or(|&b| b == b' ')
}

/// A short piece that a mailer broke off a long quoted line, between two lines of the same quote.
pub(super) fn mark_wrapped(lines: &[&str], kinds: &mut [BlockKind]) {
    for at in 1..lines.len().saturating_sub(1) {
        let (BlockKind::Quote(above), BlockKind::New, BlockKind::Quote(below)) =
            (kinds[at - 1], kinds[at], kinds[at + 1])
        else {
            continue;
        };
        let (long, piece) = (lines[at - 1], lines[at].trim_end());
        let broken = long.len() >= 70 && !long.trim_end().ends_with(['.', '?', '!', ':', ';', '>']);
        let fragment = (1..=24).contains(&piece.len())
            && !piece.ends_with(['.', '?', '!'])
            && piece.bytes().next().is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        if above == below && broken && fragment {
            kinds[at] = BlockKind::Quote(above);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::depth;

    fn of(line: &str) -> u8 {
        depth(&[line], 0)
    }

    #[test]
    fn marks_are_counted() {
        assert_eq!(of("> a"), 1);
        assert_eq!(of(">>> > > a"), 5);
        assert_eq!(of(" > a"), 1);
        assert_eq!(of(">hi"), 1);
        assert_eq!(of(">"), 1);
        assert_eq!(of("    > code"), 0);
        assert_eq!(of("a > b"), 0);
        assert_eq!(of(&">".repeat(1000)), 255);
    }

    #[test]
    fn pipes_quote_but_tables_do_not() {
        assert_eq!(of("| Reported-by: x"), 1);
        assert_eq!(of("| testcase | unixbench |"), 0);
        assert_eq!(of("|---"), 0);
        assert_eq!(of("|| b"), 0);
    }

    #[test]
    fn initials_count_in_company() {
        assert_eq!(depth(&["HL> a", "HL> b"], 0), 1);
        assert_eq!(of("SQL> select"), 0);
    }

    #[test]
    fn an_escaped_from_is_no_quote() {
        assert_eq!(depth(&["text", ">From here on", "text"], 1), 0);
        assert_eq!(depth(&["> text", ">From here on", "> text"], 1), 1);
    }
}
