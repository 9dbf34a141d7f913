//! Dovecot: IMAP, IMAPS, STARTTLS, XOAUTH2, and LMTP to put mail in.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command};

use regard::imap::{Account, Limits, Timing};
use regard::net::{Secret, Tls};

use super::server::{Server, open_folder, script, wait_for};

/// The password of every user.
pub(crate) const PASSWORD: &str = "secret";

pub(crate) struct Dovecot {
    server: Server,
    introspection: Option<Child>,
    folder: tempfile::TempDir,
}

impl Dovecot {
    pub(crate) fn start() -> Self {
        let folder = open_folder();
        let server = Server::start("dovecot.sh", folder.path(), &[]);
        Self { server, introspection: None, folder }
    }

    pub(crate) fn imap(&self) -> u16 {
        self.server.port("IMAP")
    }

    pub(crate) fn imaps(&self) -> u16 {
        self.server.port("IMAPS")
    }

    pub(crate) fn lmtp(&self) -> u16 {
        self.server.port("LMTP")
    }

    /// The CA that signed its certificate.
    pub(crate) fn ca(&self) -> PathBuf {
        self.tls().join("ca.pem")
    }

    /// Folder of the CA, the certificate and its key.
    pub(crate) fn tls(&self) -> PathBuf {
        self.folder.path().join("tls")
    }

    /// The INBOX of `user` by IMAPS, with short waits.
    pub(crate) fn account(&self, user: &str) -> Account {
        Account {
            name: user.to_owned(),
            host: "localhost".to_owned(),
            port: self.imaps(),
            tls: Tls::Implicit,
            ca_file: Some(self.ca()),
            user: user.to_owned(),
            secret: Secret::Password(PASSWORD.to_owned()),
            mailbox: "INBOX".to_owned(),
            slices: false,
            since: None,
            timing: quick(),
            limits: Limits::default(),
        }
    }

    pub(crate) fn freeze(&self) {
        self.server.freeze();
    }

    pub(crate) fn thaw(&self) {
        self.server.thaw();
    }

    pub(crate) fn kill(&mut self) {
        self.server.kill();
        // What was killed may have held a lock; Dovecot would wait two minutes for it.
        let users = fs::read_dir(self.folder.path().join("mail")).unwrap().flatten();
        for file in users.filter_map(|user| fs::read_dir(user.path()).ok()).flatten().flatten() {
            if file.file_name().as_encoded_bytes().ends_with(b".lock") {
                fs::remove_file(file.path()).unwrap();
            }
        }
    }

    pub(crate) fn restart(&mut self) {
        self.server.restart();
    }

    /// Starts the token introspection that XOAUTH2 needs; "good-token" is the token of "bot".
    pub(crate) fn introspect(&mut self) {
        let ports = fs::read_to_string(self.folder.path().join("ports")).unwrap();
        let port: u16 =
            ports.lines().find_map(|l| l.strip_prefix("OAUTH=")).unwrap().parse().unwrap();
        let child =
            Command::new("perl").arg(script("introspection.pl")).arg(port.to_string()).spawn();
        self.introspection = Some(child.unwrap());
        wait_for("token introspection", || TcpStream::connect(("127.0.0.1", port)).ok());
    }

    /// Delivers a mail by LMTP; it is in the mailbox when this returns.
    pub(crate) fn deliver(&self, user: &str, mail: &str) {
        let stream = TcpStream::connect(("127.0.0.1", self.lmtp())).unwrap();
        let mut lmtp = Lmtp { reader: BufReader::new(stream.try_clone().unwrap()), stream };
        lmtp.expect("220");
        lmtp.say("LHLO localhost", "250");
        lmtp.say("MAIL FROM:<sender@example.org>", "250");
        lmtp.say(&format!("RCPT TO:<{user}@example.org>"), "250");
        lmtp.say("DATA", "354");
        let mail = mail.replace("\r\n", "\n");
        let mail = mail.trim_end_matches('\n').replace("\n.", "\n..").replace('\n', "\r\n");
        lmtp.stream.write_all(mail.as_bytes()).unwrap();
        lmtp.say("\r\n.", "250");
        lmtp.say("QUIT", "221");
    }

