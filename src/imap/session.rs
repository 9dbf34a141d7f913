//! The few commands that we use, on a connection that is logged in.

use std::time::Duration;

use imap::types::UnsolicitedResponse;
use jiff::Timestamp;
use jiff::civil::Date;

use super::answer::{self, Opened};
use super::control::Control;
use super::login::login;
use super::plan::{Item, uid_set};
use super::stream::{Stream, check_greeting};
use super::{Account, Fetched, ImapError};
use crate::net::{DialError, Tls};

/// Never FETCH more than UID, RFC822.SIZE, INTERNALDATE and BODY.PEEK[]: one ENVELOPE or BODYSTRUCTURE that the crate
/// cannot parse would end the connection, each time.
pub(super) struct Session {
    inner: imap::Session<Stream>,
    capabilities: Vec<String>,
    /// Mails in the mailbox, as far as we were told.
    exists: u32,
}

impl Session {
    /// Connects and logs in.
    pub(super) fn open(account: &Account, control: &Control) -> Result<Self, ImapError> {
        let credential =
            account.secret.resolve(account.timing.secret).map_err(DialError::Secret)?;
        let mut client = imap::Client::new(Stream::connect(account, control)?);
        // After STARTTLS there is no second greeting.
        if account.tls != Tls::Starttls {
            let greeting =
                client.read_greeting().map_err(|e| ImapError::from_client("greeting", e))?;
            check_greeting(&greeting)?;
        }
        let before = client.capabilities().map_err(|e| ImapError::from_client("CAPABILITY", e))?;
        let known = ["LOGINDISABLED", "AUTH=PLAIN"].map(str::to_owned);
        let known: Vec<String> = known.into_iter().filter(|name| before.has_str(name)).collect();
        let inner = login(client, account, &known, &credential)?;
        let mut session = Self { inner, capabilities: Vec::new(), exists: 0 };
        session.capabilities = answer::capabilities(&session.run("CAPABILITY", "")?);
        Ok(session)
    }

    /// Upper case, after login.
    pub(super) fn capabilities(&self) -> &[String] {
        &self.capabilities
    }

    pub(super) fn has_idle(&self) -> bool {
        self.capabilities.iter().any(|capability| capability == "IDLE")
    }

    fn run(&mut self, command: &'static str, arguments: &str) -> Result<Vec<u8>, ImapError> {
        let answer = self.inner.run(format!("{command} {arguments}").trim_end());
        answer.map(|(bytes, _)| bytes).map_err(|e| ImapError::from_client(command, e))
    }

    /// Opens a mailbox read-only: no flag changes, several readers can share it.
    pub(super) fn examine(&mut self, mailbox: &str) -> Result<Opened, ImapError> {
        let (text, pattern) = match self.run("EXAMINE", &quoted(mailbox)?) {
            Ok(answer) => match Opened::read(&answer)? {
                // Zero is not legal: public-inbox gives it for the name above its slices.
                Opened { uid_validity: 0, .. } => {
                    ("it is only the name above others".to_owned(), format!("{mailbox}.%"))
                }
                opened => {
                    self.exists = opened.exists;
                    return Ok(opened);
                }
            },
            Err(ImapError::Refused { text, .. }) => (text, "%".to_owned()),
            Err(error) => return Err(error),
        };
        let others = self.list(&pattern).unwrap_or_default().into_iter().take(20).collect();
        Err(ImapError::Mailbox { mailbox: mailbox.to_owned(), text, others })
    }

