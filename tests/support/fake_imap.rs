//! A small IMAP server that behaves, except where a test says otherwise.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use regard::imap::{Account, Limits};
use regard::net::{Secret, Tls};

use super::dovecot::quick;
use super::fake::{Action, Talk, listen};

/// One mailbox, INBOX.
#[derive(Debug, Clone)]
pub(crate) struct Mailbox {
    pub(crate) uid_validity: u32,
    pub(crate) uid_next: u32,
    pub(crate) mails: BTreeMap<u32, Vec<u8>>,
    pub(crate) capabilities: String,
    pub(crate) greeting: String,
    /// Commands as received, without tag, with the connection's number.
    pub(crate) heard: Vec<(usize, String)>,
}

/// Asked before each command: the connection's number (from 1) and the command without its tag.
type Script = dyn Fn(usize, &str) -> Action + Send + Sync;

#[derive(Clone)]
pub(crate) struct FakeImap {
    pub(crate) port: u16,
    mailbox: Arc<Mutex<Mailbox>>,
}

impl FakeImap {
    /// Holds a mail `mail <uid>` for each of `uids`.
    pub(crate) fn start(
        uids: impl IntoIterator<Item = u32>,
        script: impl Fn(usize, &str) -> Action + Send + Sync + 'static,
    ) -> Self {
        let mails: BTreeMap<u32, Vec<u8>> = uids.into_iter().map(|uid| (uid, mail(uid))).collect();
        let mailbox = Mailbox {
            uid_validity: 7,
            uid_next: mails.keys().last().map_or(1, |uid| uid + 1),
            mails,
            capabilities: "IMAP4rev1 IDLE".to_owned(),
            greeting: "* OK ready".to_owned(),
            heard: Vec::new(),
        };
        let mailbox = Arc::new(Mutex::new(mailbox));
        let shared = mailbox.clone();
        let port = listen(move |talk, number| {
            Connection { talk, number, mailbox: shared.clone(), tag: String::new(), told: 0 }
                .serve(&script);
        });
        Self { port, mailbox }
    }

    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Mailbox) -> T) -> T {
        change(&mut self.mailbox.lock().unwrap())
    }

    /// Adds a mail at UIDNEXT.
    pub(crate) fn deliver(&self) -> u32 {
        self.change(|mailbox| {
            let uid = mailbox.uid_next;
            mailbox.mails.insert(uid, mail(uid));
            mailbox.uid_next += 1;
            uid
        })
    }

    /// Commands that begin with `prefix`.
    pub(crate) fn heard(&self, prefix: &str) -> Vec<String> {
        self.change(|mailbox| {
            let commands = mailbox.heard.iter().map(|(_, command)| command.clone());
            commands.filter(|command| command.starts_with(prefix)).collect()
        })
    }

    pub(crate) fn account(&self) -> Account {
        Account {
            name: "fake".to_owned(),
            host: "127.0.0.1".to_owned(),
            port: self.port,
            tls: Tls::None,
            ca_file: None,
            user: "bot".to_owned(),
            secret: Secret::Password("secret".to_owned()),
            mailbox: "INBOX".to_owned(),
            slices: false,
            since: None,
            timing: quick(),
            limits: Limits::default(),
        }
    }
}

pub(crate) fn mail(uid: u32) -> Vec<u8> {
    format!("Subject: mail {uid}\r\n\r\nText {uid}\r\n").into_bytes()
}

struct Connection {
    talk: Talk,
    number: usize,
    mailbox: Arc<Mutex<Mailbox>>,
    tag: String,
    /// Number of mails that the client knows of.
    told: usize,
}

impl Connection {
    fn serve(mut self, script: &Script) {
        let greeting = self.mailbox.lock().unwrap().greeting.clone();
        self.talk.say(format!("{greeting}\r\n").as_bytes());
        while let Some(line) = self.talk.line() {
            // DONE and answers to a challenge have no tag: they belong to the command before.
            let command = match line.split_once(' ') {
                Some((tag, command)) => {
                    self.tag = tag.to_owned();
                    command.to_owned()
                }
                None => line,
            };
            let tag = self.tag.clone();
            self.mailbox.lock().unwrap().heard.push((self.number, command.clone()));
            match script(self.number, &command) {
                Action::Usual => self.usual(&tag, &command),
                Action::Say(bytes) => self.talk.say(&with_tag(&bytes, &tag)),
                Action::SayAndClose(bytes) => {
                    self.talk.say(&with_tag(&bytes, &tag));
                    return self.talk.close();
                }
                Action::Hang => return self.talk.hang(),
            }
        }
    }

