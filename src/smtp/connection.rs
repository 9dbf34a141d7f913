//! A connection to a relay, logged in, on which every wait has a bound.

use std::fmt::Display;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::Mechanism;
use lettre::transport::smtp::client::{
    AsyncSmtpConnection, Certificate, CertificateStore, TlsParameters,
};
use lettre::transport::smtp::extension::{ClientId, Extension};
use lettre::transport::smtp::response::Response;
use tokio::time::timeout;

use super::relay::{Login, Relay};
use super::trouble::Trouble;
use crate::net::{Credential, DialError, Tls, TrustError, explain, read_ca, tls_error_in};

/// Longest wait for a goodbye that changes nothing any more.
const GOODBYE: Duration = Duration::from_secs(2);

/// What the relay answered, good or bad.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) code: u16,
    pub(super) text: String,
}

/// No pool: a connection whose answer did not come is never used again, as a late answer would be taken for the next.
pub(super) struct Connection {
    inner: AsyncSmtpConnection,
    hello: ClientId,
    limit: Duration,
    /// For all commands of a mail together, up to DATA.
    deadline: Option<Instant>,
}

impl Connection {
    /// Connects and logs in.
    pub(super) async fn open(relay: &Relay) -> Result<Self, Trouble> {
        let credential = credential(relay).await?;
        let addresses = resolve(relay).await?;
        let tls = match relay.tls {
            Tls::None | Tls::Insecure => None,
            Tls::Implicit | Tls::Starttls => Some(parameters(relay).await?),
        };
        let hello = relay.hello.clone().map_or_else(ClientId::default, ClientId::Domain);
        let implicit = tls.clone().filter(|_| relay.tls == Tls::Implicit);
        let limit = relay.timing.command;
        let all = relay.timing.connect.saturating_mul(addresses.len().max(1) as u32) + limit;
        let wait = Some(relay.timing.connect);
        let connecting =
            AsyncSmtpConnection::connect_tokio1(addresses.as_slice(), wait, &hello, implicit, None);
        let inner = match timeout(all, connecting).await {
            Ok(outcome) => outcome.map_err(|error| greeting(relay, &error))?,
            Err(_) => {
                return Err(Trouble::Silent { phase: "the connection", limit: all });
            }
        };
        let mut connection = Self { inner, hello, limit, deadline: None };
        if let (Tls::Starttls, Some(tls)) = (relay.tls, tls) {
            connection.starttls(relay, tls).await?;
        }
        if let (Some(login), Some(credential)) = (&relay.auth, credential) {
            connection.log_in(login, &credential).await?;
        }
        Ok(connection)
    }

    /// Whether 8-bit mail can be sent.
    pub(super) fn eight_bit(&self) -> bool {
        self.inner.server_info().supports_feature(Extension::EightBitMime)
    }

    pub(super) fn encrypted(&self) -> bool {
        self.inner.is_encrypted()
    }

    async fn starttls(&mut self, relay: &Relay, tls: TlsParameters) -> Result<(), Trouble> {
        if !self.inner.can_starttls() {
            return Err(Trouble::Starttls("the relay does not offer it".into()));
        }
        let limit = self.limit;
        match timeout(limit, self.inner.starttls(tls, &self.hello)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(match tls_trouble(relay, &error) {
                Some(trouble) => trouble,
                None => Trouble::Starttls(words(&error)),
            }),
            Err(_) => Err(Trouble::Silent { phase: "STARTTLS", limit }),
        }
    }

