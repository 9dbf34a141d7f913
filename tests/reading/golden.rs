//! Every case, compared whole, with both line ends. `REGARD_BLESS=1` rewrites.

use std::fs;

use crate::folders::mails;

#[test]
fn mails_are_read_as_they_were() {
    let mut diffs = Vec::new();
    let mails = mails();
    assert!(mails.len() > 40);
    for mail in mails {
        let found = mail.found(&mail.text);
        let actual = serde_json::to_string_pretty(&found).unwrap() + "\n";
        let path = mail.folder.join("expected.json");
        if std::env::var_os("REGARD_BLESS").is_some() {
            fs::write(&path, &actual).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        if expected != actual {
            let diff = similar::TextDiff::from_lines(&expected, &actual);
            diffs.push(format!("{}\n{}", mail.name(), diff.unified_diff().context_radius(3)));
        }
        let crlf = mail.text.replace('\n', "\r\n");
        assert_eq!(mail.found(&crlf), found, "{} with CRLF", mail.name());
    }
    assert!(diffs.is_empty(), "{}", diffs.join("\n"));
}

#[test]
fn a_report_survives_json() {
    for mail in mails() {
        for report in mail.found(&mail.text).reports {
            let json = serde_json::to_string(&report).unwrap();
            let back: regard::report::Report = serde_json::from_str(&json).unwrap();
            assert_eq!(back, report, "{}", mail.name());
        }
    }
}
