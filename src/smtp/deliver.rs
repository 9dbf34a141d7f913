//! The SMTP transaction, one recipient at a time (RFC 5321 section 3.3).

use lettre::transport::smtp::commands::{Mail, Rcpt};
use lettre::transport::smtp::extension::{MailBodyParameter, MailParameter};

use super::address;
use super::connection::{Connection, Reply};
use super::delivery::{Delivery, Fate, Outcome, Parcel};
use super::relay::Relay;
use super::seven_bit::seven_bit;
use super::trouble::Trouble;

/// Connections for one call: the first, and a few after mails that broke theirs.
const MOST_CONNECTIONS: usize = 3;

/// Gives `parcels` to the relay, in order, over one connection (a few, if mails break it). Results are in the same order.
///
/// Never fails as a whole: what goes wrong stands in each [`Delivery`]. Every wait has a bound ([`super::Timing`]).
pub async fn deliver(relay: &Relay, parcels: &[Parcel]) -> Vec<Delivery> {
    let mut batch = Batch { relay, connection: None, opened: 0, trouble: None };
    let mut deliveries = Vec::with_capacity(parcels.len());
    for parcel in parcels {
        let outcome = batch.one(parcel).await;
        deliveries.push(Delivery { id: parcel.id.clone(), outcome });
    }
    if let Some(connection) = batch.connection {
        connection.close().await;
    }
    deliveries
}

struct Batch<'a> {
    relay: &'a Relay,
    connection: Option<Connection>,
    /// Connections so far.
    opened: usize,
    /// What is wrong with the relay, and so for all mails that follow.
    trouble: Option<Trouble>,
}

impl Batch<'_> {
    async fn one(&mut self, parcel: &Parcel) -> Outcome {
        let mut connection = match self.open().await {
            Ok(connection) => connection,
            Err(trouble) => return Outcome::NotTried(trouble),
        };
        let Transaction { outcome, usable } = transact(self.relay, &mut connection, parcel).await;
        if usable {
            self.connection = Some(connection);
        }
        match &outcome {
            // An accident may not happen to the next mail.
            Outcome::NotTried(found) if !found.is_accident() => self.trouble = Some(found.clone()),
            _ => {}
        }
        outcome
    }

    async fn open(&mut self) -> Result<Connection, Trouble> {
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone());
        }
        if let Some(held) = self.connection.take() {
            return Ok(held);
        }
        let opened = if self.opened < MOST_CONNECTIONS {
            self.opened += 1;
            Connection::open(self.relay).await
        } else {
            let why = format!("{MOST_CONNECTIONS} connections broke in a row");
            Err(Trouble::Lost { phase: "the batch", why })
        };
        opened.inspect_err(|trouble| self.trouble = Some(trouble.clone()))
    }
}

struct Transaction {
    outcome: Outcome,
    /// Whether another mail can follow on the same connection.
    usable: bool,
}

impl Transaction {
    /// Everybody has the same fate, which was ours to decide: nothing was said to the relay.
    fn unsaid(parcel: &Parcel, reason: &str, text: &str) -> Self {
        let fates = parcel.to.iter().map(|to| (to.clone(), Fate::refused(reason, None, text)));
        Self { outcome: Outcome::Answered(fates.collect()), usable: true }
    }

    fn broken(trouble: Trouble) -> Self {
        Self { outcome: Outcome::NotTried(trouble), usable: false }
    }
}

async fn transact(relay: &Relay, connection: &mut Connection, parcel: &Parcel) -> Transaction {
    let sender = match parcel.from.as_str() {
        "" => Ok(None),
        from => address::wire(from).map(Some),
    };
    let sender = match sender {
        Ok(sender) => sender,
        Err(why) => return Transaction::unsaid(parcel, "bad-sender", &why),
    };
    let mut raw = canonical(&parcel.raw);
    let mut parameters = Vec::new();
    if !raw.is_ascii() {
        if connection.eight_bit() {
            parameters.push(MailParameter::Body(MailBodyParameter::EightBitMime));
        } else {
            raw = seven_bit(&raw);
            if !raw.is_ascii() {
                let text = "the mail has 8-bit headers, and the relay takes ASCII only";
                return Transaction::unsaid(parcel, "needs-8bitmime", text);
            }
        }
    }
    let mut fates: Vec<(String, Option<Fate>)> = Vec::with_capacity(parcel.to.len());
    let mut recipients = Vec::new();
    for to in &parcel.to {
        match address::wire(to) {
            Ok(address) => {
                recipients.push((fates.len(), address));
                fates.push((to.clone(), None));
            }
            Err(why) => fates.push((to.clone(), Some(Fate::refused("bad-address", None, &why)))),
        }
    }
    if recipients.is_empty() {
        return Transaction { outcome: answered(fates, None), usable: true };
    }
    connection.begin(relay.timing.data(raw.len()));
    let mail = Mail::new(sender, parameters);
    match envelope(relay, connection, mail, &parcel.from).await {
        Ok(None) => {}
        Ok(Some(fate)) => {
            let usable = reset(connection).await;
            return Transaction { outcome: answered(fates, Some(fate)), usable };
        }
        Err(trouble) => return Transaction::broken(trouble),
    }
    for (index, address) in recipients {
        match connection
            .say("RCPT", Rcpt::new(address, Vec::new()))
            .await
            .and_then(|reply| rcpt(relay, reply))
        {
            Ok(fate) => fates[index].1 = fate,
            Err(trouble) => return Transaction::broken(trouble),
        }
    }
    if fates.iter().all(|(_, fate)| fate.is_some()) {
        return Transaction { outcome: answered(fates, None), usable: reset(connection).await };
    }
    data(relay, connection, fates, &raw).await
}

