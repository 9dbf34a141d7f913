//! Nothing that arrives may take the process down, and blocks cover every line whatever stands in it.

use std::fs;

use proptest::prelude::*;
use regard::mail::{self, BlockKind, Message};

fn corpus() -> Vec<Vec<u8>> {
    super::folders()
        .into_iter()
        .filter_map(|f| fs::read(f.join("in.eml")).or_else(|_| fs::read(f.join("in.txt"))).ok())
        .collect()
}

/// What must hold of any mail.
fn check(message: &Message) {
    let lines: Vec<&str> = message.body.lines().collect();
    let mut next = 0;
    for block in &message.blocks {
        assert_eq!(block.lines.start, next, "blocks stand in order without gaps");
        assert!(block.lines.end > block.lines.start, "no block is empty");
        next = block.lines.end;
    }
    assert_eq!(next, lines.len(), "blocks cover all lines");
    for pair in message.blocks.windows(2) {
        let quotes = pair.iter().all(|b| matches!(b.kind, BlockKind::Quote(_)));
        assert!(pair[0].kind != pair[1].kind && !quotes, "neighbours differ");
    }
    assert!(!message.body.contains(['\0', '\r']), "bodies have neither NUL nor CR");
    let set: std::collections::HashSet<&str> = lines.iter().copied().collect();
    for line in message.new_text().lines() {
        assert!(line.is_empty() || set.contains(line), "new text is made of lines of the body");
    }
    assert!(!message.subject.contains(['\n', '\r']), "subjects are one line");
    assert!(!message.key.is_empty(), "every mail has a key");
    let identity = super::identity();
    let _ = mail::origin(message, &identity);
    let _ = mail::trailers(message);
    let _ = mail::dsn(message);
    let _ = mail::auth(message, "mx.example.org");
    let _ = mail::may_answer(message, &identity);
}

/// Cuts, repeats, overwrites and splices.
fn mutate(mails: &[Vec<u8>], steps: &[(u8, u32, u32, u8)], first: usize) -> Vec<u8> {
    let mut raw = mails[first % mails.len()].clone();
    for &(what, a, b, byte) in steps {
        let at = |n: u32, raw: &[u8]| n as usize % (raw.len() + 1);
        let (from, to) = (at(a, &raw).min(at(b, &raw)), at(a, &raw).max(at(b, &raw)));
        match what % 7 {
            0 => raw.truncate(to.max(10)),
            1 => drop(raw.drain(from..to.min(from + 200))),
            2 => {
                let piece = raw[from..to.min(from + 300)].to_vec();
                raw.splice(from..from, piece);
            }
            3 if !raw.is_empty() => {
                let at = from.min(raw.len() - 1);
                raw[at] = byte;
            }
            4 => raw.insert(from, byte),
            5 => {
                let other = &mails[b as usize % mails.len()];
                let start = a as usize % (other.len() + 1);
                let piece = other[start..other.len().min(start + 400)].to_vec();
                raw.splice(to..to, piece);
            }
            _ => {
                let marks: [&[u8]; 8] = [
                    b"\n> ",
                    b"\n-- \n",
                    b"\n--",
                    b"\r",
                    b"\n@@ -1,99 +1,99 @@\n",
                    b"=?utf-8?q?",
                    b"\n_____________________\n",
                    b"\nFrom: x\n",
                ];
                let mark = marks[byte as usize % marks.len()];
                raw.splice(from..from, mark.iter().copied());
            }
        }
    }
    raw
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_mails_never_panic(
        first in 0usize..1000,
        steps in prop::collection::vec((any::<u8>(), any::<u32>(), any::<u32>(), any::<u8>()), 1..12),
    ) {
        thread_local!(static MAILS: Vec<Vec<u8>> = corpus());
        let raw = MAILS.with(|mails| mutate(mails, &steps, first));
        check(&mail::parse(&raw));
        check(&mail::parse_page(&String::from_utf8_lossy(&raw)));
    }

    #[test]
    fn any_bytes_at_all(raw in prop::collection::vec(any::<u8>(), 0..600)) {
        check(&mail::parse(&raw));
        let _ = mail::sniff(&raw);
    }
}

/// 40,000 levels of message/rfc822 took the whole process down before they were taken apart by hand.
#[test]
fn deep_nesting_overflows_no_stack() {
    for encoding in ["", "Content-Transfer-Encoding: base64\n"] {
        let level = format!("Content-Type: message/rfc822\n{encoding}\n");
        let small = format!("From: a@example.org\n{}", level.repeat(5_000));
        check(&mail::parse(small.as_bytes()));
        let large = mail::parse(
            format!("From: a@example.org\nSubject: deep\n{}", level.repeat(40_000)).as_bytes(),
        );
        assert!(large.defects.iter().any(|d| d.contains("nested")), "{:?}", large.defects);
        assert_eq!(large.subject, "deep");
    }
}

#[test]
fn long_and_repetitive_mail_takes_linear_time() {
    let head = "From: a@example.org\nMessage-ID: <x@example.org>\nContent-Type: text/plain\n\n";
    for piece in [
        "> quoted\n",
        "\n",
        "x",
        "-- \n",
        "On Monday, X wrote:\n",
        "From: x\n",
        "@@ -1,9999 +1,9999 @@\n",
        "___________\n",
        "a\n\n>b\n",
        "Thanks,\n",
    ] {
        let raw = format!("{head}{}", piece.repeat((256 << 10) / piece.len()));
        check(&mail::parse(raw.as_bytes()));
    }
    let html =
        format!("{}\n<div>{}", head.replace("plain", "html"), "<blockquote>&gt;".repeat(50_000));
    check(&mail::parse(html.as_bytes()));
}
