//! Addresses on their way out: strict where the wire is, lenient where a mail has many of them.

use lettre::message::Mailbox;

use super::clean;
use crate::mail::Address;

/// Longest address (RFC 5321 section 4.5.3.1: path of 256 with its brackets).
const LONGEST: usize = 254;

/// As it goes into RCPT. `Err` says why it cannot.
pub(super) fn wire(email: &str) -> Result<lettre::Address, String> {
    let email = email.trim();
    match () {
        () if email.len() > LONGEST => Err("it is too long".into()),
        () if !email.is_ascii() => Err("it is not ASCII".into()),
        () => email.parse().map_err(|error: lettre::address::AddressError| error.to_string()),
    }
}

/// As it goes into a header.
pub(super) fn mailbox(address: &Address) -> Result<Mailbox, String> {
    let email = wire(&address.email)?;
    let name = clean::line(&address.name);
    // A name that only repeats the address says nothing, and looks like a forgery to filters.
    let name = (!name.is_empty() && !name.eq_ignore_ascii_case(email.as_ref())).then_some(name);
    Ok(Mailbox::new(name, email))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_addresses_are_refused_with_a_reason_not_a_panic() {
        for odd in [
            "",
            "x",
            "a b@example.org",
            "jos\u{e9}@example.org",
            "a@b@",
            "a@example.org\r\nRSET",
            "<a@b.org>",
        ] {
            assert!(wire(odd).is_err(), "{odd}");
        }
        let long = format!("{}@example.org", "x".repeat(300));
        assert_eq!(wire(&long).unwrap_err(), "it is too long");
        assert_eq!(wire(" jo+tag@example.org ").unwrap().to_string(), "jo+tag@example.org");
    }

    #[test]
    fn names_are_one_line() {
        let address = Address { name: "Jo\r\nBcc: x".into(), email: "jo@example.org".into() };
        assert_eq!(mailbox(&address).unwrap().name.as_deref(), Some("Jo Bcc: x"));
        let address = Address { name: "JO@example.org".into(), email: "jo@example.org".into() };
        assert_eq!(mailbox(&address).unwrap().name, None);
    }
}