/// Those without a fate of their own share `fate`.
fn answered(fates: Vec<(String, Option<Fate>)>, fate: Option<Fate>) -> Outcome {
    let shared = fate.unwrap_or_else(|| Fate::Ambiguous { text: "no answer".to_owned() });
    Outcome::Answered(
        fates.into_iter().map(|(to, own)| (to, own.unwrap_or_else(|| shared.clone()))).collect(),
    )
}

/// MAIL: `None` when the sender is fine, a fate for all when this mail is not.
async fn envelope(
    relay: &Relay,
    connection: &mut Connection,
    mail: Mail,
    from: &str,
) -> Result<Option<Fate>, Trouble> {
    let Reply { code, text } = connection.say("MAIL", mail).await?;
    match code {
        200..=299 => Ok(None),
        421 => Err(Trouble::Busy { code, text }),
        400..=499 => Ok(Some(Fate::deferred("sender-deferred", code, &text))),
        530 | 534 | 535 | 538 => Err(wants_login(relay, text)),
        // RFC 1870 section 6.1: larger than the relay ever takes.
        552 => Ok(Some(Fate::refused("too-large", Some(code), &text))),
        500..=599 => Err(Trouble::Sender { from: from.to_owned(), code, text }),
        _ => Err(Trouble::Protocol { phase: "MAIL", text: format!("{code} {text}") }),
    }
}

/// RCPT: `None` when the recipient is accepted so far.
fn rcpt(relay: &Relay, Reply { code, text }: Reply) -> Result<Option<Fate>, Trouble> {
    match code {
        200..=299 => Ok(None),
        421 => Err(Trouble::Busy { code, text }),
        400..=499 => Ok(Some(Fate::deferred("recipient-deferred", code, &text))),
        530 | 535 | 538 => Err(wants_login(relay, text)),
        500..=599 => Ok(Some(Fate::refused("recipient-refused", Some(code), &text))),
        _ => Err(Trouble::Protocol { phase: "RCPT", text: format!("{code} {text}") }),
    }
}

async fn data(
    relay: &Relay,
    connection: &mut Connection,
    fates: Vec<(String, Option<Fate>)>,
    raw: &[u8],
) -> Transaction {
    let (code, text) = match connection.say("DATA", "DATA").await {
        Ok(Reply { code, text }) => (code, text),
        Err(trouble) => return Transaction::broken(trouble),
    };
    match code {
        354 => {}
        421 => return Transaction::broken(Trouble::Busy { code, text }),
        400..=599 => {
            let fate = message_fate(code, &text);
            let usable = reset(connection).await;
            return Transaction { outcome: answered(fates, Some(fate)), usable };
        }
        _ => {
            let text = format!("{code} {text}");
            return Transaction::broken(Trouble::Protocol { phase: "DATA", text });
        }
    }
    // From here on an answer that does not come says nothing.
    match connection.mail(raw, relay.timing.data(raw.len())).await {
        Ok(Reply { code, text }) => {
            let usable = code == 250 || (code != 421 && code >= 400);
            Transaction { outcome: answered(fates, Some(message_fate(code, &text))), usable }
        }
        Err(trouble) => {
            let fate = Fate::Ambiguous { text: trouble.to_string() };
            Transaction { outcome: answered(fates, Some(fate)), usable: false }
        }
    }
}

fn message_fate(code: u16, text: &str) -> Fate {
    match code {
        250 => Fate::Accepted { code, text: text.to_owned() },
        400..=499 => Fate::deferred("message-deferred", code, text),
        552 => Fate::refused("too-large", Some(code), text),
        500..=599 => Fate::refused("message-refused", Some(code), text),
        // Not an answer to a mail: the connection is out of step.
        _ => Fate::Ambiguous { text: format!("an odd answer to the mail: {code} {text}") },
    }
}

fn wants_login(relay: &Relay, text: String) -> Trouble {
    let user = relay.auth.as_ref().map_or("nobody (no login is configured)", |login| &login.user);
    Trouble::Login { user: user.to_owned(), text }
}

async fn reset(connection: &mut Connection) -> bool {
    matches!(connection.say("RSET", "RSET").await, Ok(Reply { code: 250, .. }))
}

/// CRLF everywhere, so that no server takes a bare line end for another ("SMTP smuggling"), and without the last, as
/// lettre adds one in front of the dot.
fn canonical(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len() + raw.len() / 32);
    let mut bytes = raw.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\r' => {
                bytes.next_if_eq(&b'\n');
                out.extend_from_slice(b"\r\n");
            }
            b'\n' => out.extend_from_slice(b"\r\n"),
            other => out.push(other),
        }
    }
    if out.ends_with(b"\r\n") {
        out.truncate(out.len() - 2);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn line_ends_are_crlf_and_the_last_is_left_to_the_dot() {
        assert_eq!(canonical(b"a\nb\rc\r\n.\n\r\n"), b"a\r\nb\r\nc\r\n.\r\n");
        assert_eq!(canonical(b"a\r\r\n.\r\nRCPT"), b"a\r\n\r\n.\r\nRCPT");
        assert_eq!(canonical(b""), b"");
    }
}
