//! A TCP socket on which no wait and no answer is without end.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What is tolerated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Longest silence.
    pub(super) io: Duration,
    /// Longest time from a command to the last byte of its answer.
    pub(super) command: Duration,
    /// Most bytes of an answer.
    pub(super) bytes: u64,
}

/// Once anything has failed, all that follows fails at once: an answer that comes late belongs to another command.
/// The end of an IDLE is the one exception.
#[derive(Debug)]
pub(super) struct Bounded {
    socket: TcpStream,
    bounds: Bounds,
    idle_until: Option<Instant>,
    since: Instant,
    bytes: u64,
    failed: bool,
    stopped: Arc<AtomicBool>,
}

impl Bounded {
    /// Reads fail as soon as `stopped` is set.
    pub(super) fn new(
        socket: TcpStream,
        bounds: Bounds,
        stopped: Arc<AtomicBool>,
    ) -> io::Result<Self> {
        socket.set_write_timeout(Some(bounds.io))?;
        let since = Instant::now();
        Ok(Self { socket, bounds, idle_until: None, since, bytes: 0, failed: false, stopped })
    }

    /// From now on reads end at an absolute moment, however much the server chatters; `None` goes back to the bounds of
    /// a command. (The `imap` crate means "wait for ever" by `None`, when it ends an IDLE.)
    pub(super) fn idle(&mut self, limit: Option<Duration>) {
        self.idle_until = limit.map(|limit| Instant::now() + limit);
        self.begin();
    }

    fn begin(&mut self) {
        self.since = Instant::now();
        self.bytes = 0;
    }

    fn left(&self) -> Duration {
        let now = Instant::now();
        match self.idle_until {
            Some(end) => end.saturating_duration_since(now),
            None => {
                let command = self.since + self.bounds.command;
                self.bounds.io.min(command.saturating_duration_since(now))
            }
        }
    }

    fn fail(&mut self, error: io::Error) -> io::Error {
        self.failed = error.kind() != io::ErrorKind::Interrupted;
        error
    }

    fn check(&self) -> io::Result<()> {
        match self.failed {
            true => Err(io::Error::new(io::ErrorKind::NotConnected, "the connection has failed")),
            false => Ok(()),
        }
    }

    fn timed_out(&mut self) -> io::Error {
        if self.idle_until.is_some() {
            return io::Error::new(io::ErrorKind::TimedOut, "end of IDLE");
        }
        let text = format!("the server was silent for {} s", self.bounds.io.as_secs_f32());
        self.fail(io::Error::new(io::ErrorKind::TimedOut, text))
    }
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.check()?;
        if self.stopped.load(Ordering::Acquire) {
            return Err(io::Error::new(io::ErrorKind::NotConnected, "stopped"));
        }
        let left = self.left();
        if left.is_zero() {
            return Err(self.timed_out());
        }
        self.socket.set_read_timeout(Some(left))?;
        match self.socket.read(buffer) {
            Ok(count) => {
                self.bytes += count as u64;
                if self.bytes > self.bounds.bytes {
                    let text = format!("an answer of more than {} bytes", self.bounds.bytes);
                    return Err(self.fail(io::Error::new(io::ErrorKind::InvalidData, text)));
                }
                Ok(count)
            }
            // Linux says WouldBlock for a timeout, which TLS would take for "call again".
            Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                Err(self.timed_out())
            }
            Err(error) => Err(self.fail(error)),
        }
    }
}

impl Write for Bounded {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.check()?;
        self.begin();
        self.socket.write(buffer).map_err(|error| self.fail(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    fn pair(bounds: Bounds) -> (Bounded, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (Bounded::new(near, bounds, Arc::default()).unwrap(), listener.accept().unwrap().0)
    }

    fn bounds() -> Bounds {
        let long = Duration::from_secs(60);
        Bounds { io: long, command: long, bytes: 1000 }
    }

    #[test]
    fn silence_fails_the_connection_for_good() {
        let (mut near, mut far) = pair(Bounds { io: Duration::from_millis(20), ..bounds() });
        assert_eq!(near.read(&mut [0; 9]).unwrap_err().kind(), io::ErrorKind::TimedOut);
        far.write_all(b"late").unwrap();
        assert_eq!(near.read(&mut [0; 9]).unwrap_err().kind(), io::ErrorKind::NotConnected);
        assert_eq!(near.write(b"x").unwrap_err().kind(), io::ErrorKind::NotConnected);
    }

    #[test]
    fn chatter_does_not_prolong_an_idle_nor_end_the_connection() {
        let (mut near, mut far) = pair(bounds());
        near.idle(Some(Duration::from_millis(60)));
        let chatter = std::thread::spawn(move || {
            while far.write_all(b"* OK Still here\r\n").is_ok() {
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let end = near.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(end.kind(), io::ErrorKind::TimedOut);
        near.idle(None);
        assert!(near.read(&mut [0; 9]).is_ok());
        drop(near);
        chatter.join().unwrap();
    }

    #[test]
    fn an_answer_without_end_is_cut() {
        let (mut near, mut far) = pair(bounds());
        far.write_all(&[b'x'; 1001]).unwrap();
        let end = (0..1001).find_map(|_| near.read(&mut [0; 100]).err());
        assert_eq!(end.unwrap().kind(), io::ErrorKind::InvalidData);
    }
}