    /// PLAIN or LOGIN with a password, XOAUTH2 with a token. Not lettre's own exchange, which breaks off where a refused
    /// token wants one more answer, and so never hears why.
    async fn log_in(&mut self, login: &Login, credential: &Credential) -> Result<(), Trouble> {
        let user = &login.user;
        let offers = |mechanism| self.inner.server_info().supports_auth_mechanism(mechanism);
        let (first, more) = match credential {
            Credential::Token(token) if offers(Mechanism::Xoauth2) => {
                let initial = format!("user={user}\x01auth=Bearer {token}\x01\x01");
                (format!("AUTH XOAUTH2 {}", STANDARD.encode(initial)), vec![String::new()])
            }
            Credential::Token(_) => return Err(Trouble::NoLogin { wanted: "XOAUTH2" }),
            Credential::Password(password) if offers(Mechanism::Plain) => {
                (format!("AUTH PLAIN {}", STANDARD.encode(format!("\0{user}\0{password}"))), vec![])
            }
            Credential::Password(password) if offers(Mechanism::Login) => {
                ("AUTH LOGIN".into(), vec![STANDARD.encode(user), STANDARD.encode(password)])
            }
            Credential::Password(_) => {
                return Err(Trouble::NoLogin { wanted: "PLAIN or LOGIN" });
            }
        };
        let mut reply = self.say("AUTH", first).await?;
        let mut said = String::new();
        for answer in more {
            if reply.code != 334 {
                break;
            }
            let challenge = STANDARD.decode(reply.text.trim()).unwrap_or_default();
            said = String::from_utf8_lossy(&challenge)
                .chars()
                .filter(|c| !c.is_control())
                .take(200)
                .collect();
            reply = self.say("AUTH", answer).await?;
        }
        match reply.code {
            235 => Ok(()),
            // RFC 4954 section 6: 454 is a temporary failure of the server's own.
            400..=499 => Err(Trouble::Busy { code: reply.code, text: reply.text }),
            _ => {
                let text = if said.starts_with('{') {
                    format!("{} {said}", reply.text)
                } else {
                    reply.text
                };
                Err(Trouble::Login { user: user.clone(), text })
            }
        }
    }

    /// All commands from now on have `limit` together.
    pub(super) fn begin(&mut self, limit: Duration) {
        self.deadline = Some(Instant::now() + limit);
    }

    /// One command and its answer, good or bad.
    pub(super) async fn say(
        &mut self,
        phase: &'static str,
        line: impl Display,
    ) -> Result<Reply, Trouble> {
        let left = self.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        let limit = left.map_or(self.limit, |left| left.min(self.limit));
        let line = format!("{}\r\n", line.to_string().trim_end());
        match timeout(limit, self.inner.command(line)).await {
            Ok(outcome) => reply(phase, outcome),
            Err(_) => Err(Trouble::Silent { phase, limit }),
        }
    }

    /// The lines of the answer to EHLO.
    pub(super) async fn extensions(&mut self) -> Result<Vec<String>, Trouble> {
        let (phase, limit) = ("EHLO", self.limit);
        let hello = format!("EHLO {}\r\n", self.hello);
        match timeout(limit, self.inner.command(hello)).await {
            Ok(Ok(response)) => Ok(response.message().map(str::to_owned).collect()),
            Ok(Err(error)) => Err(Trouble::Protocol { phase, text: words(&error) }),
            Err(_) => Err(Trouble::Silent { phase, limit }),
        }
    }

    /// The mail itself, after DATA.
    pub(super) async fn mail(&mut self, raw: &[u8], limit: Duration) -> Result<Reply, Trouble> {
        let phase = "the end of the mail";
        match timeout(limit, self.inner.message(raw)).await {
            Ok(outcome) => reply(phase, outcome),
            Err(_) => Err(Trouble::Silent { phase, limit }),
        }
    }

    /// Ends it politely.
    pub(super) async fn close(mut self) {
        let _ = timeout(GOODBYE, self.inner.abort()).await;
    }
}

async fn credential(relay: &Relay) -> Result<Option<Credential>, Trouble> {
    let Some(login) = &relay.auth else {
        return Ok(None);
    };
    let (secret, limit) = (login.secret.clone(), relay.timing.secret);
    let resolved = tokio::task::spawn_blocking(move || secret.resolve(limit)).await;
    match resolved {
        Ok(resolved) => Ok(Some(resolved.map_err(DialError::Secret)?)),
        Err(error) => Err(Trouble::Protocol { phase: "the secret", text: error.to_string() }),
    }
}

