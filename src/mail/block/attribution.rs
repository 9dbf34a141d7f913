//! "On Monday, X wrote:" in many languages, wrapped, in git's style, or with no quote right below it.

use std::sync::LazyLock;

use regex::Regex;

use super::BlockKind;

/// Lines that one attribution may take.
const WRAPPED: usize = 5;

const VERBS: &str = r"(?:wrote|writes|schrieb|schreibt|geschrieben|a écrit|à écrit|écrit|écrivait|escribi[óo]|ha scritto|scrive|escreveu|schreef|skrev|skriver|kirjoitti|napsala?(?:\(a\))?|napísal(?:\(a\))?|napisała?(?:\(a\))?|pisze|írta|ezt írta|написала?(?:\(а\))?|пишет|a scris|je napisao|yazdı|đã viết|menulis|写道|寫道|写到|寫到|书写|님이 작성|さん(?:は|が)?書きました|のメール)";

/// What [`OPENED`] and [`NAMED`] cannot do without. They count letters, which takes long, and hardly any line has it.
static VERB: LazyLock<Regex> = LazyLock::new(|| compile(&format!("(?i){VERBS}")));

/// Words for "on", and dates.
const OPENERS: &str = r"(?is)^\W{0,2}(?:on|am|le|el|il|em|op|på|den|dne|dňa|dnia|w dniu|ti|at|vào|a|v|-{2,} ?on|在|于|於|\d{1,4}\s?[-./年]\s?\d|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},)";

/// What [`OPENED`] begins with: most lines do not.
static OPENER: LazyLock<Regex> = LazyLock::new(|| compile(OPENERS));

/// Opens with a word for "on" (or with a date) and holds a verb for "wrote" near its end.
static OPENED: LazyLock<Regex> = LazyLock::new(|| {
    compile(&format!(r"{OPENERS}.{{3,280}}{VERBS}[^.?!]{{0,100}}[:：…-]{{0,6}}\s*$"))
});

/// A name, then the verb, then a colon.
static NAMED: LazyLock<Regex> =
    LazyLock::new(|| compile(&format!(r"(?is)^.{{1,200}}\b{VERBS}[^.?!]{{0,60}}[:：]\s*$")));

/// `* Name <a@b> [yymmdd hh:mm]:`, `Name <a@b>:`, `2026年6月9日(火) 11:59 Name <a@b>:`, `Quoting Name <a@b>:`.
static MAILBOX: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?is)^\W{0,3}(?:quoting|zitat von|citando|citat|selon)\b.{3,160}$|^.{0,160}\S@\S.{0,60}[:：]\s*$",
    )
});

/// What [`MAILBOX`] begins with where no address follows.
static QUOTING: LazyLock<Regex> =
    LazyLock::new(|| compile(r"(?i)^\W{0,3}(?:quoting|zitat von|citando|citat|selon)"));

/// Enough of a date, a time or an address to be an attribution with no quote below it.
static DATED: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"\d{1,2}[:.h]\d{2}|\b(?:19|20)\d{2}\b|\S@\S|\d{1,2}[./-]\d{1,2}[./-]\d{2}")
});

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap_or_else(|error| unreachable!("{error}"))
}

/// Whether it is [`OPENED`]; what is quick to see comes first.
fn opens(text: &str) -> bool {
    OPENER.is_match(text) && VERB.is_match(text) && OPENED.is_match(text)
}

/// Marks the lines above the quote that starts at `quote` which say whom it quotes.
pub(super) fn mark_above(lines: &[&str], kinds: &mut [BlockKind], quote: usize) {
    let mut last = quote;
    while last > 0 && quote - last < 2 && lines[last - 1].trim().is_empty() {
        last -= 1;
    }
    let free = |kind: BlockKind| matches!(kind, BlockKind::New | BlockKind::Signature);
    if last == 0 || !free(kinds[last - 1]) || lines[last - 1].trim().is_empty() {
        return;
    }
    let mut joined = String::new();
    let mut plain = None;
    for count in 1..=WRAPPED.min(last) {
        let at = last - count;
        let line = lines[at].trim();
        if line.is_empty() || !free(kinds[at]) || joined.len() + line.len() > 400 {
            break;
        }
        joined = if joined.is_empty() { line.to_owned() } else { format!("{line} {joined}") };
        if opens(&joined) || is_git_pair(&lines[at..last]) {
            kinds[at..last].fill(BlockKind::Attribution);
            return;
        }
        let colon = joined.trim_end().ends_with([':', '：']);
        let named = || colon && VERB.is_match(&joined) && NAMED.is_match(&joined);
        let mailbox = || {
            (colon && joined.contains('@') || QUOTING.is_match(&joined))
                && MAILBOX.is_match(&joined)
        };
        if plain.is_none() && (named() || mailbox()) {
            plain = Some(at);
        }
    }
    if let Some(at) = plain {
        kinds[at..last].fill(BlockKind::Attribution);
    }
}

