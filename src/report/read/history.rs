//! Quoting without `>`: a pipe in front of every line, or a header block on top of what follows.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::line::{Line, unquote};
use super::pattern;

/// A line that only stands behind a pipe when the pipe is a quote mark.
static PIPED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\|[ >|]*(?:\+-{3,}|={20}|-{12,}\s|%stddev|FYI, we noticed|(?:\S+ ){3}noticed an? |commit:? [0-9a-f]{10}|In addition to that|in testcase:)",
    )
});

/// Raises the depth of what is quoted without `>`.
pub(super) fn deepen(lines: &mut [Line]) {
    pipes(lines);
    headers(lines);
}

/// A run of lines behind pipes is quoted when one of them could not be part of a box or a plot.
fn pipes(lines: &mut [Line]) {
    let mut at = 0;
    while at < lines.len() {
        let end = at + lines[at..].iter().take_while(|l| l.text.starts_with('|')).count();
        if lines[at..end].iter().any(|l| PIPED.is_match(&l.text)) {
            for line in &mut lines[at..end] {
                let rest = line.text[1..].strip_prefix(' ').unwrap_or(&line.text[1..]);
                let (deeper, rest) = unquote(rest);
                line.depth += 1 + deeper;
                line.text = Cow::Owned(rest.to_owned());
            }
        }
        at = end.max(at + 1);
    }
}

/// `From:`, `Sent:`, `To:`, `Subject:` below some text, as Outlook puts them: what follows is the mail before.
fn headers(lines: &mut [Line]) {
    let mut written = false;
    let mut added = 0;
    for at in 0..lines.len() {
        if lines[at].depth == 0 && written && starts_history(&lines[at..]) {
            added += 1;
        }
        written |= !lines[at].is_blank() && !is_header(lines[at].trim());
        if lines[at].depth == 0 || added > 0 {
            lines[at].depth += added.min(64);
        }
    }
}

fn is_header(text: &str) -> bool {
    text.split_once(": ").is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    })
}

/// Header names as mail programs translate them.
const FROM: [&str; 12] =
    ["From", "Von", "De", "Da", "Van", "Från", "Fra", "Od", "От", "发件人", "寄件者", "差出人"];
const DATE: [&str; 15] = [
    "Sent",
    "Date",
    "Gesendet",
    "Datum",
    "Envoyé",
    "Enviado",
    "Inviato",
    "Verzonden",
    "Skickat",
    "Sendt",
    "Отправлено",
    "发送时间",
    "日期",
    "寄件日期",
    "送信日時",
];
const TO: [&str; 11] =
    ["To", "An", "À", "Para", "Aan", "Till", "Til", "Кому", "收件人", "收件者", "宛先"];
const SUBJECT: [&str; 12] = [
    "Subject",
    "Betreff",
    "Objet",
    "Asunto",
    "Assunto",
    "Oggetto",
    "Onderwerp",
    "Ämne",
    "Emne",
    "Тема",
    "主题",
    "件名",
];

fn starts_history(lines: &[Line]) -> bool {
    let has = |names: &[&str]| lines.iter().take(8).any(|l| is_named(l, names));
    is_named(&lines[0], &FROM) && has(&DATE) && has(&TO) && has(&SUBJECT)
}

/// `Von: ...`, `*From:* ...`, `发件人：...`.
fn is_named(line: &Line, names: &[&str]) -> bool {
    let text = line.trim().trim_start_matches('*');
    names.iter().any(|n| {
        text.strip_prefix(n).is_some_and(|rest| rest.trim_start().starts_with([':', '：']))
    })
}
