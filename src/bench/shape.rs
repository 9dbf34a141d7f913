//! Compares a JSON value with the schema that is generated from our types, and lists every difference.

use serde_json::{Map, Value};

use super::json::describe;
use super::locate::{push_index, push_key};
use super::problem::{MAX_PROBLEMS, Problem, clip};

/// Every place where `value` does not have the shape that `schema` (as schemars writes it) asks for.
pub(crate) fn check(file: &str, value: &Value, schema: &Value) -> Vec<Problem> {
    let mut walk = Walk { file, root: schema, path: String::new(), problems: Vec::new() };
    walk.value(value, schema, "");
    walk.problems
}

struct Walk<'a> {
    file: &'a str,
    root: &'a Value,
    path: String,
    problems: Vec<Problem>,
}

impl<'a> Walk<'a> {
    /// `about` is the documentation of the field that holds the value.
    fn value(&mut self, value: &Value, schema: &'a Value, about: &str) {
        if self.problems.len() >= MAX_PROBLEMS {
            return;
        }
        let schema = self.target(schema);
        if let Some(choices) = alternatives(schema) {
            let fits = choices.iter().find(|choice| fits_type(value, self.target(choice)));
            return match fits {
                Some(choice) if constant(self.target(choice)).is_none() => {
                    self.value(value, choice, about)
                }
                Some(_)
                    if choices
                        .iter()
                        .any(|choice| constant(self.target(choice)) == Some(value)) => {}
                _ => self.wrong(value, schema, about),
            };
        }
        if !fits_type(value, schema) || !in_range(value, schema) {
            return self.wrong(value, schema, about);
        }
        match value {
            Value::Object(members) => self.object(members, schema),
            Value::Array(items) => self.list(items, schema, about),
            _ => {}
        }
    }

    fn object(&mut self, members: &Map<String, Value>, schema: &'a Value) {
        let known = schema.get("properties").and_then(Value::as_object);
        let extra = schema.get("additionalProperties");
        for (key, value) in members {
            let base = self.path.len();
            push_key(&mut self.path, key);
            match (known.and_then(|known| known.get(key)), extra) {
                (Some(field), _) => self.value(value, field, about(field)),
                (None, Some(Value::Bool(false))) => {
                    let names: Vec<&str> =
                        known.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
                    let expected = match nearest(key, &names) {
                        Some(name) => format!("`{name}`, or none of that name"),
                        None => format!("one of {}", names.join(", ")),
                    };
                    self.push("unknown-field", "a field that is not known".to_owned(), expected);
                }
                (None, Some(Value::Object(_))) => {
                    if let Some(field) = extra {
                        self.value(value, field, "");
                    }
                }
                (None, _) => {}
            }
            self.path.truncate(base);
        }
        let required = schema.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if members.contains_key(name) {
                continue;
            }
            let base = self.path.len();
            push_key(&mut self.path, name);
            let field = known.and_then(|known| known.get(name)).unwrap_or(&Value::Null);
            let expected = self.expected(self.target(field), about(field));
            self.push("missing-field", "nothing".to_owned(), expected);
            self.path.truncate(base);
        }
    }

    fn list(&mut self, items: &[Value], schema: &'a Value, about: &str) {
        let Some(element) = schema.get("items") else {
            return;
        };
        for (index, item) in items.iter().enumerate() {
            let base = self.path.len();
            push_index(&mut self.path, index);
            self.value(item, element, about);
            self.path.truncate(base);
        }
    }

    fn wrong(&mut self, value: &Value, schema: &'a Value, about: &str) {
        let reason = match value {
            Value::Number(_) if fits_type(value, schema) => "out-of-range",
            Value::String(_) if fits_type(value, schema) => "unknown-word",
            _ => "wrong-type",
        };
        let expected = self.expected(schema, about);
        self.push(reason, describe(value), expected);
    }

    fn push(&mut self, reason: &'static str, found: String, expected: String) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem::at(self.file, self.path.clone(), reason, found, expected));
        }
    }

    fn expected(&self, schema: &Value, about: &str) -> String {
        let shape = self.shape(schema);
        match about.trim_end_matches('.').lines().next() {
            Some(about) if !about.is_empty() => format!("{shape} ({about})"),
            _ => shape,
        }
    }

    fn shape(&self, schema: &Value) -> String {
        let schema = self.resolve(schema);
        if let Some(choices) = alternatives(schema) {
            let words: Vec<String> = choices.iter().map(|choice| self.shape(choice)).collect();
            return join(words);
        }
        if let Some(word) = constant(schema) {
            return word
                .as_str()
                .map_or_else(|| word.to_string(), |word| format!("\"{}\"", clip(word)));
        }
        join(types(schema).into_iter().map(|name| self.noun(name, schema)).collect())
    }

    fn noun(&self, name: &str, schema: &Value) -> String {
        match name {
            "string" => "a text".to_owned(),
            "number" => "a number".to_owned(),
            "integer" => match (bound(schema, "minimum"), bound(schema, "maximum")) {
                (Some(low), Some(high)) if low == high => format!("{low}"),
                (Some(low), None) => format!("a whole number from {low}"),
                _ => "a whole number".to_owned(),
            },
            "boolean" => "true or false".to_owned(),
            "array" => match schema.get("items") {
                Some(element) => format!("a list, each {}", self.shape(element)),
                None => "a list".to_owned(),
            },
            "object" => "an object".to_owned(),
            other => other.to_owned(),
        }
    }

    fn target(&self, schema: &'a Value) -> &'a Value {
        resolve(self.root, schema)
    }

    fn resolve<'s>(&'s self, schema: &'s Value) -> &'s Value {
        resolve(self.root, schema)
    }
}

