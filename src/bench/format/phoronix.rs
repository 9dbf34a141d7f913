//! Phoronix Test Suite `composite.xml`: one column a system, raw values `:` separated, each a run of the test.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::Format;
use crate::bench::content::Content;
use crate::bench::problem::{Problem, clip};
use crate::bench::reading::Columns;
use crate::bench::{Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "phoronix", about: "Phoronix composite.xml", claims, read };

fn claims(content: &Content<'_>) -> bool {
    let head: String = content.text.chars().take(4000).collect();
    head.trim_start().starts_with('<') && head.contains("<PhoronixTestSuite")
}

/// Elements nested deeper than this are not read.
const DEEPEST: usize = 32;

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut state = State::default();
    let mut reader = Reader::from_str(content.text);
    let mut path: Vec<String> = Vec::new();
    let mut text = String::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                path.push(tag.name().into_inner().to_owned());
                text.clear();
                if path.len() > DEEPEST {
                    return Err(content.problem("too-deep", "elements nested more than 32 deep", "a flat file"));
                }
            }
            Ok(Event::Text(part)) => text.push_str(&part.xml10_content()),
            Ok(Event::CData(part)) => text.push_str(&part.xml10_content()),
            Ok(Event::GeneralRef(name)) => {
                text.push_str(quick_xml::escape::resolve_predefined_entity(&name).unwrap_or_default());
            }
            Ok(Event::End(_)) => {
                state.close(&path, text.trim());
                path.pop();
                text.clear();
            }
            Ok(Event::Eof) if path.is_empty() => break,
            Ok(Event::Eof) => return Err(content.problem("truncated", "the end of the text", "the rest of the XML")),
            Ok(_) => {}
            Err(error) => return Err(content.problem("not-xml", clip(&error.to_string()), "XML")),
        }
    }
    let mut reading = Reading { format: "phoronix", columns: state.columns.into_list(), ..Reading::default() };
    reading.test = if state.title.is_empty() { "phoronix".to_owned() } else { state.title };
    Ok(reading)
}

#[derive(Default)]
struct State {
    title: String,
    /// Fields of the open Result.
    result: BTreeMap<&'static str, String>,
    /// Fields of the open Entry.
    entry: BTreeMap<&'static str, String>,
    entries: Vec<BTreeMap<&'static str, String>>,
    columns: Columns,
}

impl State {
    fn close(&mut self, path: &[String], text: &str) {
        let names: Vec<&str> = path.iter().skip(1).map(String::as_str).collect();
        match names.as_slice() {
            ["Generated", "Title"] => self.title = text.to_owned(),
            ["Result", field] => {
                if let Some(field) = known(field) {
                    self.result.insert(field, text.to_owned());
                }
            }
            ["Result", "Data", "Entry", field] => {
                if let Some(field) = known(field) {
                    self.entry.insert(field, text.to_owned());
                }
            }
            ["Result", "Data", "Entry"] => self.entries.push(std::mem::take(&mut self.entry)),
            ["Result"] => self.finish(),
            _ => {}
        }
    }

    fn finish(&mut self) {
        let field = |name: &str| self.result.get(name).map_or("", String::as_str);
        let mut name = field("Identifier").to_owned();
        if name.is_empty() {
            name = field("Title").to_owned();
        }
        if !field("Description").is_empty() {
            name = format!("{name} ({})", field("Description"));
        }
        let (unit, proportion) = (field("Scale").to_owned(), field("Proportion").to_owned());
        for entry in std::mem::take(&mut self.entries) {
            let system = entry.get("Identifier").cloned().unwrap_or_default();
            let row = self.columns.of(Some(system)).row(name.clone(), &unit);
            match proportion.as_str() {
                "HIB" => row.better(Direction::Higher),
                "LIB" => row.better(Direction::Lower),
                _ => row,
            };
            let raw = entry.get("RawString").map_or("", String::as_str);
            let runs: Vec<f64> = raw.split(':').filter_map(|value| value.trim().parse().ok()).collect();
            match runs.is_empty() {
                true => {
                    row.run(entry.get("Value").and_then(|value| value.parse().ok()));
                }
                false => runs.into_iter().for_each(|value| {
                    row.run(Some(value));
                }),
            }
        }
        self.result.clear();
    }
}

fn known(name: &str) -> Option<&'static str> {
    ["Identifier", "Title", "Description", "Scale", "Proportion", "Value", "RawString"]
        .into_iter()
        .find(|known| *known == name)
}
