//! KCIDB I/O v4 and v5: tests with a number; one run a test entry of a path.

use std::collections::HashMap;

use serde_json::Value;

use super::Format;
use crate::bench::content::{Content, Reach};
use crate::bench::problem::Problem;
use crate::bench::Reading;
use crate::bench::reading::Columns;

pub(super) const FORMAT: Format = Format { id: "kcidb", about: "KCIDB I/O v5 tests with numbers", claims, read };

fn claims(content: &Content<'_>) -> bool {
    content.get("version").is_some_and(|version| version.get("major").is_some()) && content.get("tests").is_some()
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut columns = Columns::default();
    let builds = by_id(content.get("builds"));
    let checkouts = by_id(content.get("checkouts"));
    let mut reading = Reading { format: "kcidb", test: "kcidb".to_owned(), ..Reading::default() };
    for test in content.get("tests").map(Reach::items).unwrap_or_default() {
        let Some(value) = test.at(&["number", "value"]).and_then(Reach::number) else { continue };
        let status = test.get("status").and_then(Reach::words).unwrap_or("PASS");
        let build = test.get("build_id").and_then(Reach::words).unwrap_or_default();
        let commit = builds
            .get(build)
            .and_then(|build| checkouts.get(build.get("checkout_id")?.words()?))
            .and_then(|checkout| checkout.get("git_commit_hash")?.words())
            .unwrap_or(build);
        let unit = test.at(&["number", "unit"]).and_then(Reach::words).unwrap_or_default();
        let path = test.get("path").and_then(Reach::words).unwrap_or("test");
        let row = columns.of(Some(commit.to_owned())).row(path, unit);
        row.run((!matches!(status, "ERROR" | "MISS" | "SKIP")).then_some(value));
        if let Some(host) = test.at(&["environment", "misc", "platform"]).or_else(|| test.at(&["environment", "comment"])).and_then(Reach::words) {
            reading.facts.entry("machine".to_owned()).or_insert_with(|| host.to_owned());
        }
    }
    reading.columns = columns.into_list();
    Ok(reading)
}

fn by_id(list: Option<&Value>) -> HashMap<&str, &Value> {
    let items = list.map(Reach::items).unwrap_or_default();
    items.iter().filter_map(|entry| Some((entry.get("id")?.words()?, entry))).collect()
}
