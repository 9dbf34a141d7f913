//! What scripted servers have in common: a listener, a line reader, and a way to misbehave.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};

/// What a scripted server does in place of the usual answer.
pub(crate) enum Action {
    /// The usual answer.
    Usual,
    /// Says this (for IMAP, `TAG` stands for the command's tag).
    Say(Vec<u8>),
    /// Says this and closes.
    SayAndClose(Vec<u8>),
    /// Falls silent until the client goes away.
    Hang,
}

/// Says a text.
pub(crate) fn say(text: &str) -> Action {
    Action::Say(text.as_bytes().to_vec())
}

/// Says a text and closes.
pub(crate) fn say_and_close(text: &str) -> Action {
    Action::SayAndClose(text.as_bytes().to_vec())
}

/// One connection of a scripted server.
pub(crate) struct Talk {
    pub(crate) reader: BufReader<TcpStream>,
    pub(crate) stream: TcpStream,
}

impl Talk {
    pub(crate) fn say(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes);
    }

    /// The next line without its end; `None` when the client is gone.
    pub(crate) fn line(&mut self) -> Option<String> {
        let mut line = Vec::new();
        match self.reader.read_until(b'\n', &mut line) {
            Ok(count) if count > 0 => {
                Some(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned())
            }
            _ => None,
        }
    }

    pub(crate) fn close(&self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    pub(crate) fn hang(&mut self) {
        let _ = self.reader.read_to_end(&mut Vec::new());
    }
}

/// Serves each connection on a thread of its own; gives the port. `serve` gets the connection's number, from 1.
pub(crate) fn listen(serve: impl Fn(Talk, usize) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let serve = std::sync::Arc::new(serve);
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let Ok(stream) = stream else { return };
            let serve = serve.clone();
            std::thread::spawn(move || {
                let reader = BufReader::new(stream.try_clone().unwrap());
                serve(Talk { reader, stream }, number + 1);
            });
        }
    });
    port
}
