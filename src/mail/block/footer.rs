//! What a list, a company or a scanner appended or put on top.

use std::sync::LazyLock;

use regex::Regex;

use super::BlockKind;

/// Words without which no line can begin a footer.
static LIST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)mailing list(?-u:\b)|unsubscribe|listinfo|/mailman|you received this (message|mail|email) because|to view this discussion|list (info|archives?):|majordomo@|更多信息|view it on github",
    )
    .ok()
});

/// Edges are those of ASCII words: a search for Unicode's is ten times as slow where a letter is not ASCII.
static DISCLAIMER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?is)(?-u:\b)(confidential|privileged|proprietary|vertraulich\w*|confidenti(el|al)\w*|confidencial\w*|riservat\w*|geheim)(?-u:\b).*(?-u:\b)(recipient|addressee|e-?mail|message|communication|nachricht|empfänger|destinataire|destinatario|informationen|disclos\w+)|(?-u:\b)(e-?mail|message|nachricht|courriel|mensaje)(?-u:\b).*(?-u:\b)(confidential|privileged|vertraulich\w*|confidenti(el|al)\w*|confidencial\w*)(?-u:\b)|(?-u:\b)intended recipient(?-u:\b)|保密|机密信息|(scanned|checked) (for|by) .{0,40}(virus|antivirus)|virus[- ]?free|(?-u:\b)(registered (office|in)|amtsgericht|handelsregister|sitz der gesellschaft|geschäftsführer|hrb \d|company (number|no))(?-u:\b)|please consider the environment|external email|originated from outside|caution:.{0,40}external",
    )
    .ok()
});

fn is(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|p| p.is_match(text))
}

/// The line after a footer that starts here; `None` when none does.
pub(super) fn end(lines: &[&str], at: usize, first: u8) -> Option<usize> {
    if at == 0 {
        return None;
    }
    let line = lines[at];
    if matches!(first, b'_' | b'-' | b'=' | b'*' | b'~') && line.trim().bytes().all(|b| b == first)
    {
        let below = lines.iter().skip(at + 1).take(3);
        let names_list =
            below.take_while(|l| !l.starts_with('>')).any(|l| l.len() < 300 && is(&LIST, l));
        return names_list.then(|| list_end(lines, at));
    }
    // Prose comes after an empty line; anything else goes on with what was said before.
    let fresh = lines[at - 1].trim().is_empty() || lines[at - 1].trim_end() == "--";
    if !fresh || !(first.is_ascii_alphabetic() || first == b'[' || first == b'*' || first >= 128) {
        return None;
    }
    if line.len() < 300 && is_list_notice(line) {
        return Some(list_end(lines, at));
    }
    let end = paragraph_end(lines, at);
    let near_end = lines.len() - at <= 60;
    (near_end && is(&DISCLAIMER, &joined(&lines[at..end]))).then_some(end)
}

fn is_list_notice(line: &str) -> bool {
    let lower = line.get(..60).unwrap_or(line).to_ascii_lowercase();
    (lower.starts_with("to unsubscribe")
        || lower.starts_with("you received this")
        || lower.starts_with("unsubscribe")
        || lower.starts_with("to view this discussion"))
        && is(&LIST, line)
}

/// A list footer ends where quoting begins again, at the latest with the body.
fn list_end(lines: &[&str], at: usize) -> usize {
    let quoted = lines.iter().skip(at + 1).position(|l| l.starts_with('>'));
    quoted.map_or(lines.len(), |n| at + 1 + n)
}

fn paragraph_end(lines: &[&str], at: usize) -> usize {
    let blank =
        lines.iter().skip(at).take(30).position(|l| l.trim().is_empty() || l.starts_with('>'));
    blank.map_or(lines.len().min(at + 30), |n| at + n)
}

fn joined(lines: &[&str]) -> String {
    let mut text = lines.join(" ");
    if let Some((end, _)) = text.char_indices().nth(3000) {
        text.truncate(end);
    }
    text
}

/// The first line of a list footer below `from`, within the last lines of the body.
pub(super) fn trailing(lines: &[&str], from: usize) -> Option<usize> {
    let start = from.max(lines.len().saturating_sub(8));
    (start..lines.len()).find(|&at| {
        let line = lines[at].trim();
        line.len() >= 10
            && line.bytes().all(|b| b == b'_')
            && lines.iter().skip(at + 1).take(3).any(|l| l.len() < 300 && is(&LIST, l))
    })
}

/// Marks a banner on top ("this mail came from outside").
pub(super) fn mark_banner(lines: &[&str], kinds: &mut [BlockKind]) {
    let Some(at) = lines.iter().take(5).position(|l| !l.trim().is_empty()) else {
        return;
    };
    let banner = lines[at].trim_start().to_ascii_lowercase();
    let looks = [
        "[ext",
        "caution",
        "warning",
        "external",
        "*external",
        "attention",
        "achtung",
        "[caution",
        "**",
        "you don't often get",
    ];
    if kinds[at] != BlockKind::New || !looks.iter().any(|l| banner.starts_with(l)) {
        return;
    }
    let end = paragraph_end(lines, at);
    let text = joined(&lines[at..end]);
    let learn_why = text.starts_with("You don't often get email from")
        || text.starts_with("[You don't often get");
    if learn_why || is(&DISCLAIMER, &text) {
        kinds[at..end].fill(BlockKind::Footer);
    }
}

#[cfg(test)]
mod tests {
    use crate::mail::BlockKind;

    fn footers(text: &str) -> Vec<usize> {
        let blocks = super::super::split(text);
        blocks.into_iter().filter(|b| b.kind == BlockKind::Footer).flat_map(|b| b.lines).collect()
    }

    #[test]
    fn list_footers() {
        assert_eq!(footers("a\n\n_______________\nx mailing list\nx@example.org\n"), [2, 3, 4]);
        assert_eq!(footers("a\n\nTo unsubscribe from this list: send the line x\nb\n"), [2, 3]);
        assert_eq!(
            footers("a\n\nYou received this message because you are subscribed to the group.\n"),
            [2]
        );
        assert_eq!(footers("Ask on the mailing list, or unsubscribe.\n"), [0; 0]);
    }

    #[test]
    fn disclaimers_and_banners() {
        assert_eq!(footers("a\n\nThis message is confidential and may be\nprivileged.\n"), [2, 3]);
        assert_eq!(
            footers("a\n\nGeschäftsführer: A. Muster. Diese E-Mail ist vertraulich.\n"),
            [2]
        );
        assert_eq!(footers("CAUTION: External Email. Do not click.\n\na\n"), [0, 1]);
        assert_eq!(
            footers("The message queue is private.\n\nThe lock is a proprietary hack.\n"),
            [0; 0]
        );
    }

    #[test]
    fn a_footer_below_copied_mail() {
        let text = "a\n\n-----Original Message-----\nFrom: x\nold words\n______________\nx mailing list\nhttp://l\n";
        assert_eq!(footers(text), [5, 6, 7]);
    }
}