fn resolve<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    match schema.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#')) {
        Some(pointer) => root.pointer(pointer).unwrap_or(schema),
        None => schema,
    }
}

fn alternatives(schema: &Value) -> Option<&Vec<Value>> {
    schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array)
}

fn constant(schema: &Value) -> Option<&Value> {
    schema.get("const")
}

fn about(schema: &Value) -> &str {
    schema.get("description").and_then(Value::as_str).unwrap_or_default()
}

fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn bound(schema: &Value, key: &str) -> Option<i64> {
    schema.get(key).and_then(Value::as_f64).map(|number| number as i64)
}

fn fits_type(value: &Value, schema: &Value) -> bool {
    let types = types(schema);
    types.is_empty()
        || types.iter().any(|name| match (*name, value) {
            ("null", Value::Null)
            | ("boolean", Value::Bool(_))
            | ("string", Value::String(_))
            | ("number", Value::Number(_))
            | ("array", Value::Array(_))
            | ("object", Value::Object(_)) => true,
            ("integer", Value::Number(number)) => number.is_u64() || number.is_i64(),
            _ => false,
        })
}

/// `minimum`, `maximum`, and what `format: uint32` can hold.
fn in_range(value: &Value, schema: &Value) -> bool {
    let Some(number) = value.as_f64() else {
        return true;
    };
    let low = schema.get("minimum").and_then(Value::as_f64).unwrap_or(f64::MIN);
    let widest = match schema.get("format").and_then(Value::as_str) {
        Some("uint32") => f64::from(u32::MAX),
        _ => f64::MAX,
    };
    let high = schema.get("maximum").and_then(Value::as_f64).unwrap_or(widest);
    (low..=high).contains(&number)
}

fn join(words: Vec<String>) -> String {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => "something else".to_owned(),
    }
}

/// The name that was probably meant: equal but for case, `_`, `-` and a plural `s`, or one the start of the other.
fn nearest<'n>(key: &str, names: &[&'n str]) -> Option<&'n str> {
    let plain = |word: &str| {
        let word: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
        word.to_ascii_lowercase().trim_end_matches('s').to_owned()
    };
    let wanted = plain(key);
    let close = |name: &&&str| {
        let name = plain(name);
        name == wanted
            || (wanted.len() >= 3 && name.starts_with(&wanted))
            || (name.len() >= 3 && wanted.starts_with(&name))
    };
    names.iter().find(close).copied()
}