async fn resolve(relay: &Relay) -> Result<Vec<SocketAddr>, Trouble> {
    let host = &relay.host;
    let unknown = |why: String| DialError::Resolve { host: host.clone(), why };
    let lookup = tokio::net::lookup_host((host.as_str(), relay.port));
    let found = match timeout(relay.timing.connect, lookup).await {
        Ok(found) => found.map_err(|error| unknown(error.to_string()))?,
        Err(_) => return Err(unknown("no answer from the resolver".into()).into()),
    };
    let addresses: Vec<SocketAddr> = found.collect();
    DialError::guard(host, relay.tls, addresses.iter().map(SocketAddr::ip))?;
    Ok(addresses)
}

/// Reads the CA file, or the system's certificates (slow enough to leave the runtime alone).
async fn parameters(relay: &Relay) -> Result<TlsParameters, Trouble> {
    let (host, ca_file) = (relay.host.clone(), relay.ca_file.clone());
    let built =
        tokio::task::spawn_blocking(move || {
            let mut builder = TlsParameters::builder(host);
            if let Some(path) = ca_file {
                builder = builder.certificate_store(CertificateStore::None);
                for certificate in read_ca(&path)? {
                    let certificate = Certificate::from_der(certificate.to_vec());
                    builder = builder.add_root_certificate(certificate.map_err(|e| {
                        TrustError::CaFile { path: path.clone(), why: e.to_string() }
                    })?);
                }
                return builder
                    .build_rustls()
                    .map_err(|e| TrustError::CaFile { path, why: e.to_string() });
            }
            builder.build_rustls().map_err(|_| TrustError::NoSystemRoots)
        });
    match built.await {
        Ok(parameters) => Ok(parameters.map_err(DialError::Trust)?),
        Err(error) => Err(Trouble::Protocol { phase: "TLS", text: error.to_string() }),
    }
}

/// Connection, TLS, greeting and EHLO are one step of lettre's.
fn greeting(relay: &Relay, error: &Error) -> Trouble {
    if let Some(trouble) = tls_trouble(relay, error) {
        return trouble;
    }
    let text = words(error);
    match error.status().map(u16::from) {
        Some(code) if code < 500 => Trouble::Busy { code, text },
        Some(code) => Trouble::Greeting { code, text },
        None if error.is_response() => unanswered("the greeting", text),
        None => DialError::Connect { host: relay.host.clone(), port: relay.port, why: text }.into(),
    }
}

fn tls_trouble(relay: &Relay, error: &Error) -> Option<Trouble> {
    let cause = tls_error_in(error)?;
    let (host, why) = (relay.host.clone(), cause.to_string());
    Some(DialError::Tls { host, why, cure: explain(cause) }.into())
}

fn reply(phase: &'static str, outcome: Result<Response, Error>) -> Result<Reply, Trouble> {
    match outcome {
        Ok(response) => {
            let text = one_line(&response.message().collect::<Vec<_>>().join(" "));
            Ok(Reply { code: response.code().into(), text })
        }
        Err(error) => match error.status() {
            Some(code) => Ok(Reply { code: code.into(), text: words(&error) }),
            None if error.is_response() => Err(unanswered(phase, words(&error))),
            None => Err(Trouble::Lost { phase, why: words(&error) }),
        },
    }
}

/// lettre takes the end of the connection for half an answer.
fn unanswered(phase: &'static str, text: String) -> Trouble {
    match text.as_str() {
        "incomplete response" => Trouble::Lost { phase, why: "closed by the relay".into() },
        _ => Trouble::Protocol { phase, text },
    }
}

/// What stands behind lettre's own wording.
fn words(error: &Error) -> String {
    let source = std::error::Error::source(error);
    one_line(&source.map_or_else(|| error.to_string(), ToString::to_string))
}

fn one_line(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(300).collect()
}
