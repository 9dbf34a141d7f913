//! Puts the `+` that answers IDLE in front of what a server says before it.
//!
//! A server may announce new mail between the command and its `+` (RFC 2177 does not forbid it). The `imap` crate takes
//! such a line for the answer and waits for the timeout.

/// Watches for an IDLE command, then holds lines back until the `+` line is there.
#[derive(Debug, Default)]
pub(super) struct Reorder {
    waiting: bool,
    held: Vec<u8>,
}

impl Reorder {
    /// Sees what the client sends.
    pub(super) fn sent(&mut self, bytes: &[u8]) {
        if bytes.ends_with(b" IDLE\r\n") {
            self.waiting = true;
        }
    }

    /// Whether the next bytes read must be passed through [`Reorder::received`].
    pub(super) fn waiting(&self) -> bool {
        self.waiting
    }

    /// Takes bytes from the server; gives what may be read by the client now, in the order that it understands.
    pub(super) fn received(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.held.extend_from_slice(bytes);
        let mut start = 0;
        while let Some(length) = self.held[start..].iter().position(|b| *b == b'\n') {
            let end = start + length + 1;
            match self.held[start..].first() {
                Some(b'*') => start = end,
                Some(b'+') => {
                    let mut ordered = self.held[start..end].to_vec();
                    self.held.drain(start..end);
                    ordered.append(&mut self.held);
                    self.waiting = false;
                    return ordered;
                }
                // A tagged line: IDLE is refused, and the crate knows what to make of it.
                _ => break,
            }
        }
        let undecided = self.held[start..].is_empty() || matches!(self.held[start], b'*' | b'+');
        if undecided && self.held.len() < 64 * 1024 {
            return Vec::new();
        }
        self.waiting = false;
        std::mem::take(&mut self.held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn idle() -> Reorder {
        let mut reorder = Reorder::default();
        reorder.sent(b"a4 NOOP\r\n");
        assert!(!reorder.waiting());
        reorder.sent(b"a5 IDLE\r\n");
        assert!(reorder.waiting());
        reorder
    }

    #[test]
    fn the_plus_comes_first() {
        let mut reorder = idle();
        assert_eq!(reorder.received(b"* 4 EXISTS\r\n* 1 REC"), b"");
        assert_eq!(reorder.received(b"ENT\r\n+ idl"), b"");
        assert_eq!(
            reorder.received(b"ing\r\n* 5 EXISTS\r\n"),
            b"+ idling\r\n* 4 EXISTS\r\n* 1 RECENT\r\n* 5 EXISTS\r\n"
        );
        assert!(!reorder.waiting());
    }

    #[test]
    fn a_refusal_passes_as_it_is() {
        let mut reorder = idle();
        assert_eq!(
            reorder.received(b"* 4 EXISTS\r\na5 NO not now\r\n"),
            b"* 4 EXISTS\r\na5 NO not now\r\n"
        );
        assert!(!reorder.waiting());
    }

    #[test]
    fn endless_chatter_is_let_go() {
        let mut reorder = idle();
        let line = b"* OK still here\r\n".repeat(5000);
        assert_eq!(reorder.received(&line), line);
        assert!(!reorder.waiting());
    }
}
