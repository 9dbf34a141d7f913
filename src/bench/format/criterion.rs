//! criterion's `sample.json`: nanoseconds and iterations of each sample; older ones are two bare lists.

use super::Format;
use crate::bench::content::{Content, Reach};
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "criterion", about: "criterion sample.json", claims, read };

fn claims(content: &Content<'_>) -> bool {
    let object = content.get("iters").is_some() && content.get("times").is_some();
    let lists = content.json.as_ref().is_some_and(|json| {
        let lists = json.items();
        lists.len() == 2 && lists.iter().all(|list| !list.numbers().is_empty()) && lists[0].items().len() == lists[1].items().len()
    });
    object || (lists && content.name.ends_with("sample.json"))
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let list = |key: &str, at: usize| {
        let json = content.json.as_ref()?;
        json.get(key).or_else(|| json.items().get(at)).map(Reach::numbers)
    };
    let (iters, times) = (list("iters", 0).unwrap_or_default(), list("times", 1).unwrap_or_default());
    if iters.len() != times.len() {
        let found = format!("{} iteration counts for {} times", iters.len(), times.len());
        return Err(content.problem("length-differs", found, "as many of both"));
    }
    let each: Vec<f64> = times.iter().zip(&iters).filter(|(_, n)| **n > 0.0).map(|(time, n)| time / n).collect();
    let mut column = Column::default();
    column.row(id(content.name), "ns").better(Direction::Lower).repeated(&each);
    Ok(Reading::single("criterion", "criterion", column))
}

/// `.../criterion/GROUP/FUNCTION/PARAMETER/new/sample.json` names the benchmark by its folders.
fn id(name: &str) -> String {
    let mut parts: Vec<&str> = name.split('/').collect();
    parts.pop();
    if parts.last().is_some_and(|part| matches!(*part, "new" | "base" | "head" | "change")) {
        parts.pop();
    }
    let start = parts.iter().rposition(|part| *part == "criterion").map_or(0, |at| at + 1);
    let id = parts[start..].join("/");
    if id.is_empty() { "criterion".to_owned() } else { id }
}
