//! A small SMTP server that behaves, except where a test says otherwise.

use std::sync::{Arc, Mutex};

use super::fake::{Action, Talk, listen};

/// What the server has heard.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heard {
    /// Commands with the connection's number (from 1).
    pub(crate) commands: Vec<(usize, String)>,
    /// Mails that were sent up to the dot, dots unstuffed, with CRLF.
    pub(crate) mails: Vec<Vec<u8>>,
}

#[derive(Clone)]
pub(crate) struct FakeSmtp {
    pub(crate) port: u16,
    heard: Arc<Mutex<Heard>>,
}

impl FakeSmtp {
    /// `script` is asked before each command; also for `CONNECT` and for the `.` that ends a mail.
    pub(crate) fn start(script: impl Fn(usize, &str) -> Action + Send + Sync + 'static) -> Self {
        let heard = Arc::new(Mutex::new(Heard::default()));
        let shared = heard.clone();
        let port = listen(move |mut talk, number| {
            serve(&mut talk, number, &shared, &script);
        });
        Self { port, heard }
    }

    pub(crate) fn heard(&self) -> Heard {
        self.heard.lock().unwrap().clone()
    }

    /// Commands that begin with `prefix`.
    pub(crate) fn commands(&self, prefix: &str) -> Vec<String> {
        let commands = self.heard().commands.into_iter().map(|(_, command)| command);
        commands.filter(|command| command.starts_with(prefix)).collect()
    }
}

fn serve(
    talk: &mut Talk,
    number: usize,
    heard: &Mutex<Heard>,
    script: &dyn Fn(usize, &str) -> Action,
) -> Option<()> {
    let mut command = "CONNECT".to_owned();
    loop {
        heard.lock().unwrap().commands.push((number, command.clone()));
        let answer = match script(number, &command) {
            Action::Usual => usual(&command).as_bytes().to_vec(),
            Action::Say(bytes) => bytes,
            Action::SayAndClose(bytes) => {
                talk.say(&bytes);
                talk.close();
                return None;
            }
            Action::Hang => {
                talk.hang();
                return None;
            }
        };
        talk.say(&answer);
        command = if command == "DATA" && answer.starts_with(b"354") {
            let mail = data(talk)?;
            heard.lock().unwrap().mails.push(mail);
            ".".to_owned()
        } else {
            talk.line()?
        };
    }
}

fn data(talk: &mut Talk) -> Option<Vec<u8>> {
    use std::io::BufRead;
    let mut mail = Vec::new();
    loop {
        let mut line = Vec::new();
        if talk.reader.read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        if line == b".\r\n" {
            return Some(mail);
        }
        mail.extend(line.strip_prefix(b".").unwrap_or(&line));
    }
}

fn usual(command: &str) -> &'static str {
    match command.split([' ', ':']).next().unwrap_or_default() {
        "CONNECT" => "220 fake ready\r\n",
        "EHLO" => {
            "250-fake\r\n250-8BITMIME\r\n250-SIZE 1000000\r\n250 AUTH PLAIN LOGIN XOAUTH2\r\n"
        }
        "AUTH" => "235 2.7.0 welcome\r\n",
        "DATA" => "354 go on\r\n",
        "." => "250 2.0.0 queued as F4K3\r\n",
        "QUIT" => "221 bye\r\n",
        _ => "250 ok\r\n",
    }
}
