//! Every case is a mail, subject and text, compared whole; and what holds for each of them.

use std::fs;

use regard::render::{MOST_BYTES, Rendered, Renderer, WIDTH, samples};

use crate::case::Case;
use crate::golden::{cases, compare};

fn rendered(folder: &std::path::Path, renderer: &Renderer) -> Rendered {
    let case = Case::read(&fs::read_to_string(folder.join("in.json")).unwrap());
    renderer
        .letter(&case.letter(), &case.frame())
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
}

#[test]
fn mails_are_as_they_were() {
    let renderer = Renderer::new(&[]).unwrap();
    let mut diffs = Vec::new();
    for folder in cases("render/mail") {
        let mail = rendered(&folder, &renderer);
        let text = format!("Subject: {}\n\n{}", mail.subject, mail.text);
        diffs.extend(compare(&folder.join("expected.txt"), &text).err());
    }
    assert!(diffs.is_empty(), "{}", diffs.join("\n"));
}

#[test]
fn every_mail_can_be_sent_as_it_is() {
    let renderer = Renderer::new(&[]).unwrap();
    let mut mails: Vec<Rendered> =
        cases("render/mail").iter().map(|f| rendered(f, &renderer)).collect();
    mails.extend(samples().iter().map(|(letter, frame)| renderer.letter(letter, frame).unwrap()));
    for mail in mails {
        assert!(mail.text.len() <= MOST_BYTES);
        assert!(mail.text.is_ascii(), "{}", mail.text);
        assert!(!mail.subject.contains('\n') && !mail.subject.is_empty());
        assert!(!mail.text.contains("\n\n\n"), "{}", mail.text);
        for line in mail.text.lines() {
            let address = line.contains("://");
            assert!(line.len() <= WIDTH || address, "{line}");
            assert!(!line.starts_with("From "), "{line}");
            assert!(line == "-- " || line.trim_end() == line, "{line:?}");
            assert!(!line.contains("{{") && !line.contains("{%"), "{line}");
        }
    }
}
