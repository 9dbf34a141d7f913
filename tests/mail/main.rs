//! One folder a behaviour: `in.eml` (run with LF and with CRLF) or `in.txt` (an archive page), and `expected.json`.
//!
//! `REGARD_BLESS=1` writes the expectations anew.

mod hostile;

use std::fs;
use std::path::{Path, PathBuf};

use regard::mail::{self, Address, BlockKind, Identity, Message};
use serde_json::{Value, json};

pub(crate) fn identity() -> Identity {
    let us = Address { name: "regard".to_owned(), email: "regard@bot.example.org".to_owned() };
    Identity {
        addresses: vec![us],
        message_id_domain: "bot.example.org".to_owned(),
        robots: vec!["robot@example.org".to_owned()],
    }
}

pub(crate) fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail");
    let entries = fs::read_dir(root).expect("tests/mail").map(|e| e.expect("an entry").path());
    let mut folders: Vec<PathBuf> = entries.filter(|p| p.is_dir()).collect();
    folders.sort();
    folders
}

fn kind(kind: BlockKind) -> String {
    match kind {
        BlockKind::Quote(depth) => format!("quote {depth}"),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn seen(message: &Message) -> Value {
    let identity = identity();
    let bounce = mail::dsn(message);
    let blocks: Vec<String> = message
        .blocks
        .iter()
        .map(|b| format!("{}-{} {}", b.lines.start + 1, b.lines.end, kind(b.kind)))
        .collect();
    let attachments: Vec<String> = message
        .attachments
        .iter()
        .map(|a| {
            let text = String::from_utf8_lossy(&a.bytes).replace('\r', "");
            format!("{} | {} | {} bytes", a.name, a.content_type, text.len())
        })
        .collect();
    json!({
        "id": message.id.as_ref().map(ToString::to_string),
        "in_reply_to": message.in_reply_to.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "references": message.references.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "from": message.from.as_ref().map(ToString::to_string),
        "munged_from": message.munged_from.as_ref().map(ToString::to_string),
        "to": message.to.iter().chain(&message.cc).map(ToString::to_string).collect::<Vec<_>>(),
        "subject": message.subject,
        "date": message.date.map(|d| d.to_string()),
        "origin": mail::origin(message, &identity),
        "may_answer": mail::may_answer(message, &identity).err().unwrap_or("yes"),
        "new_text": message.new_text().lines().collect::<Vec<_>>(),
        "trailers": mail::trailers(message).iter().map(|t| format!("{}: {}", t.name, t.value)).collect::<Vec<_>>(),
        "blocks": blocks,
        "attachments": attachments,
        "bounce": (!bounce.recipients.is_empty()).then_some(bounce),
        "defects": message.defects,
    })
}

#[test]
fn every_behaviour() {
    let bless = std::env::var_os("REGARD_BLESS").is_some();
    let mut wrong = Vec::new();
    let folders = folders();
    assert!(folders.len() > 30, "only {} behaviours found", folders.len());
    for folder in folders {
        let expected = folder.join("expected.json");
        let mut got = Vec::new();
        if let Ok(page) = fs::read_to_string(folder.join("in.txt")) {
            got.push(("page", seen(&mail::parse_page(&page))));
        } else {
            let raw = fs::read(folder.join("in.eml")).expect("in.eml");
            let mut crlf = Vec::new();
            for (at, &byte) in raw.iter().enumerate() {
                if byte == b'\n' && (at == 0 || raw[at - 1] != b'\r') {
                    crlf.push(b'\r');
                }
                crlf.push(byte);
            }
            got.push(("LF", seen(&mail::parse(&raw))));
            got.push(("CRLF", seen(&mail::parse(&crlf))));
        }
        if bless {
            let text = serde_json::to_string_pretty(&got[0].1).expect("JSON");
            fs::write(&expected, text + "\n").expect("expected.json");
        }
        let want: Value =
            serde_json::from_str(&fs::read_to_string(&expected).expect("expected.json"))
                .expect("JSON");
        for (how, got) in got {
            if got != want {
                let both = [&want, &got].map(|v| serde_json::to_string_pretty(v).expect("JSON"));
                let diff =
                    similar::TextDiff::from_lines(&both[0], &both[1]).unified_diff().to_string();
                wrong.push(format!("{} with {how}:\n{diff}", folder.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_server_vouches_for_the_author() {
    let raw = "Authentication-Results: mx.example.org (a comment); spf=fail smtp.mailfrom=x.example;\n\
        \tdkim=pass (2048-bit key) header.d=example.net header.s=s; dmarc=pass header.from=jo.example.net\n\
        Authentication-Results: mx.example.org; dkim=pass header.d=forged.example\n\
        From: Jo <jo@jo.example.net>\nTo: x@example.org\n\nhi\n";
    let message = mail::parse(raw.as_bytes());
    let auth = mail::auth(&message, "MX.example.org").expect("results");
    assert!(auth.proves("jo@jo.example.net") && auth.proves("jo@example.net"));
    assert!(
        !auth.proves("jo@notexample.net")
            && !auth.proves("jo@forged.example")
            && !auth.proves("jo")
    );
    assert_eq!(auth.spf, None);
    assert_eq!(mail::auth(&message, "other.example.org"), None);
}

#[test]
fn a_mail_beyond_all_bounds_is_read_by_its_header() {
    let mut raw =
        b"From: Jo <jo@example.org>\nMessage-ID: <a@example.org>\nSubject: large\n\n".to_vec();
    raw.resize(25 << 20, b'x');
    let message = mail::parse(&raw);
    assert_eq!((message.subject.as_str(), message.body.as_str()), ("large", ""));
    assert!(message.defects[0].contains("24 MiB"), "{:?}", message.defects);
}
