//! Whatever is composed reads the same in an independent parser, and never breaks the wire.

use mail_parser::MessageParser;
use proptest::prelude::*;
use regard::mail::{Address, Attachment, MessageId};
use regard::smtp::{Auto, Outgoing, compose};

use crate::compose::check_wire;

/// Text with all that is nasty in it.
fn nasty() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        "[ -~]{0,40}",
        "\\PC{0,20}",
        Just("\r\n".to_owned()),
        Just("\n.\r\n".to_owned()),
        Just("\r\nBcc: x@example.org\r\n\r\n".to_owned()),
        Just("=?utf-8?q?x?=".to_owned()),
        Just("\0\u{1b}\u{7f}\u{202e}".to_owned()),
        Just("x".repeat(1200)),
        Just("é".repeat(600)),
    ];
    proptest::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_words_make_a_sound_mail(
        subject in nasty(),
        name in nasty(),
        text in nasty(),
        header in nasty(),
        file in nasty(),
        file_name in nasty(),
        refs in proptest::collection::vec("[a-z]{1,300}", 0..40),
    ) {
        let from = Address { name: name.clone(), email: "bot@example.org".to_owned() };
        let to = Address { name, email: "list@example.org".to_owned() };
        let outgoing = Outgoing {
            message_id: MessageId::for_key(&subject, "example.org"),
            date: "2026-08-03T10:00:00Z".parse().unwrap(),
            from,
            reply_to: Vec::new(),
            to: vec![to],
            cc: Vec::new(),
            subject,
            in_reply_to: None,
            references: refs.iter().filter_map(|id| MessageId::clean(&format!("{id}@x"))).collect(),
            auto: Auto::Generated,
            headers: vec![("X-Regard-Reason".to_owned(), header)],
            text: text.clone(),
            attachments: vec![Attachment {
                name: file_name,
                content_type: "text/plain".to_owned(),
                bytes: file.clone().into_bytes(),
            }],
        };
        let composed = compose(&outgoing).unwrap();
        check_wire(&composed.raw);
        prop_assert_eq!(&composed.rcpts, &["list@example.org"]);

        let mail = MessageParser::default().parse(&composed.raw).unwrap();
        prop_assert_eq!(mail.header_values("To").count(), 1);
        prop_assert!(mail.bcc().is_none());
        let subject = mail.subject().unwrap_or_default();
        prop_assert!(!subject.contains(|c: char| c.is_control()) && subject.chars().count() <= 200);
        prop_assert_eq!(mail.message_id().unwrap(), outgoing.message_id.as_str());
        let words = |text: &str| text.chars().filter(|c| !c.is_control() && !c.is_whitespace()).collect::<String>();
        prop_assert_eq!(words(&mail.body_text(0).unwrap()), words(&text));
        prop_assert_eq!(mail.attachment_count(), 1);
        let attached = mail.attachment(0).unwrap().contents();
        let lf = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        prop_assert_eq!(lf(attached), lf(file.as_bytes()));
    }
}
