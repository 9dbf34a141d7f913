//! Signatures: what follows `-- `, a phone's boast, a line of regards with a name below it.

use std::sync::LazyLock;

use regex::Regex;

/// Lines that a signature behind a bare `--` may have before we stop believing it.
const SHORT: usize = 8;
/// The same behind the true `-- `.
const LONG: usize = 40;

static DEVICE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^\s*(sent from (my|an|outlook|mail|yahoo|samsung|proton)|sent (via|with) |get outlook for |von mein\S* .{2,40} gesendet|gesendet (von|mit) |envoyé (de|depuis) |enviado desde |inviato d|发自我的|发自|從我的.*傳送|iphone\s?から送信|verzonden vanaf|skickat från|sendt fra |отправлено с )",
    )
    .ok()
});

static REGARDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^\s*((with )?((my|the) )?((best|kind|warm|many)(est)? )?(regards|wishes|greetings)|best|sincerely( yours)?|yours (sincerely|truly|faithfully)|mit freundlichen grüßen|freundliche grüße|(viele|beste|schöne|liebe) grüße|mfg|vg|lg|cordialement|bien à vous|(un )?salud(o|os)( cordiales)?|atentamente|cordiali saluti|atenciosamente|med vänlig(a)? hälsning(ar)?|met vriendelijke groet(en)?|pozdrawiam|с уважением|此致|祝好|顺颂商祺|よろしくお願い(いた)?します|以上)\s*[,.!。、，]?\s*$",
    )
    .ok()
});

/// The line after a signature that starts here; `None` when none does.
pub(super) fn end(lines: &[&str], at: usize, first: u8) -> Option<usize> {
    let line = lines[at];
    match first {
        b'-' => delimited(lines, at),
        _ if line.len() > 80 => None,
        b'S' | b's' | b'G' | b'g' | b'V' | b'v' | b'E' | b'e' | b'I' | b'i' | 128..
            if DEVICE.as_ref().is_some_and(|d| d.is_match(line)) =>
        {
            Some(at + 1)
        }
        b'A'..=b'Z' | b'a'..=b'z' | 128.. => regards(lines, at),
        _ => None,
    }
}

fn delimited(lines: &[&str], at: usize) -> Option<usize> {
    let line = lines[at];
    let longest = match line {
        "-- " => LONG,
        "--" => SHORT,
        _ if is_signed_off(line) => 0,
        _ => return None,
    };
    let rest = lines.iter().enumerate().skip(at + 1).take(3 * LONG);
    // What stands in front of a quote may be its attribution: that is marked when the quote is met.
    let stop =
        |line: &str| line.starts_with('>') || line == "-- " || line.starts_with("-----BEGIN PGP");
    let end = rest.clone().find(|(_, line)| stop(line)).map(|(end, _)| end);
    let end = end.unwrap_or(at + 1 + rest.count());
    // A list's footer below a signature is no part of it.
    let end = super::footer::trailing(lines, at + 1).map_or(end, |footer| footer.min(end));
    let filled = lines[at + 1..end].iter().filter(|l| !l.trim().is_empty()).count();
    (filled <= longest).then_some(end)
}

/// `-- Jo` below the last words.
fn is_signed_off(line: &str) -> bool {
    let name = line.strip_prefix("--").unwrap_or_default().trim_start();
    name.len() <= 30
        && name.split_whitespace().count() <= 3
        && name.chars().next().is_some_and(char::is_uppercase)
        && name.chars().all(|c| c.is_alphabetic() || " .-'".contains(c))
}

/// "Best regards," and up to four short lines, with nothing but quotes below them.
fn regards(lines: &[&str], at: usize) -> Option<usize> {
    let line = lines[at];
    let bare = line.trim_end_matches([' ', ',', '.', '!']);
    let with_name = bare.split_once("egards").is_some_and(|(head, name)| {
        head.len() <= 8 && name.len() <= 30 && name.split_whitespace().count() <= 3
    });
    if !with_name && !REGARDS.as_ref().is_some_and(|r| r.is_match(line)) {
        return None;
    }
    let mut end = at + 1;
    let mut filled = 0;
    while let Some(line) = lines.get(end) {
        let text = line.trim();
        let other = text.starts_with('>') || text.starts_with("--") || text.starts_with("__");
        if other || is_header_like(text) {
            break;
        }
        if !text.is_empty() {
            filled += 1;
            if filled > 4 || text.len() > 60 || text.ends_with(['?', ':']) {
                return None;
            }
        }
        end += 1;
    }
    Some(end)
}

/// A header block of earlier mail or an attribution begins: the sign-off ends before it.
fn is_header_like(text: &str) -> bool {
    text.ends_with([':', '：']) && text.len() > 20
        || text.split_once([':', '：']).is_some_and(|(name, _)| {
            ["From", "Von", "De", "Da", "发件人", "差出人", "On", "Am"]
                .contains(&name.trim_matches('*'))
        })
        || text.starts_with("On ")
        || text.starts_with("This ") && text.len() > 40
}

#[cfg(test)]
mod tests {
    use crate::mail::BlockKind;

    fn signed(text: &str) -> Vec<usize> {
        let blocks = super::super::split(text);
        blocks
            .into_iter()
            .filter(|b| b.kind == BlockKind::Signature)
            .flat_map(|b| b.lines)
            .collect()
    }

    #[test]
    fn delimiters() {
        assert_eq!(signed("a\n-- \nJo\nx@y\n"), [1, 2, 3]);
        assert_eq!(signed("a\n\n--\nJo\n"), [2, 3]);
        assert_eq!(signed("a\n\n-- Jo\n"), [2]);
        assert_eq!(signed("a\n-- \nJo\n\nOn Mon, 12 Jan 2026, X wrote:\n> q\n"), [1, 2, 3]);
        assert_eq!(signed("-- and then it went on\nb\n"), [0; 0]);
    }

    #[test]
    fn regards_with_a_name() {
        assert_eq!(signed("a\n\nBest regards,\nJo Doe\nExample Ltd\n"), [2, 3, 4]);
        assert_eq!(signed("a\n\nMit freundlichen Grüßen\nJo\n"), [2, 3]);
        assert_eq!(signed("best regards Hanna\n\n> q\n"), [0, 1]);
        assert_eq!(
            signed("Regards the lock, it is held by whoever comes first and that is that.\nb\n"),
            [0; 0]
        );
    }

    #[test]
    fn devices() {
        assert_eq!(signed("Sent from my phone\n\n> q\n"), [0, 1]);
        assert_eq!(signed("Gesendet von Mail für Windows\n"), [0]);
    }
}
