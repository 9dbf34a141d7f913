//! One look at a mailbox, for `regard check`.

use super::control::Control;
use super::session::Session;
use super::{Account, ImapError, slice};

/// What was found at an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// After login, upper case.
    pub capabilities: Vec<String>,
    /// Mail is announced as it arrives; otherwise the server is polled.
    pub idle: bool,
    /// The mailbox that was opened (the newest slice, where there are slices).
    pub mailbox: String,
    /// Mails in it.
    pub messages: u32,
    /// Its UIDVALIDITY.
    pub uid_validity: u32,
    /// Number of slices; 0 without `slices`.
    pub slices: usize,
    /// Slices were found although the account does not say `slices`: it would miss mail once the first is full.
    pub advice: Option<String>,
}

/// Connects, logs in and opens the mailbox; changes nothing.
///
/// # Errors
/// What is wrong; [`ImapError::cure`] says what to do about it.
pub fn probe(account: &Account) -> Result<Probe, ImapError> {
    let mut session = Session::open(account, &Control::default())?;
    let base = &account.mailbox;
    let names = session.list(&format!("{base}.*")).unwrap_or_default();
    let numbers = slice::numbers(base, names.iter().map(String::as_str));
    let mailbox = match numbers.last() {
        Some(number) if account.slices => slice::name(base, *number),
        _ => base.clone(),
    };
    let opened = match session.examine(&mailbox) {
        Err(ImapError::Mailbox { mailbox, text, .. }) if !numbers.is_empty() => {
            return Err(ImapError::Mailbox { mailbox, text, others: names });
        }
        outcome => outcome?,
    };
    let (name, number) = base.rsplit_once('.').unwrap_or_default();
    let is_slice = !account.slices && number.parse::<u32>().is_ok();
    let advice = is_slice.then(|| {
        format!("{base} looks like a slice of {name}, which ends at 50,000 mails: set mailbox to {name} and slices to true")
    });
    let found = Probe {
        idle: session.has_idle(),
        capabilities: session.capabilities().to_vec(),
        mailbox,
        messages: opened.exists,
        uid_validity: opened.uid_validity,
        slices: if account.slices { numbers.len() } else { 0 },
        advice,
    };
    session.leave();
    Ok(found)
}