    /// Everything in the INBOX of `user`, in the order of arrival, with LF line ends.
    pub(crate) fn mails(&self, user: &str) -> Vec<String> {
        let mut found = Vec::new();
        for part in ["new", "cur"] {
            let Ok(files) = fs::read_dir(self.maildir(user).join(part)) else {
                continue;
            };
            // A file may move from new to cur meanwhile; then it is found there.
            found.extend(files.flatten().filter_map(|file| {
                let text = fs::read(file.path()).ok()?;
                Some((file.file_name(), String::from_utf8_lossy(&text).replace("\r\n", "\n")))
            }));
        }
        found.sort();
        found.dedup_by(|a, b| {
            a.0.as_encoded_bytes().split(|b| *b == b':').next()
                == b.0.as_encoded_bytes().split(|b| *b == b':').next()
        });
        found.into_iter().map(|(_, text)| text).collect()
    }

    /// Waits until the INBOX of `user` holds `count` mails.
    pub(crate) fn wait_for_mails(&self, user: &str, count: usize) -> Vec<String> {
        wait_for(&format!("{count} mails for {user}"), || {
            let mails = self.mails(user);
            (mails.len() >= count).then_some(mails)
        })
    }

    /// Restarts it with another UIDVALIDITY of the INBOX of `user`, as after a restore from a backup.
    pub(crate) fn change_uidvalidity(&mut self, user: &str) {
        self.kill();
        let list = self.maildir(user).join("dovecot-uidlist");
        let text = fs::read_to_string(&list).unwrap();
        // First line: `3 V<uidvalidity> N<uidnext> G<guid>`.
        let mut words: Vec<String> =
            text.lines().next().unwrap().split(' ').map(str::to_owned).collect();
        let validity: u32 = words[1].strip_prefix('V').unwrap().parse().unwrap();
        words[1] = format!("V{}", validity + 1000);
        let rest = text.split_once('\n').unwrap().1;
        fs::write(&list, format!("{}\n{rest}", words.join(" "))).unwrap();
        for file in fs::read_dir(self.maildir(user)).unwrap().flatten() {
            if file.file_name().to_string_lossy().starts_with("dovecot.") {
                fs::remove_file(file.path()).unwrap();
            }
        }
        self.restart();
    }

    fn maildir(&self, user: &str) -> PathBuf {
        self.folder.path().join("mail").join(user)
    }
}

impl Drop for Dovecot {
    fn drop(&mut self) {
        if let Some(child) = &mut self.introspection {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Patience for tests: a silent server is noticed soon, and pauses are short.
pub(crate) fn quick() -> Timing {
    use std::time::Duration;
    Timing {
        connect: Duration::from_secs(5),
        io: Duration::from_secs(5),
        command: Duration::from_secs(30),
        idle: Duration::from_secs(20),
        poll: Duration::from_millis(100),
        secret: Duration::from_secs(20),
        retry_first: Duration::from_millis(50),
        retry_max: Duration::from_millis(400),
        refused_first: Duration::from_millis(100),
        refused_max: Duration::from_millis(400),
    }
}

struct Lmtp {
    reader: BufReader<TcpStream>,
    stream: TcpStream,
}

impl Lmtp {
    fn say(&mut self, line: &str, code: &str) {
        self.stream.write_all(format!("{line}\r\n").as_bytes()).unwrap();
        self.expect(code);
    }

    fn expect(&mut self, code: &str) {
        let mut line = String::new();
        while !line.starts_with(&format!("{code} ")) {
            line.clear();
            self.reader.read_line(&mut line).unwrap();
            assert!(line.starts_with(code), "LMTP said {line:?} instead of {code}");
        }
    }
}
