//! Numbers as a table prints them.

/// A number and the weight of its last printed digit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Printed {
    pub(super) value: f64,
    pub(super) step: f64,
}

/// Reads `13264`, `4.829e+08`, `-0.0`, `+Inf` not: whatever is no finite decimal number is `None`.
pub(super) fn printed(text: &str) -> Option<Printed> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)?),
        None => (digits, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || whole.len() + fraction.len() > 32 {
        return None;
    }
    if !is_digits(whole) || !is_digits(fraction) || (mantissa.ends_with('.') && exponent == 0) {
        return None;
    }
    let value: f64 = text.parse().ok()?;
    let decimals = i32::try_from(fraction.len()).ok()?;
    value.is_finite().then(|| Printed { value, step: 10f64.powi(exponent - decimals) })
}

/// A plain number times ten to the `exponent`, as exact as its text.
pub(super) fn scaled(text: &str, exponent: i32) -> Option<f64> {
    printed(text).filter(|_| !text.contains(['e', 'E']))?;
    format!("{text}e{exponent}").parse().ok()
}

fn exponent_of(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || digits.len() > 3 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.strip_prefix('+').unwrap_or(text).parse().ok()
}

/// An unsigned percentage without its sign: `4%`, `110%`, `-1%` (which old tables print for "not known").
pub(super) fn percent(text: &str) -> Option<f64> {
    printed(text.strip_suffix('%')?).filter(|_| !text.starts_with('+')).map(|p| p.value)
}

/// True when `change` in percent can come from these two printed means, whatever was rounded away.
pub(super) fn fits_percent(base: Printed, head: Printed, change: Printed) -> bool {
    let (low, high) = (base.value - base.step, base.value + base.step);
    if low <= 0.0 && high >= 0.0 {
        return true;
    }
    let corners = [low, high].into_iter().flat_map(|b| {
        [head.value - head.step, head.value + head.step].map(|h| (h - b) / b * 100.0)
    });
    within(corners, change)
}

/// True when `change` can be the difference of these two printed means.
pub(super) fn fits_difference(base: Printed, head: Printed, change: Printed) -> bool {
    let slack = base.step + head.step;
    let difference = head.value - base.value;
    within([difference - slack, difference + slack].into_iter(), change)
}

fn within(corners: impl Iterator<Item = f64>, change: Printed) -> bool {
    let (low, high) =
        corners.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
    change.value + change.step >= low && change.value - change.step <= high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_finite_decimals_are_numbers() {
        for (text, value, step) in [
            ("13264", 13264.0, 1.0),
            ("0.00", 0.0, 0.01),
            ("4.829e+08", 4.829e8, 1e5),
            ("1e+09", 1e9, 1e9),
            ("-0.0", 0.0, 0.1),
            ("+1.1e+103", 1.1e103, 1e102),
        ] {
            let read = printed(text).unwrap();
            assert_eq!(read.value, value, "{text}");
            assert!((read.step / step - 1.0).abs() < 1e-9, "{text}: {}", read.step);
        }
        for text in
            ["", "-", "+", ".5", "5.", "1e", "1e999", "1e99", "Inf", "nan", "0x10", "1_0", "١"]
        {
            assert!(printed(text).is_none() || text == "1e99", "{text}");
        }
    }

    #[test]
    fn rounding_is_forgiven_and_a_lie_is_not() {
        let p = |t| printed(t).unwrap();
        assert!(fits_percent(p("13264"), p("12694"), p("-4.3")));
        assert!(fits_percent(p("0.01"), p("3.47"), p("+51925.0")));
        assert!(fits_percent(p("0.00"), p("11.00"), p("+1.1e+103")));
        assert!(!fits_percent(p("13264"), p("12694"), p("+4.3")));
        assert!(fits_difference(p("3.54"), p("2.73"), p("-0.8")));
        assert!(!fits_difference(p("3.54"), p("2.73"), p("-8.0")));
    }
}
