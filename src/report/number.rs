//! How numbers look in a mail. One place, so that title, table and sentence never disagree.

/// A mean or a sample in a table cell.
///
/// Below 1000 two decimals, then a rounded integer, above 1e8 four significant digits (`1.235e+08`): the layout of LKP's
/// tables, but rounded and not truncated. A value that two decimals would turn into a different one (0.0149 s) keeps
/// three significant digits.
pub fn value(v: f64) -> String {
    let size = v.abs();
    if !v.is_finite() {
        "?".to_owned()
    } else if size > 0.0 && size < 0.1 {
        general(v, 3)
    } else if size < 999.995 {
        format!("{v:.2}")
    } else if size <= 1e8 {
        format!("{v:.0}")
    } else {
        general(v, 4)
    }
}

/// A value inside a sentence: as [`value`], without the zeros that only pad a column (`900`, `12.5`).
pub fn amount(v: f64) -> String {
    let text = value(v);
    if text.contains('.') && !text.contains('e') {
        let text = text.trim_end_matches('0').trim_end_matches('.');
        return if text == "-0" { "0".to_owned() } else { text.to_owned() };
    }
    text
}

/// A signed relative change: `-10.0%`, `+2e+05%`.
pub fn percent(v: f64) -> String {
    format!("{}%", signed(v))
}

/// A signed number with one decimal; two significant digits where one decimal would print zero or where it is huge.
pub fn signed(v: f64) -> String {
    let size = v.abs();
    let sign = if v < 0.0 { '-' } else { '+' };
    if !v.is_finite() {
        "n/a".to_owned()
    } else if size >= 1e5 || (size > 0.0 && size < 0.05) {
        format!("{sign}{}", general(size, 2))
    } else {
        format!("{sign}{size:.1}")
    }
}

/// Whether one decimal prints it as `+0.0` or `-0.0`: nothing that a table row should tell.
pub fn prints_as_zero(v: f64) -> bool {
    v.abs() < 0.05
}

/// A spread or a noise level in percent: one decimal below ten, none above.
pub fn spread(percent: f64) -> String {
    if percent < 9.95 { format!("{percent:.1}%") } else { format!("{percent:.0}%") }
}

/// A p value: `p=0.03`, `p=9e-08`, `p<1e-12`.
pub fn p(v: f64) -> String {
    if v < 1e-12 {
        "p<1e-12".to_owned()
    } else {
        format!("p={}", general(v, if v < 0.001 { 1 } else { 2 }))
    }
}

/// The middle of a name that has more than `width` columns goes; its first and last parts tell the most.
pub fn shorten(name: &str, width: usize) -> String {
    let chars: Vec<char> = name.chars().collect();
    if chars.len() <= width {
        return name.to_owned();
    }
    let keep = width.saturating_sub(3);
    let tail = keep / 2;
    let head: String = chars[..keep - tail].iter().collect();
    let end: String = chars[chars.len() - tail..].iter().collect();
    format!("{head}...{end}")
}

/// C's `%.<digits>g`: significant digits without padding zeros, exponent of at least two digits.
pub(super) fn general(v: f64, digits: usize) -> String {
    if v == 0.0 || !v.is_finite() {
        return if v == 0.0 { "0".to_owned() } else { v.to_string() };
    }
    let digits = digits.max(1);
    let scientific = format!("{:.*e}", digits - 1, v);
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    if exponent < -4 || exponent >= i32::try_from(digits).unwrap_or(i32::MAX) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trim(mantissa), exponent.abs());
    }
    let decimals = i32::try_from(digits).unwrap_or(0) - 1 - exponent;
    trim(&format!("{v:.*}", usize::try_from(decimals).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_follow_the_table() {
        let cases = [
            (999.994, "999.99"),
            (999.996, "1000"),
            (1999.9, "2000"),
            (0.001, "0.001"),
            (0.0149, "0.0149"),
            (0.5, "0.50"),
            (1e8, "100000000"),
            (123_456_789.0, "1.235e+08"),
            (1.5e8, "1.5e+08"),
            (999_999_999.0, "1e+09"),
            (-681_107.4, "-681107"),
            (f64::NAN, "?"),
        ];
        for (v, text) in cases {
            assert_eq!(value(v), text);
        }
    }

    #[test]
    fn changes_carry_their_sign() {
        let cases = [
            (-10.0, "-10.0%"),
            (85.0, "+85.0%"),
            (2e5, "+2e+05%"),
            (900_100.0, "+9e+05%"),
            (0.02, "+0.02%"),
        ];
        for (v, text) in cases {
            assert_eq!(percent(v), text);
        }
        assert!(prints_as_zero(-0.03) && !prints_as_zero(0.05));
    }

    #[test]
    fn small_things() {
        assert_eq!(amount(900.0), "900");
        assert_eq!(amount(12.5), "12.5");
        assert_eq!(amount(-0.0), "0");
        assert_eq!(p(8.83568e-08), "p=9e-08");
        assert_eq!(p(0.0334), "p=0.033");
        assert_eq!(p(0.0), "p<1e-12");
        assert_eq!(shorten("abcdefghijklmnop", 9), "abc...nop");
        assert_eq!(shorten("äöü", 3), "äöü");
        assert_eq!(general(0.00001234, 3), "1.23e-05");
    }
}