    /// Whether there is such a mailbox.
    pub(super) fn exists(&mut self, mailbox: &str) -> Result<bool, ImapError> {
        match self.run("STATUS", &format!("{} (UIDNEXT)", quoted(mailbox)?)) {
            Ok(_) => Ok(true),
            Err(ImapError::Refused { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Names of the mailboxes that match `pattern` (RFC 3501 section 6.3.8).
    pub(super) fn list(&mut self, pattern: &str) -> Result<Vec<String>, ImapError> {
        let names = self.inner.list(Some(""), Some(&quoted(pattern)?));
        let names = names.map_err(|e| ImapError::from_client("LIST", e))?;
        Ok(names.iter().map(|name| name.name().to_owned()).collect())
    }

    /// The highest UID that is there. UIDNEXT may be far above it: public-inbox gives the same for all slices.
    pub(super) fn last_uid(&mut self) -> Result<Option<u32>, ImapError> {
        let found = self.inner.fetch(self.exists.to_string(), "(UID)");
        let found = found.map_err(|e| ImapError::from_client("FETCH", e))?;
        Ok(found.iter().filter_map(|fetch| fetch.uid).max())
    }

    /// UID and size of all mails from `first` to `last` (to the end without one).
    pub(super) fn sizes(
        &mut self,
        first: u32,
        last: Option<u32>,
    ) -> Result<Vec<(u32, u32)>, ImapError> {
        let found = self.inner.uid_fetch(span(first, last), "(UID RFC822.SIZE)");
        let found = found.map_err(|e| ImapError::from_client("UID FETCH", e))?;
        // `n:*` names the last mail even when it is below n.
        let sizes = found.iter().filter_map(|fetch| Some((fetch.uid?, fetch.size?)));
        Ok(sizes.filter(|(uid, _)| *uid >= first).collect())
    }

    /// The same, for a server whose sizes cannot be read; all sizes are 0.
    pub(super) fn uids(
        &mut self,
        first: u32,
        last: Option<u32>,
    ) -> Result<Vec<(u32, u32)>, ImapError> {
        let found = self.inner.uid_search(format!("UID {}", span(first, last)));
        let found = found.map_err(|e| ImapError::from_client("UID SEARCH", e))?;
        Ok(found.into_iter().filter(|uid| *uid >= first).map(|uid| (uid, 0)).collect())
    }

    /// The lowest UID of a mail that arrived on or after `day`.
    pub(super) fn first_since(&mut self, day: Date) -> Result<Option<u32>, ImapError> {
        let found = self.inner.uid_search(format!("SINCE {}", day.strftime("%-d-%b-%Y")));
        let found = found.map_err(|e| ImapError::from_client("UID SEARCH", e))?;
        Ok(found.into_iter().min())
    }

    /// The mails that came, in UID order; compare with what was asked for.
    pub(super) fn fetch(
        &mut self,
        items: &[Item],
        cut_bytes: u64,
    ) -> Result<Vec<Fetched>, ImapError> {
        let mut mails = Vec::with_capacity(items.len());
        for cut in [false, true] {
            let set = uid_set(items.iter().filter(|item| item.cut == cut).map(|item| item.uid));
            if set.is_empty() {
                continue;
            }
            let query = match cut {
                true => format!("(UID INTERNALDATE BODY.PEEK[HEADER] BODY.PEEK[]<0.{cut_bytes}>)"),
                false => "(UID INTERNALDATE BODY.PEEK[])".to_owned(),
            };
            let answer = self.inner.uid_fetch(set, query);
            let answer = answer.map_err(|e| ImapError::from_client("UID FETCH", e))?;
            for fetch in answer.iter() {
                let item = items.iter().find(|item| fetch.uid == Some(item.uid) && item.cut == cut);
                let (Some(item), Some(body)) = (item, fetch.body()) else {
                    continue;
                };
                let date = fetch.internal_date();
                mails.push(Fetched {
                    uid: item.uid,
                    internal_date: date.and_then(|d| Timestamp::from_second(d.timestamp()).ok()),
                    size: if item.size == 0 { body.len() as u32 } else { item.size },
                    truncated: cut,
                    raw: first_part(fetch.header().unwrap_or_default(), body),
                });
            }
        }
        mails.sort_by_key(|mail| mail.uid);
        mails.dedup_by_key(|mail| mail.uid);
        Ok(mails)
    }

    /// Says goodbye, and does not mind the answer.
    pub(super) fn leave(mut self) {
        let _ = self.inner.logout();
    }

    /// Proves that the connection works, and lets the server tell news.
    pub(super) fn noop(&mut self) -> Result<(), ImapError> {
        self.inner.noop().map_err(|e| ImapError::from_client("NOOP", e))
    }

    /// Forgets mail announced so far, as the caller is going to look for it anyway.
    pub(super) fn forget_news(&mut self) {
        self.queued_news();
    }

    /// Empties the queue of what was said during earlier commands; tells whether mail was announced in it.
    fn queued_news(&mut self) -> bool {
        let mut news = false;
        for said in self.inner.take_all_unsolicited() {
            news |= is_news(&mut self.exists, &said);
        }
        news
    }

    /// Waits until mail is announced, at most `limit`.
    ///
    /// Mail announced during an earlier command sits in a queue, and IDLE would not tell of it again. Errors of the DONE
    /// that ends it are swallowed by the crate: the next command (see [`Session::noop`]) fails then.
    pub(super) fn idle(&mut self, limit: Duration) -> Result<(), ImapError> {
        if self.queued_news() {
            return Ok(());
        }
        let mut goodbye = None;
        let outcome = {
            let exists = &mut self.exists;
            let mut handle = self.inner.idle();
            // With its own keep-alive the crate recurses once an interval, until the stack ends.
            handle.timeout(limit).keepalive(false);
            handle.wait_while(|said| match said {
                UnsolicitedResponse::Bye { information, .. } => {
                    goodbye = Some(information.unwrap_or_default());
                    false
                }
                said => !is_news(exists, &said),
            })
        };
        match (outcome, goodbye) {
            (_, Some(text)) => Err(ImapError::Lost(format!("the server said goodbye: {text}"))),
            (outcome, None) => outcome.map(drop).map_err(|e| ImapError::from_client("IDLE", e)),
        }
    }
}

/// Whether `said` announces mail. Servers repeat EXISTS where nothing changed; taking that for news would spin.
fn is_news(exists: &mut u32, said: &UnsolicitedResponse) -> bool {
    match said {
        UnsolicitedResponse::Exists(count) => std::mem::replace(exists, *count) != *count,
        UnsolicitedResponse::Expunge(_) => {
            *exists = exists.saturating_sub(1);
            false
        }
        _ => false,
    }
}

/// The first part of a mail, whatever the server makes of that: public-inbox 1.9 gives the first part of the body, and a
/// header without the empty line after it.
fn first_part(header: &[u8], part: &[u8]) -> Vec<u8> {
    if part.starts_with(&header[..header.len().min(part.len())]) {
        return part.to_vec();
    }
    [header.trim_ascii_end(), b"\r\n\r\n", part].concat()
}

fn span(first: u32, last: Option<u32>) -> String {
    match last {
        Some(last) => format!("{first}:{last}"),
        None => format!("{first}:*"),
    }
}

/// A quoted string of RFC 3501 section 9.
fn quoted(text: &str) -> Result<String, ImapError> {
    if text.contains(['\r', '\n', '\0']) {
        let text = "a line break in a mailbox name".to_owned();
        return Err(ImapError::Refused { command: "EXAMINE", text });
    }
    Ok(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
}
