//! A table line cut into its parts, whatever stands for the plus-minus sign.

use super::number;

/// What archives made of `±` where it is not a single character beyond ASCII.
const MARKS: [&str; 12] =
    ["+-", "+/-", "-+", "~", ".", "?", "A+-", "A\u{b1}", "&plusmn;", "=C2=B1", "=B1", "=C4=85"];

/// True for a token that stands where `±` stood.
pub(super) fn is_mark(token: &str) -> bool {
    if MARKS.contains(&token) {
        return true;
    }
    !token.is_ascii()
        && token.len() <= 16
        && token.chars().all(|c| !c.is_ascii() || matches!(c, '+' | '-'))
}

/// `±110%`, `~32%`, `.0%` in one word: the number behind the mark.
pub(super) fn marked_percent(token: &str) -> Option<f64> {
    for mark in ["=C2=B1", "=B1", "=C4=85"] {
        if let Some(rest) = token.strip_prefix(mark) {
            return number::percent(rest);
        }
    }
    let digits = token.find(|c: char| c.is_ascii_digit())?;
    let (mark, rest) = token.split_at(digits);
    match mark.strip_suffix('-') {
        Some(mark) if is_mark(mark) => number::percent(&token[digits - 1..]),
        _ => is_mark(mark).then(|| number::percent(rest)).flatten(),
    }
}

/// The words of a line; words that a missing blank glued together are parted.
pub(super) fn tokens(line: &str) -> Vec<&str> {
    let mut out = Vec::with_capacity(8);
    for word in line.split_whitespace() {
        part(word, &mut out);
    }
    out
}

/// Parts `585.14±4%`, `585.14±` and `111%+51925.0%`.
fn part<'t>(word: &'t str, out: &mut Vec<&'t str>) {
    if word.len() > 48
        || !word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || !c.is_ascii())
    {
        out.push(word);
        return;
    }
    if let Some(end) = word.find("%+").or_else(|| word.find("%-"))
        && number::printed(word[end + 1..].trim_end_matches('%')).is_some()
    {
        part(&word[..=end], out);
        out.push(&word[end + 1..]);
        return;
    }
    let number_end = word
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | 'e' | '+' | '-')))
        .unwrap_or(word.len());
    let mut end = number_end;
    while end > 0 && number::printed(&word[..end]).is_none() {
        end -= 1;
    }
    let rest = &word[end..];
    if end > 0
        && !rest.is_empty()
        && (is_mark(rest) || marked_percent(rest).is_some())
        && rest != "."
    {
        out.push(&word[..end]);
        out.push(rest);
    } else {
        out.push(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stand_in_for_the_sign_is_a_mark() {
        for mark in
            ["±", "+-", "~", "ą", "Ä", "Â±", "A+-", ".", "\u{fffd}", "▒", "=B1", "Ã‚Â±", "Б"]
        {
            assert!(is_mark(mark), "{mark}");
            assert_eq!(marked_percent(&format!("{mark}110%")), Some(110.0), "{mark}");
        }
        for other in ["+", "-", "|", "100", "a", "%", "", "unixbench", "*"] {
            assert!(!is_mark(other), "{other}");
        }
        assert_eq!(marked_percent("±-1%"), Some(-1.0));
        assert_eq!(marked_percent("+5%"), None);
    }

    #[test]
    fn glued_words_are_parted() {
        for (line, parts) in [
            ("585.14±4%  x", vec!["585.14", "±4%", "x"]),
            ("585.14± 4%", vec!["585.14", "±", "4%"]),
            ("0.01 ±111%+51925.0% 3", vec!["0.01", "±111%", "+51925.0%", "3"]),
            ("100+-5%", vec!["100", "+-5%"]),
            ("100~5% -4.3%", vec!["100", "~5%", "-4.3%"]),
            ("1.814e+08 -24.0%", vec!["1.814e+08", "-24.0%"]),
            ("-327811 a.b%c", vec!["-327811", "a.b%c"]),
            ("3.14.", vec!["3.14."]),
        ] {
            assert_eq!(tokens(line), parts, "{line}");
        }
    }
}
