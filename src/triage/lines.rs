//! Lines that are no prose: tables, code, trailers, greetings and names below the words.

use std::str::Lines;

/// `- `, `* `, `1. `, `[1] ` in front of an item.
pub(super) fn list_item(text: &str) -> &str {
    for mark in ["- ", "* ", "+ ", "o "] {
        if let Some(rest) = text.strip_prefix(mark) {
            return rest;
        }
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &text[digits..];
    match digits {
        1..=2 => rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")).unwrap_or(text),
        _ => text
            .strip_prefix('[')
            .and_then(|t| t.split_once("] "))
            .filter(|(n, _)| n.len() <= 3)
            .map_or(text, |(_, t)| t),
    }
}

/// A line of a table, a log, code or a rule: more figures and signs than words, or set apart by its indent.
pub(super) fn is_data(line: &str) -> bool {
    let text = line.trim();
    if text.starts_with(['#', '$', '%']) && text.len() > 1 && !text.starts_with("# ") {
        return true;
    }
    let (mut letters, mut signs) = (0_usize, 0_usize);
    for c in text.chars() {
        let letter = c.is_alphabetic();
        letters += usize::from(letter);
        signs += usize::from(!letter && !c.is_whitespace() && !c.is_alphanumeric());
    }
    if letters == 0 || signs > letters {
        return true;
    }
    let columns =
        text.contains("   ") && text.split("   ").filter(|c| !c.trim().is_empty()).count() >= 2;
    let words = || text.split_whitespace().filter(|word| is_word(word)).count();
    let indent = line.len() - line.trim_start().len();
    if indent >= 2 || line.starts_with('\t') {
        // Set apart: a command, a table, a commit. Words of a sentence set apart end like a sentence.
        let sentence = text.ends_with(['.', '!', '?']) && !columns && words() >= 3;
        return !sentence;
    }
    let all = || text.split_whitespace().count();
    columns && all() >= 3 && words() * 2 < all() + 2
}

fn is_word(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| c.is_ascii_punctuation());
    !bare.is_empty() && bare.chars().all(|c| c.is_alphabetic() || c == '\'' || c == '-' || c == '’')
}

/// The head of a commit as `git show` prints it.
pub(super) fn is_pasted(text: &str) -> bool {
    let hex = |word: &str| word.len() >= 8 && word.bytes().all(|b| b.is_ascii_hexdigit());
    text.strip_prefix("commit ").is_some_and(|rest| {
        rest.split_whitespace().next().is_some_and(hex) && rest.split_whitespace().count() <= 2
    }) || text.starts_with("Author: ") && text.contains('@')
        || text.starts_with("Date:   ")
}

pub(super) fn is_trailer(text: &str) -> bool {
    let Some((name, value)) = text.split_once(':') else { return false };
    if name.len() > 40 || !name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-') {
        return false;
    }
    let lower = name.to_ascii_lowercase();
    let known = lower.ends_with("-by")
        || matches!(lower.as_str(), "fixes" | "closes" | "cc" | "change-id" | "base-commit");
    let link = lower == "link" && value.contains("://");
    !value.trim().is_empty() && (known || link)
}

/// "Hi Jo," and "Hello," at the beginning.
pub(super) fn is_salutation(text: &str) -> bool {
    if text.len() > 60 {
        return false;
    }
    let bare = text.trim_end_matches([',', '!', '.', ':', ' ', '，', '！', '、', '。']);
    let mut words = bare.split_whitespace();
    let first = words.next().unwrap_or_default().trim_end_matches(',').to_lowercase();
    let greeting = [
        "hi",
        "hello",
        "hey",
        "dear",
        "hallo",
        "moin",
        "bonjour",
        "salut",
        "hola",
        "ciao",
        "hei",
        "greetings",
        "morning",
        "good",
        "guten",
        "您好",
        "你好",
        "大家好",
    ];
    if !greeting.contains(&first.as_str()) {
        return false;
    }
    let rest: Vec<&str> = words.collect();
    let names = rest.iter().all(|w| {
        let w = w.trim_matches(',');
        w.chars().next().is_some_and(|c| c.is_uppercase())
            || [
                "all",
                "there",
                "morning",
                "day",
                "evening",
                "team",
                "folks",
                "everyone",
                "everybody",
                "robot",
                "tag",
                "and",
                "lkp",
            ]
            .contains(&w)
    });
    rest.len() <= 4 && names
}

/// A name alone below the last words.
pub(super) fn is_name(text: &str, below: &Lines<'_>) -> bool {
    if below.clone().any(|line| !line.trim().is_empty()) {
        return false;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let bare =
        text.trim_matches(|c: char| c == '-' || c == '/' || c == '.' || c == ',' || c == ' ');
    let capital = |w: &&str| w.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase);
    // One word only: "Nonsense" is an answer, "Jo" or "J. Doe" is a name. Answers end with a stop.
    let stop = text.ends_with(['.', '!', '?']) && bare.chars().count() > 2;
    !stop
        && words.len() <= 3
        && words.iter().all(capital)
        && bare.chars().all(|c| c.is_alphabetic() || " .-'".contains(c))
        && !ANSWERS.contains(&bare.to_lowercase().as_str())
}

/// One-word answers that are written without a full stop.
const ANSWERS: &[&str] = &[
    "yes",
    "no",
    "nope",
    "yep",
    "yup",
    "indeed",
    "correct",
    "right",
    "exactly",
    "applied",
    "queued",
    "fixed",
    "reverted",
    "confirmed",
    "reproduced",
    "thanks",
    "ack",
    "nak",
    "nack",
    "ping",
    "expected",
    "duplicate",
    "dropped",
    "done",
    "merged",
    "noise",
    "same here",
    "works for me",
    "will do",
    "good catch",
    "sure",
    "ok",
    "invalid",
];
