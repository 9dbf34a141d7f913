//! `compose/<case>/in.toml` gives `expected.eml` (stored with LF) and `expected.txt` (the envelope).

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use regard::mail::{Address, Attachment, MessageId};
use regard::smtp::{Auto, ComposeError, Composed, Outgoing, compose};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    key: String,
    date: String,
    from: Address,
    #[serde(default)]
    reply_to: Vec<Address>,
    #[serde(default)]
    to: Vec<Address>,
    #[serde(default)]
    cc: Vec<Address>,
    subject: String,
    in_reply_to: Option<String>,
    #[serde(default)]
    references: Vec<String>,
    /// So many made-up ids in front of `references`.
    #[serde(default)]
    thread: u32,
    #[serde(default)]
    answer: bool,
    #[serde(default)]
    headers: Vec<(String, String)>,
    text: String,
    #[serde(default)]
    attachments: Vec<File>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    content_type: String,
    text: Option<String>,
    base64: Option<String>,
}

impl Case {
    fn outgoing(self) -> Outgoing {
        let id = |text: &str| MessageId::clean(text).unwrap();
        let thread = (0..self.thread).map(|n| id(&format!("{n}.{}@example.net", "x".repeat(40))));
        Outgoing {
            message_id: MessageId::for_key(&self.key, "bench.example.org"),
            date: self.date.parse().unwrap(),
            from: self.from,
            reply_to: self.reply_to,
            to: self.to,
            cc: self.cc,
            subject: self.subject,
            in_reply_to: self.in_reply_to.as_deref().map(id),
            references: thread.chain(self.references.iter().map(|text| id(text))).collect(),
            auto: if self.answer { Auto::Replied } else { Auto::Generated },
            headers: self.headers,
            text: self.text,
            attachments: self.attachments.into_iter().map(File::attachment).collect(),
        }
    }
}

impl File {
    fn attachment(self) -> Attachment {
        let decode = |text: String| base64::engine::general_purpose::STANDARD.decode(text).unwrap();
        let bytes = self.text.map(String::into_bytes).or(self.base64.map(decode)).unwrap();
        Attachment { name: self.name, content_type: self.content_type, bytes }
    }
}

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/smtp/compose");
    let mut cases: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() >= 6, "{cases:?}");
    cases
}

fn envelope(composed: &Composed) -> String {
    let mut text = format!("from {}\n", composed.envelope_from);
    for to in &composed.rcpts {
        writeln!(text, "to {to}").unwrap();
    }
    for (address, why) in &composed.skipped {
        writeln!(text, "skipped {:?}: {why}", address.email).unwrap();
    }
    text
}

/// What every mail must be, whatever went in.
pub(crate) fn check_wire(raw: &[u8]) {
    let text = std::str::from_utf8(raw).unwrap();
    assert!(!text.contains('\0'));
    let halves = text.split("\r\n").find(|line| line.contains(['\r', '\n']));
    assert!(halves.is_none(), "a bare line end in {halves:?}");
    assert!(text.ends_with("\r\n"));
    for line in text.split("\r\n") {
        assert!(line.len() <= 998, "{} bytes: {line}", line.len());
    }
    let (head, _) = text.split_once("\r\n\r\n").unwrap();
    assert!(head.is_ascii(), "{head}");
    for name in ["From", "Date", "Message-ID", "References", "Auto-Submitted", "MIME-Version"] {
        let count = head
            .lines()
            .filter(|line| line.to_lowercase().starts_with(&format!("{}:", name.to_lowercase())));
        assert_eq!(count.count(), 1, "{name} in {head}");
    }
}

#[test]
fn whole_mails_are_as_expected() {
    for folder in cases() {
        let input = fs::read_to_string(folder.join("in.toml")).unwrap();
        let case: Case =
            toml::from_str(&input).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let outgoing = case.outgoing();
        let composed = compose(&outgoing).unwrap();
        assert_eq!(compose(&outgoing).unwrap(), composed, "the same again");
        check_wire(&composed.raw);
        let mail = String::from_utf8(composed.raw.clone()).unwrap().replace("\r\n", "\n");
        for (name, found) in [("expected.eml", mail), ("expected.txt", envelope(&composed))] {
            let path = folder.join(name);
            if std::env::var_os("REGARD_BLESS").is_some() {
                fs::write(&path, &found).unwrap();
            }
            let expected = fs::read_to_string(&path).unwrap_or_default();
            let diff = similar::TextDiff::from_lines(&expected, &found);
            assert!(expected == found, "{}\n{}", path.display(), diff.unified_diff());
        }
    }
}

fn small() -> Outgoing {
    let address = |email: &str| Address { name: String::new(), email: email.to_owned() };
    Outgoing {
        message_id: MessageId::for_key("small", "example.org"),
        date: "2026-08-03T10:00:00Z".parse().unwrap(),
        from: address("bot@example.org"),
        reply_to: Vec::new(),
        to: vec![address("list@example.org")],
        cc: Vec::new(),
        subject: "small".to_owned(),
        in_reply_to: None,
        references: Vec::new(),
        auto: Auto::Generated,
        headers: Vec::new(),
        text: "Text.\n".to_owned(),
        attachments: Vec::new(),
    }
}

#[test]
fn nobody_to_send_to_is_an_error_that_names_them() {
    let mut outgoing = small();
    outgoing.to[0].email = "not an address".to_owned();
    let Err(ComposeError::NoRecipients { skipped }) = compose(&outgoing) else {
        panic!("composed")
    };
    assert_eq!(skipped[0].0.email, "not an address");
    outgoing.to.clear();
    assert_eq!(compose(&outgoing), Err(ComposeError::NoRecipients { skipped: Vec::new() }));
}

#[test]
fn a_sender_that_cannot_be_used_is_an_error() {
    let mut outgoing = small();
    outgoing.from.email = "bot@exa mple.org".to_owned();
    let error = compose(&outgoing).unwrap_err();
    assert!(error.to_string().starts_with("cannot send as bot@exa mple.org: "), "{error}");
}

#[test]
fn headers_of_the_mail_itself_cannot_be_added() {
    for name in ["Bcc", "from", "Content-Type", "X-Loop", "X Y", "X:Y", "", "X-É", "X-A\r\nBcc"] {
        let mut outgoing = small();
        outgoing.headers = vec![(name.to_owned(), "x".to_owned())];
        assert_eq!(compose(&outgoing), Err(ComposeError::Header { name: name.to_owned() }));
    }
}

#[test]
fn an_id_that_was_never_cleaned_is_an_error() {
    let mut outgoing = small();
    outgoing.message_id = serde_json::from_str("\"a b\\r\\nBcc: x@example.org\\u0001\"").unwrap();
    assert!(matches!(compose(&outgoing), Err(ComposeError::MessageId(_))));
}
