//! mbox files (mboxrd, RFC 4155), read as a stream.

use std::io::{self, BufRead, Read};

/// Bytes kept of one mail. Beyond it a mail is read by its headers only anyway.
pub(super) const LARGEST: usize = 32 << 20;

/// The mails of an mbox, one by one.
pub(super) struct Mbox<R> {
    reader: R,
    /// The `From ` line of the next mail has been read already.
    begun: bool,
}

impl<R: BufRead> Mbox<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, begun: false }
    }

    /// The next mail without its `From ` line, `>From ` quoting undone. `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut mail = Vec::new();
        let mut line = Vec::new();
        let mut after_blank = true;
        loop {
            line.clear();
            // A line without end must not fill the memory.
            let read = self.reader.by_ref().take(LARGEST as u64).read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok((self.begun && !mail.is_empty()).then_some(mail))
                    .inspect(|_| self.begun = false);
            }
            if after_blank && is_separator(&line) {
                if std::mem::replace(&mut self.begun, true) && !mail.is_empty() {
                    return Ok(Some(mail));
                }
                after_blank = false;
                continue;
            }
            after_blank = line.trim_ascii_end().is_empty();
            if self.begun && mail.len() + line.len() <= LARGEST {
                let quoted = line.iter().take_while(|&&b| b == b'>').count();
                let unquoted = usize::from(quoted > 0 && line[quoted..].starts_with(b"From "));
                mail.extend_from_slice(&line[unquoted..]);
            }
        }
    }
}

/// `From somebody Mon Sep 17 00:00:00 2001`: a year and a time tell it from prose.
fn is_separator(line: &[u8]) -> bool {
    line.starts_with(b"From ")
        && line.len() < 500
        && line.windows(4).any(|w| w.iter().all(u8::is_ascii_digit))
        && line.contains(&b':')
}

#[cfg(test)]
mod tests {
    use super::Mbox;

    fn all(text: &str) -> Vec<String> {
        let mut mbox = Mbox::new(text.as_bytes());
        let mut mails = Vec::new();
        while let Some(mail) = mbox.next().unwrap() {
            mails.push(String::from_utf8(mail).unwrap());
        }
        mails
    }

    #[test]
    fn mails_are_parted_and_unquoted() {
        let text = "From a Mon Jan 12 10:00:00 2026\nSubject: 1\n\n>From here\n>>From there\nFrom where?\n\nFrom b Mon Jan 12 10:00:01 2026\nSubject: 2\n\nx\n";
        assert_eq!(
            all(text),
            ["Subject: 1\n\nFrom here\n>From there\nFrom where?\n\n", "Subject: 2\n\nx\n"]
        );
    }

    #[test]
    fn empty_and_foreign_text_gives_nothing() {
        assert_eq!(all(""), [""; 0]);
        assert_eq!(all("no mbox\nat all\n"), [""; 0]);
    }
}
