//! One look at a relay, for `regard check`.

use super::connection::Connection;
use super::relay::Relay;
use super::trouble::Trouble;

/// What was found at a relay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// Its own name, from EHLO.
    pub server: String,
    /// The connection is encrypted.
    pub encrypted: bool,
    /// We are logged in.
    pub logged_in: bool,
    /// It takes 8-bit mail; otherwise such mail is sent as quoted-printable.
    pub eight_bit: bool,
    /// Largest mail that it takes in bytes, if it says so.
    pub size: Option<u64>,
    /// Extensions as offered.
    pub extensions: Vec<String>,
}

/// Connects and logs in; sends nothing.
///
/// # Errors
/// What is wrong; [`Trouble::cure`] says what to do about it.
pub async fn probe(relay: &Relay) -> Result<Probe, Trouble> {
    let mut connection = Connection::open(relay).await?;
    let (eight_bit, encrypted) = (connection.eight_bit(), connection.encrypted());
    let lines = connection.extensions().await?;
    connection.close().await;
    let mut lines = lines.into_iter();
    let server = lines.next().unwrap_or_default();
    let extensions: Vec<String> = lines.collect();
    let size = extensions.iter().find_map(|line| line.strip_prefix("SIZE ")?.trim().parse().ok());
    let server = server.split(' ').next().unwrap_or_default().to_owned();
    Ok(Probe {
        server,
        encrypted,
        logged_in: relay.auth.is_some(),
        eight_bit,
        size: size.filter(|size| *size > 0),
        extensions,
    })
}
