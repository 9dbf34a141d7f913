//! Filters that tera lacks: `fixed`, `keep`, `pad`, `wrap`.

use tera::{Error, Kwargs, State, Tera, TeraResult};

use crate::report::wrap::{columns, wrap};

/// Nothing wider is asked for by a sane template.
const MOST: usize = 1000;

/// Before any template is added: tera refuses a template with an unknown filter.
pub(super) fn register(tera: &mut Tera) {
    tera.register_filter("fixed", fixed);
    tera.register_filter("keep", keep);
    tera.register_filter("pad", pad);
    tera.register_filter("wrap", wrapped);
}

/// `{{ x | fixed(digits=1) }}`: that many decimals.
fn fixed(value: f64, kwargs: Kwargs, _: &State) -> TeraResult<String> {
    let digits = bounded(&kwargs, "digits", 1, 20)?;
    Ok(format!("{value:.digits$}"))
}

/// `{{ "due to commit:" | keep }}`: no line is broken at its blanks ([`super::finish::finish`] gives them back).
fn keep(text: &str, _: Kwargs, _: &State) -> String {
    text.replace(' ', "\u{a0}")
}

/// `{{ x | pad(width=10) }}`: blanks behind it; `right=true`: blanks before it.
fn pad(text: &str, kwargs: Kwargs, _: &State) -> TeraResult<String> {
    let width = bounded(&kwargs, "width", 0, MOST)?;
    let blanks = " ".repeat(width.saturating_sub(columns(text)));
    let right = kwargs.get::<bool>("right")?.unwrap_or(false);
    Ok(if right { format!("{blanks}{text}") } else { format!("{text}{blanks}") })
}

/// `{% filter wrap(width=100, indent=8) %}`: every line broken at blanks; further lines are indented by `indent` blanks, or by
/// `prefix`.
fn wrapped(text: &str, kwargs: Kwargs, _: &State) -> TeraResult<String> {
    let width = bounded(&kwargs, "width", 100, MOST)?;
    let indent = " ".repeat(bounded(&kwargs, "indent", 0, width / 2)?);
    let prefix = kwargs.get::<&str>("prefix")?.map_or(indent, str::to_owned);
    let lines = text.split('\n').flat_map(|line| wrap(line, width, &prefix));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

fn bounded(kwargs: &Kwargs, name: &'static str, default: usize, most: usize) -> TeraResult<usize> {
    let value = kwargs.get::<usize>(name)?.unwrap_or(default);
    if value > most {
        return Err(Error::message(format!("`{name}` is {value}, at most {most} makes sense")));
    }
    Ok(value)
}
