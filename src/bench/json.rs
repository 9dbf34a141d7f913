//! JSON of strangers: bounded, without duplicate keys, and with problems that name path and line.

use std::cell::RefCell;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::locate::{self, push_index, push_key};
use super::problem::{MAX_PROBLEMS, Problem, clip};

/// What a file may cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// All values of the file together.
    pub(crate) values: usize,
    /// Elements of one list.
    pub(crate) list: usize,
}

/// Reads one JSON value. Duplicate keys, broken text, and more than the limits are problems; the depth is bounded at 128.
pub(crate) fn parse(file: &str, text: &str, limits: Limits) -> Result<Value, Vec<Problem>> {
    let state = RefCell::new(State { left: limits.values, cut: None, twice: Vec::new() });
    let mut reader = serde_json::Deserializer::from_str(text);
    let seed =
        Seed { state: &state, list: limits.list, path: Path { parent: None, step: Step::Root } };
    let outcome = seed.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    let state = state.into_inner();
    match outcome {
        Ok(value) if state.twice.is_empty() => Ok(value),
        Ok(_) => {
            let mut problems: Vec<Problem> = state.twice;
            problems.iter_mut().for_each(|problem| problem.file = file.to_owned());
            place(text, &mut problems);
            Err(problems)
        }
        Err(error) => Err(vec![explain(file, text, &error, state.cut)]),
    }
}

/// Fills in the lines of problems that have a path only.
pub(crate) fn place(text: &str, problems: &mut [Problem]) {
    let found: Vec<Option<usize>> = {
        // What is missing stands nowhere: the line of what should hold it helps as well.
        let wanted = problems
            .iter()
            .flat_map(|problem| [problem.path.as_str(), locate::parent(&problem.path)]);
        let lines = locate::lines(text, wanted);
        let line = |path: &str| lines.get(path).copied();
        problems
            .iter()
            .map(|problem| line(&problem.path).or_else(|| line(locate::parent(&problem.path))))
            .collect()
    };
    for (problem, line) in problems.iter_mut().zip(found) {
        problem.line = problem.line.or(line);
    }
}

/// What a value is, for the `found` of a problem.
pub(crate) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) if text.is_empty() => "an empty text".to_owned(),
        Value::String(text) => format!("the text \"{}\"", clip(text)),
        Value::Array(items) if items.is_empty() => "an empty list".to_owned(),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

fn explain(file: &str, text: &str, error: &serde_json::Error, cut: Option<Cut>) -> Problem {
    let offset = offset_of(text, error.line(), error.column());
    let path = locate::path_at(text, offset.saturating_sub(1));
    let problem = |reason, found: String, expected: &str| {
        let problem = Problem::at(file, path.clone(), reason, found, expected);
        if error.line() > 0 { problem.on_line(error.line()) } else { problem }
    };
    if let Some(cut) = cut {
        return match cut {
            Cut::Values => {
                problem("too-large", "too many values".to_owned(), "fewer values in one file")
            }
            Cut::List(most) => problem(
                "too-many-samples",
                format!("more than {most} entries in one list"),
                "fewer: one value a run is enough",
            ),
        };
    }
    let start = text.get(offset.saturating_sub(1)..).unwrap_or_default();
    let word: String = start
        .trim_start_matches('-')
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .take(12)
        .collect();
    if matches!(word.to_ascii_lowercase().as_str(), "nan" | "inf" | "infinity" | "n" | "i") {
        return problem(
            "not-finite",
            format!("`{word}`"),
            "a finite number, or null for a missing run",
        );
    }
    if error.is_eof() {
        return problem("truncated", "the end of the text".to_owned(), "the rest of the JSON");
    }
    let said = error.to_string();
    let said = said.split(" at line ").next().unwrap_or_default();
    if said.contains("out of range") {
        return problem("not-finite", "a number that is too large".to_owned(), "a finite number");
    }
    if said.contains("recursion limit") {
        let found = "values nested more than 128 deep";
        return Problem::whole(file, "too-deep", found, "a flat file").on_line(error.line());
    }
    let line = start.lines().next().unwrap_or_default();
    problem("not-json", format!("`{}`", clip(line)), &format!("JSON ({said})"))
}

fn offset_of(text: &str, line: usize, column: usize) -> usize {
    if line == 0 {
        return 0;
    }
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    (start + column).min(text.len())
}

enum Cut {
    Values,
    List(usize),
}

struct State {
    left: usize,
    cut: Option<Cut>,
    twice: Vec<Problem>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

#[derive(Clone, Copy)]
struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Step<'a>,
}

impl Path<'_> {
    fn write(&self, out: &mut String) {
        if let Some(parent) = self.parent {
            parent.write(out);
        }
        match self.step {
            Step::Root => {}
            Step::Key(key) => push_key(out, key),
            Step::Index(index) => push_index(out, index),
        }
    }
}

struct Seed<'a> {
    state: &'a RefCell<State>,
    list: usize,
    path: Path<'a>,
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        loop {
            let path = Path { parent: Some(&self.path), step: Step::Index(items.len()) };
            let Some(item) =
                list.next_element_seed(Seed { state: self.state, list: self.list, path })?
            else {
                return Ok(Value::Array(items));
            };
            items.push(item);
            if items.len() > self.list {
                self.state.borrow_mut().cut = Some(Cut::List(self.list));
                return Err(A::Error::custom("list too long"));
            }
            self.spend()?;
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let path = Path { parent: Some(&self.path), step: Step::Key(&key) };
            let value = map.next_value_seed(Seed { state: self.state, list: self.list, path })?;
            self.spend()?;
            if members.contains_key(&key) {
                let mut at = String::new();
                path.write(&mut at);
                let mut state = self.state.borrow_mut();
                if state.twice.len() < MAX_PROBLEMS {
                    let found = format!("the key \"{}\" twice", clip(&key));
                    state.twice.push(Problem::at("", at, "duplicate-key", found, "every key once"));
                }
            } else {
                members.insert(key, value);
            }
        }
        Ok(Value::Object(members))
    }
}

impl Seed<'_> {
    fn spend<E: serde::de::Error>(&self) -> Result<(), E> {
        let mut state = self.state.borrow_mut();
        if state.left == 0 {
            state.cut = Some(Cut::Values);
            return Err(E::custom("too many values"));
        }
        state.left -= 1;
        Ok(())
    }
}
