//! YAML of strangers: no aliases, bounded size.

use yaml_rust2::{Yaml, YamlLoader};

use super::problem::{Problem, clip};

const MAX_BYTES: usize = 4 << 20;

/// The first document.
///
/// # Errors
/// Too large, aliases (a few bytes of them unfold to gigabytes), or no YAML.
pub(crate) fn parse(name: &str, text: &str) -> Result<Yaml, Vec<Problem>> {
    if text.len() > MAX_BYTES {
        return Err(vec![Problem::whole(
            name,
            "too-large",
            format!("{} bytes", text.len()),
            "at most 4 MiB of YAML",
        )]);
    }
    for (number, line) in text.lines().enumerate() {
        let value = line.trim_start_matches([' ', '-']);
        let value = value.split_once(": ").map_or(value, |(_, value)| value).trim_start();
        let flow = line.contains("[*") || line.contains(", *") || line.contains("{*");
        if flow
            || (value.starts_with('*')
                && value[1..].starts_with(|c: char| c.is_ascii_alphanumeric()))
        {
            return Err(vec![
                Problem::whole(name, "yaml-alias", clip(line), "YAML without aliases")
                    .on_line(number + 1),
            ]);
        }
    }
    match YamlLoader::load_from_str(text) {
        Ok(documents) => Ok(documents.into_iter().next().unwrap_or(Yaml::Null)),
        Err(error) => {
            let line = error.marker().line().max(1);
            Err(vec![Problem::whole(name, "not-yaml", clip(error.info()), "YAML").on_line(line)])
        }
    }
}

/// A finite number.
pub(crate) fn number(value: &Yaml) -> Option<f64> {
    match value {
        Yaml::Integer(number) => Some(*number as f64),
        Yaml::Real(text) => text.parse().ok().filter(|value: &f64| value.is_finite()),
        _ => None,
    }
}

/// A scalar as text.
pub(crate) fn scalar(value: &Yaml) -> Option<String> {
    match value {
        Yaml::String(text) | Yaml::Real(text) => Some(text.clone()),
        Yaml::Integer(number) => Some(number.to_string()),
        Yaml::Boolean(flag) => Some(flag.to_string()),
        _ => None,
    }
}
