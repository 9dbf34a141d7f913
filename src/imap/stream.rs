//! A connection to an IMAP server: TCP, then TLS in one of its modes.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use imap::extensions::idle::SetReadTimeout;
use rustls::pki_types::ServerName;
use rustls::{ClientConnection, StreamOwned};

use super::bounded::{Bounded, Bounds};
use super::control::Control;
use super::reorder::Reorder;
use super::{Account, ImapError};
use crate::net::{DialError, Tls, client_config, explain, tls_error_in};

/// Longest line of a greeting or of the answer to STARTTLS.
const LONGEST_LINE: usize = 8192;

/// Bytes to and from the server, decrypted.
#[derive(Debug)]
pub(super) struct Stream {
    wire: Wire,
    reorder: Reorder,
    ready: Vec<u8>,
}

#[derive(Debug)]
enum Wire {
    Plain(Bounded),
    Tls(Box<StreamOwned<ClientConnection, Bounded>>),
}

impl Stream {
    /// Connects, up to the end of the TLS handshake. `control` can end it, and all that follows, at any time.
    pub(super) fn connect(account: &Account, control: &Control) -> Result<Self, ImapError> {
        let lost = |error: io::Error| ImapError::Lost(error.to_string());
        let socket = dial(account)?;
        let stopped = control.hold(socket.try_clone().map_err(lost)?);
        let bounds = Bounds {
            io: account.timing.io,
            command: account.timing.command,
            bytes: account.limits.answer_bytes,
        };
        let mut bounded = Bounded::new(socket, bounds, stopped).map_err(lost)?;
        let wire = match account.tls {
            Tls::None | Tls::Insecure => Wire::Plain(bounded),
            Tls::Starttls => {
                starttls(&mut bounded)?;
                handshake(account, bounded)?
            }
            Tls::Implicit => handshake(account, bounded)?,
        };
        Ok(Self { wire, reorder: Reorder::default(), ready: Vec::new() })
    }

    fn bounded(&mut self) -> &mut Bounded {
        match &mut self.wire {
            Wire::Plain(bounded) => bounded,
            Wire::Tls(stream) => &mut stream.sock,
        }
    }
}

fn dial(account: &Account) -> Result<TcpStream, DialError> {
    let Account { host, port, tls, timing, .. } = account;
    let unknown = |why: String| DialError::Resolve { host: host.clone(), why };
    let found = (host.as_str(), *port).to_socket_addrs().map_err(|e| unknown(e.to_string()))?;
    let addresses: Vec<SocketAddr> = found.collect();
    DialError::guard(host, *tls, addresses.iter().map(SocketAddr::ip))?;
    let mut why = "it has no address".to_owned();
    for address in addresses {
        match TcpStream::connect_timeout(&address, timing.connect).and_then(keep_alive) {
            Ok(socket) => return Ok(socket),
            Err(error) => why = error.to_string(),
        }
    }
    Err(DialError::Connect { host: host.clone(), port: *port, why })
}

/// The kernel notices a dead peer, too: by keep-alive when idle, by the user timeout when it owes us an ACK.
fn keep_alive(socket: TcpStream) -> io::Result<TcpStream> {
    let options = socket2::SockRef::from(&socket);
    let keep = socket2::TcpKeepalive::new()
        .with_time(Duration::from_secs(60))
        .with_interval(Duration::from_secs(10))
        .with_retries(3);
    options.set_tcp_keepalive(&keep)?;
    #[cfg(target_os = "linux")]
    options.set_tcp_user_timeout(Some(Duration::from_secs(90)))?;
    socket.set_nodelay(true)?;
    Ok(socket)
}

fn handshake(account: &Account, mut socket: Bounded) -> Result<Wire, ImapError> {
    let host = &account.host;
    let config = client_config(account.ca_file.as_deref()).map_err(DialError::Trust)?;
    let failed = |why: String, cure| DialError::Tls { host: host.clone(), why, cure };
    let name = ServerName::try_from(host.clone())
        .map_err(|e| failed(e.to_string(), "host is neither a name nor an address"))?;
    let mut connection = ClientConnection::new(config, name)
        .map_err(|error| failed(error.to_string(), explain(&error)))?;
    while connection.is_handshaking() {
        match connection.complete_io(&mut socket) {
            Ok((0, 0)) => return Err(ImapError::Lost("closed during the TLS handshake".into())),
            Ok(_) => {}
            Err(error) => {
                return Err(match tls_error_in(&error) {
                    Some(cause) => failed(cause.to_string(), explain(cause)).into(),
                    None => ImapError::Lost(format!("during the TLS handshake: {error}")),
                });
            }
        }
    }
    Ok(Wire::Tls(Box::new(StreamOwned::new(connection, socket))))
}