    fn usual(&mut self, tag: &str, command: &str) {
        let mailbox = self.mailbox.lock().unwrap().clone();
        let Mailbox { uid_validity, uid_next, capabilities, .. } = &mailbox;
        let exists = mailbox.mails.len();
        let words: Vec<&str> = command.split(' ').collect();
        let news = match self.told < exists {
            true => format!("* {exists} EXISTS\r\n"),
            false => String::new(),
        };
        let untagged = match words[0] {
            "CAPABILITY" => format!("* CAPABILITY {capabilities}\r\n").into_bytes(),
            "EXAMINE" => format!(
                "* {exists} EXISTS\r\n* OK [UIDVALIDITY {uid_validity}] x\r\n* OK [UIDNEXT {uid_next}] x\r\n"
            )
            .into_bytes(),
            "NOOP" => news.into_bytes(),
            "FETCH" => {
                let last = mailbox.mails.keys().last().unwrap();
                assert_eq!(command, format!("FETCH {exists} (UID)"));
                format!("* {exists} FETCH (UID {last})\r\n").into_bytes()
            }
            "UID" if words[1] == "FETCH" => fetch(&mailbox, words[2], command),
            "UID" => search(&mailbox, words.last().unwrap()),
            "IDLE" => return self.idle(),
            _ => Vec::new(),
        };
        if matches!(words[0], "EXAMINE" | "NOOP") {
            self.told = exists;
        }
        self.talk.say(&untagged);
        self.talk.say(format!("{tag} OK done\r\n").as_bytes());
    }

    /// Announces new mail until something comes from the client.
    fn idle(&mut self) {
        self.talk.say(b"+ idling\r\n");
        let brief = Some(Duration::from_millis(5));
        self.talk.stream.set_read_timeout(brief).unwrap();
        loop {
            let exists = self.mailbox.lock().unwrap().mails.len();
            if exists != self.told {
                self.told = exists;
                self.talk.say(format!("* {exists} EXISTS\r\n").as_bytes());
            }
            let mut byte = [0];
            match self.talk.stream.peek(&mut byte) {
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                _ => break,
            }
        }
        self.talk.stream.set_read_timeout(None).unwrap();
    }
}

fn with_tag(bytes: &[u8], tag: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(3).position(|window| window == b"TAG") {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(tag.as_bytes());
        rest = &rest[at + 3..];
    }
    out.extend_from_slice(rest);
    out
}

fn chosen(mailbox: &Mailbox, set: &str) -> Vec<u32> {
    let highest = mailbox.mails.keys().last().copied().unwrap_or(0);
    let number = |text: &str| {
        if text == "*" { highest } else { text.parse().unwrap() }
    };
    let ranges: Vec<(u32, u32)> = set
        .split(',')
        .map(|part| part.split_once(':').unwrap_or((part, part)))
        .map(|(a, b)| (number(a).min(number(b)), number(a).max(number(b))))
        .collect();
    let inside = |uid: &u32| ranges.iter().any(|(a, b)| (a..=b).contains(&uid));
    mailbox.mails.keys().copied().filter(inside).collect()
}

fn search(mailbox: &Mailbox, set: &str) -> Vec<u8> {
    let uids = chosen(mailbox, set).iter().map(|uid| format!(" {uid}")).collect::<String>();
    format!("* SEARCH{uids}\r\n").into_bytes()
}

fn fetch(mailbox: &Mailbox, set: &str, command: &str) -> Vec<u8> {
    let mut answer = Vec::new();
    for uid in chosen(mailbox, set) {
        answer.extend(fetched(mailbox, uid, command));
    }
    answer
}

fn fetched(mailbox: &Mailbox, uid: u32, command: &str) -> Vec<u8> {
    let number = 1 + mailbox.mails.keys().position(|known| *known == uid).unwrap();
    let mail = &mailbox.mails[&uid];
    let mut answer = format!("* {number} FETCH (UID {uid}").into_bytes();
    if command.contains("RFC822.SIZE") {
        answer.extend(format!(" RFC822.SIZE {}", mail.len()).bytes());
    }
    if command.contains("INTERNALDATE") {
        answer.extend(b" INTERNALDATE \"03-Aug-2026 10:00:00 +0200\"".iter());
    }
    if command.contains("BODY.PEEK[HEADER]") {
        let end = mail.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
        answer.extend(format!(" BODY[HEADER] {{{end}}}\r\n").bytes());
        answer.extend(&mail[..end]);
    }
    if let Some((_, rest)) = command.split_once("BODY.PEEK[]<0.") {
        let length: usize = rest.split('>').next().unwrap().parse().unwrap();
        let part = &mail[..length.min(mail.len())];
        answer.extend(format!(" BODY[]<0> {{{}}}\r\n", part.len()).bytes());
        answer.extend(part);
    } else if command.contains("BODY.PEEK[]") {
        answer.extend(format!(" BODY[] {{{}}}\r\n", mail.len()).bytes());
        answer.extend(mail);
    }
    answer.extend(b")\r\n");
    answer
}
