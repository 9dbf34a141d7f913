//! Numbers inside reasons.

/// `p 0.021`, `p 5e-05`.
pub(crate) fn p_value(p: f64) -> String {
    if p >= 0.0995 {
        format!("p {p:.2}")
    } else if p >= 0.000_95 {
        format!("p {:.*}", if p >= 0.00995 { 3 } else { 4 }, p)
    } else if p == 0.0 {
        "p < 1e-300".to_owned()
    } else {
        format!("p {p:.0e}")
    }
}

/// `-10.0 %`, `+0.03 %`.
pub(crate) fn percent(value: f64) -> String {
    format!("{} %", signed(value))
}

/// `+3.0 points`.
pub(crate) fn points(value: f64) -> String {
    format!("{} points", signed(value))
}

fn signed(value: f64) -> String {
    let digits = if value != 0.0 && value.abs() < 0.095 { 2 } else { 1 };
    if value.abs() >= 1e6 { format!("{value:+.1e}") } else { format!("{value:+.digits$}") }
}

/// A value with about four digits.
pub(crate) fn number(value: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if !(1e-3..1e9).contains(&magnitude) {
        format!("{value:.3e}")
    } else {
        let digits = (3 - magnitude.log10().floor() as i32).max(0) as usize;
        let text = format!("{value:.digits$}");
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    }
}