/// Asks for TLS by hand (the `imap` crate can do it only on streams of its own), RFC 3501 section 6.2.1.
///
/// Bytes are read one at a time, so that nothing said in the clear is kept for later: what somebody in between appends
/// to the answer goes into the handshake, and breaks it.
fn starttls(socket: &mut Bounded) -> Result<(), ImapError> {
    let greeting = line(socket)?;
    check_greeting(greeting.as_bytes())?;
    let asked = socket.write_all(b"s1 STARTTLS\r\n").and_then(|()| socket.flush());
    asked.map_err(|error| ImapError::Lost(error.to_string()))?;
    loop {
        let answer = line(socket)?;
        match answer.strip_prefix("s1 ") {
            Some(answer) if answer.to_ascii_uppercase().starts_with("OK") => return Ok(()),
            Some(answer) => return Err(ImapError::Starttls(answer.trim_end().to_owned())),
            None if answer.starts_with("* ") => {}
            None => return Err(ImapError::Protocol("the answer to STARTTLS".into())),
        }
    }
}

fn line(socket: &mut Bounded) -> Result<String, ImapError> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.len() < LONGEST_LINE {
        match socket.read(&mut byte) {
            Ok(0) => return Err(ImapError::Lost("closed by the server".into())),
            Ok(_) => line.push(byte[0]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(ImapError::Lost(error.to_string())),
        }
        if line.ends_with(b"\n") {
            return Ok(String::from_utf8_lossy(&line).into_owned());
        }
    }
    Err(ImapError::Protocol("a line without end before TLS".into()))
}

/// Looks at what the server says first; the `imap` crate does not.
pub(super) fn check_greeting(greeting: &[u8]) -> Result<(), ImapError> {
    let text = String::from_utf8_lossy(greeting).trim_end().to_owned();
    let upper = text.to_ascii_uppercase();
    match () {
        () if upper.starts_with("* OK") => Ok(()),
        () if upper.starts_with("* BYE") => Err(ImapError::Lost(format!("turned away: {text}"))),
        () if upper.starts_with("* PREAUTH") => {
            Err(ImapError::Greeting("the server has logged us in as somebody (PREAUTH)".into()))
        }
        () => Err(ImapError::Greeting(text.chars().take(80).collect())),
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.ready.is_empty() && self.reorder.waiting() {
            let mut bytes = [0; 4096];
            let count = self.wire.read(&mut bytes)?;
            if count == 0 {
                return Ok(0);
            }
            self.ready = self.reorder.received(&bytes[..count]);
        }
        if self.ready.is_empty() {
            return self.wire.read(buffer);
        }
        let count = self.ready.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.ready[..count]);
        self.ready.drain(..count);
        Ok(count)
    }
}

impl Write for Stream {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.reorder.sent(buffer);
        match &mut self.wire {
            Wire::Plain(bounded) => bounded.write(buffer),
            Wire::Tls(stream) => stream.write(buffer),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.wire {
            Wire::Plain(bounded) => bounded.flush(),
            Wire::Tls(stream) => stream.flush(),
        }
    }
}

impl Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(bounded) => bounded.read(buffer),
            Self::Tls(stream) => stream.read(buffer),
        }
    }
}

/// Ends TLS as the protocol wants it. public-inbox drops the connections of other clients after one that just goes away.
impl Drop for Stream {
    fn drop(&mut self) {
        if let Wire::Tls(stream) = &mut self.wire {
            stream.conn.send_close_notify();
            let _ = stream.conn.write_tls(&mut stream.sock);
        }
    }
}

impl SetReadTimeout for Stream {
    fn set_read_timeout(&mut self, timeout: Option<Duration>) -> imap::Result<()> {
        self.bounded().idle(timeout);
        Ok(())
    }
}