/// git's way to quote: `From:` and `Date:` lines, perhaps `Subject:`, `To:`, `Cc:`.
fn is_git_pair(lines: &[&str]) -> bool {
    let known = |line: &&str| {
        let name = line.split(':').next().unwrap_or_default();
        ["From", "Date", "Subject", "To", "Cc", "Message-ID", "Message-Id"].contains(&name)
    };
    lines.len() >= 2 && lines[0].starts_with("From:") && lines.iter().all(known)
}

/// Marks attributions that no quote follows: the mailer put a greeting between, or quotes without marks.
pub(super) fn mark_lonely(lines: &[&str], kinds: &mut [BlockKind]) {
    for at in 0..lines.len() {
        let line = lines[at].trim();
        let candidate = kinds[at] == BlockKind::New
            && (line.ends_with(':') || line.ends_with('：') || line.ends_with("----"))
            && line.len() >= 10;
        if !candidate {
            continue;
        }
        let mut joined = String::new();
        for count in 0..3.min(at + 1) {
            let line = lines[at - count].trim();
            if line.is_empty() || kinds[at - count] != BlockKind::New || line.len() > 200 {
                break;
            }
            joined = if joined.is_empty() { line.to_owned() } else { format!("{line} {joined}") };
            if opens(&joined) && DATED.is_match(&joined) {
                kinds[at - count..=at].fill(BlockKind::Attribution);
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str) -> Vec<bool> {
        let kinds: Vec<_> = super::super::split(text)
            .into_iter()
            .flat_map(|b| b.lines.map(move |_| b.kind == BlockKind::Attribution))
            .collect();
        let lines = text.lines().zip(kinds);
        lines.filter(|(line, _)| !line.is_empty()).map(|(_, attribution)| attribution).collect()
    }

    #[test]
    fn languages() {
        for line in [
            "On Mon, Jan 12, 2026 at 8:15 AM Jo Doe <jo@example.org> wrote:",
            "Am 04.05.26 um 03:17 schrieb Jo Doe:",
            "Le lun. 12 janv. 2026 à 08:15, Jo Doe <jo@example.org> a écrit :",
            "El lun, 11 may 2026 a las 00:52, Jo (<jo@example.org>) escribió:",
            "Il giorno lun 12 gen 2026 alle ore 08:15 Jo <jo@example.org> ha scritto:",
            "Em seg., 12 de jan. de 2026 às 08:15, Jo <jo@example.org> escreveu:",
            "Op ma 12 jan 2026 om 08:15 schreef Jo <jo@example.org>:",
            "Den mån 12 jan. 2026 kl 08:15 skrev Jo <jo@example.org>:",
            "Dne 12. 01. 26 v 8:15 Jo Doe napsal(a):",
            "W dniu 12.01.2026 o 08:15, Jo Doe pisze:",
            "ma 12. tammik. 2026 klo 8.15 Jo Doe (jo@example.org) kirjoitti:",
            "12.01.2026 08:15, Jo Doe пишет:",
            "在 2026/1/12 8:15, Jo Doe 写道:",
            "Jo Doe <jo@example.org> 于2026年1月12日周一 08:15写道：",
            "2026年1月12日(月) 8:15 Jo Doe <jo@example.org>:",
            "* Jo Doe <jo@example.org> [260112 08:15]:",
            "Jo Doe <jo@example.org> writes:",
            "Jo Doe wrote:",
            "at 2026-01-12 10:31:07, \"Jo Doe\" <jo@example.org> wrote:",
            "Quoting Jo Doe <jo@example.org>:",
        ] {
            assert_eq!(
                marked(&format!("hello,\n\n{line}\n> quoted\n\nmine\n")),
                [false, true, false, false],
                "{line}"
            );
        }
    }

    #[test]
    fn wrapped_over_lines() {
        let text = "hi,\n\nOn Tue, Mar 24, 2026 at 12:58 AM a robot with a long name\n<robot@example.org> wrote:\n> x\n";
        assert_eq!(marked(text), [false, true, true, false]);
        assert_eq!(
            marked("From: Jo <jo@example.org>\nDate: Mon, 30 Mar 2026\n> x\ny\n"),
            [true, true, false, false]
        );
    }

    #[test]
    fn a_greeting_between() {
        assert_eq!(
            marked("Am Donnerstag, 12. März 2026, 04:08:00 CEST schrieb Jo:\n\nHi,\n\n> x\ny\n"),
            [true, false, false, false]
        );
    }

    #[test]
    fn own_words_that_end_in_a_colon_stay() {
        assert_eq!(marked("I tried this:\n> x\n"), [false, false]);
        assert_eq!(marked("On our box the numbers are:\n\n  1 2 3\n"), [false, false]);
    }
}
