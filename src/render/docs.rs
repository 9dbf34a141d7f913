//! `docs/templates.md`, written from the views, so that it cannot lag behind them.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

use super::view::{
    ClosingView, CommandsView, FixMissingView, MalformedView, MeasuredView, MoreView, ReportView,
    RunRequestView,
};
use crate::embedded::TEMPLATES;

const HEAD: &str = include_str!("templates.md");

/// The whole page.
pub fn docs() -> String {
    let mut page = Page { text: HEAD.to_owned(), generator: SchemaGenerator::default() };
    page.view::<ReportView>(
        &["report", "improvement", "change", "mixed", "no-change", "failure"],
        "The first mail about a commit.",
    );
    page.view::<MoreView>(&["follow-up-more"], "Other tests or machines show it too.");
    page.view::<MeasuredView>(
        &[
            "follow-up-confirmed",
            "follow-up-not-confirmed",
            "follow-up-still-there",
            "follow-up-fixed",
        ],
        "New numbers of the same metric.",
    );
    page.view::<ClosingView>(
        &["follow-up-closing"],
        "A dismissal stood unopposed; it closes on a date.",
    );
    page.view::<FixMissingView>(
        &["follow-up-fix-missing"],
        "A fix was announced and is in no watched tree.",
    );
    page.view::<MalformedView>(&["answer-malformed"], "A lab's notification could not be read.");
    page.view::<CommandsView>(&["answer-commands"], "What became of the command lines of a mail.");
    page.view::<RunRequestView>(&["run-request"], "Asks a lab for runs.");
    page.parts();
    page.structs();
    page.text
}

struct Page {
    text: String,
    generator: SchemaGenerator,
}

impl Page {
    fn view<T: JsonSchema>(&mut self, files: &[&str], when: &str) {
        let files: Vec<String> = files.iter().map(|f| format!("`{f}.txt`")).collect();
        let schema = T::json_schema(&mut self.generator);
        self.text += &format!("\n## {}\n\n{when}\n\n", files.join(", "));
        self.text += &fields(&schema);
    }

    /// Files that others include.
    fn parts(&mut self) {
        self.text += "\n## Parts\n\nIncluded by the files above, and seeing what they see:\n\n";
        for (name, text) in TEMPLATES.iter().filter(|(name, _)| name.starts_with("part-")) {
            let users: Vec<String> = TEMPLATES
                .iter()
                .filter(|(_, user)| user.contains(&format!("include \"{name}\"")))
                .map(|(user, _)| format!("`{user}`"))
                .collect();
            let what = text.lines().next().unwrap_or_default();
            let what = what
                .trim_start_matches("{#-")
                .trim_start_matches("{#")
                .trim_end_matches("-#}")
                .trim_end_matches("#}");
            self.text += &format!("- `{name}`: {} Used by {}.\n", what.trim(), users.join(", "));
        }
    }

    fn structs(&mut self) {
        for (name, schema) in self.generator.definitions().clone() {
            let Ok(schema) = Schema::try_from(schema) else { continue };
            let what = schema.get("description").and_then(Value::as_str).unwrap_or_default();
            self.text += &format!("\n### {name}\n\n{}\n\n", what.replace('\n', " "));
            self.text += &fields(&schema);
        }
    }
}

fn fields(schema: &Schema) -> String {
    let mut text = "| field | type | what |\n|---|---|---|\n".to_owned();
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return text };
    for (name, property) in properties {
        let what = property.get("description").and_then(Value::as_str).unwrap_or_default();
        let what = what.replace('\n', " ").replace('|', "\\|");
        text += &format!("| `{name}` | {} | {what} |\n", kind(property));
    }
    text
}

/// `text`, `number`, `list of text`, `[CommitView](#commitview), optional`.
fn kind(property: &Value) -> String {
    if let Some(name) = property.get("$ref").and_then(Value::as_str) {
        let name = name.rsplit('/').next().unwrap_or(name);
        return format!("[{name}](#{})", name.to_ascii_lowercase());
    }
    if let Some(options) = property.get("anyOf").and_then(Value::as_array) {
        let real = options.iter().find(|o| o.get("type").and_then(Value::as_str) != Some("null"));
        return format!("{}, optional", real.map(kind).unwrap_or_default());
    }
    let word = |name: &str| match name {
        "string" => "text".to_owned(),
        "integer" | "number" => "number".to_owned(),
        "boolean" => "true or false".to_owned(),
        "array" => format!("list of {}", property.get("items").map(kind).unwrap_or_default()),
        other => other.to_owned(),
    };
    match property.get("type") {
        Some(Value::String(name)) => word(name),
        Some(Value::Array(names)) => {
            let real =
                names.iter().filter_map(Value::as_str).find(|n| *n != "null").unwrap_or("text");
            format!("{}, optional", word(real))
        }
        _ => "text".to_owned(),
    }
}
