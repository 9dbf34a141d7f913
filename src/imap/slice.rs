//! Mailboxes that public-inbox splits by 50,000 mails: `name.0`, `name.1`, ...

/// `name` and its number.
pub(super) fn name(base: &str, number: u32) -> String {
    format!("{base}.{number}")
}

/// The numbers of the slices of `base` among `names`, rising. (public-inbox lists `inbox.a.b` as `INBOX.a.b`.)
pub(super) fn numbers<'a>(base: &str, names: impl Iterator<Item = &'a str>) -> Vec<u32> {
    let number = |name: &str| {
        let (head, digits) = name.rsplit_once('.')?;
        if !head.eq_ignore_ascii_case(base) {
            return None;
        }
        let plain = digits.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| digits.parse().ok()).flatten()
    };
    let mut numbers: Vec<u32> = names.filter_map(number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbered_names_of_the_base_are_slices() {
        let names = [
            "a.b.10",
            "A.b.2",
            "a.b",
            "a.b.x",
            "a.b.0",
            "a.b.1.2",
            "a.bc.7",
            "a.b.+3",
            "a.b.99999999999",
        ];
        assert_eq!(numbers("a.b", names.into_iter()), [0, 2, 10]);
        assert_eq!(name("a.b", 3), "a.b.3");
    }
}
