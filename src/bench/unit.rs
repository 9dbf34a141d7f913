//! Units as data (`rules/metrics/units.toml`), and the grammar that combines them (`KiB/s`, `usecs per call`).

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::Direction;

/// What a unit says about a metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// What it measures: `time`, `size`, `share`, `rate`, ...
    pub quantity: String,
    /// Which way is better, where the unit alone can tell.
    pub direction: Option<Direction>,
    /// How many base units one is (seconds, bytes, bytes a second); units of one quantity convert by it.
    pub scale: Option<f64>,
    /// A percentage or share: it cannot grow without limit, so differences are points, not ratios.
    pub bounded: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    unit: Vec<Entry>,
    /// Words that stand for work done: `ops`, `requests`.
    work: Vec<String>,
    /// Words that stand for waste: `errors`, `faults`.
    waste: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    names: Vec<String>,
    quantity: String,
    #[serde(default)]
    direction: Option<Direction>,
    #[serde(default)]
    scale: Option<f64>,
    #[serde(default)]
    bounded: bool,
}

struct Table {
    units: HashMap<String, Unit>,
    work: Vec<String>,
    waste: Vec<String>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| read(text()));

fn text() -> &'static str {
    crate::embedded::METRICS
        .iter()
        .find(|(name, _)| *name == "units.toml")
        .map_or("", |(_, text)| *text)
}

fn read(text: &str) -> Table {
    // The file is part of the program and read by a test: an empty table cannot reach a user.
    let file = toml::from_str(text).unwrap_or(File {
        unit: Vec::new(),
        work: Vec::new(),
        waste: Vec::new(),
    });
    let mut units = HashMap::new();
    for entry in file.unit {
        for name in entry.names {
            let Entry { ref quantity, direction, scale, bounded, .. } = entry;
            units.insert(name, Unit { quantity: quantity.clone(), direction, scale, bounded });
        }
    }
    Table { units, work: file.work, waste: file.waste }
}

impl Unit {
    /// Understands a unit, or `None` for an unknown one.
    ///
    /// Known are the names of `units.toml` (exact, then without regard to case), `A/B` and `A per B` where B is a known
    /// unit or a word for work and A is either or any word at all before a time (`lookups/s`).
    pub fn parse(text: &str) -> Option<Unit> {
        let text = text.trim();
        if text.is_empty() || text.len() > 60 || text.chars().any(char::is_control) {
            return None;
        }
        if let Some(unit) = single(text) {
            return Some(unit);
        }
        let (above, below) = text
            .split_once(" per ")
            .or_else(|| text.split_once('/'))
            .or_else(|| text.split_once("_per_"))?;
        ratio(above.trim(), below.trim())
    }

    /// How a value in this unit is multiplied to be one in `other`; `None` when they measure different things.
    pub fn factor_to(&self, other: &Unit) -> Option<f64> {
        if self.quantity != other.quantity {
            return None;
        }
        Some(self.scale? / other.scale?)
    }

    /// How values in one written unit become ones in another; a bare number is taken to be in either. `None` when they do not
    /// convert.
    pub fn factor(from: Option<&str>, to: Option<&str>) -> Option<f64> {
        match (from, to) {
            (Some(from), Some(to)) if from != to => Unit::parse(from)?.factor_to(&Unit::parse(to)?),
            _ => Some(1.0),
        }
    }
}

fn single(text: &str) -> Option<Unit> {
    let table = &*TABLE;
    if let Some(unit) = table.units.get(text) {
        return Some(unit.clone());
    }
    let lower = text.to_lowercase();
    table.units.get(&lower).cloned().or_else(|| noun(&lower))
}

/// A word for work or for waste, in lower case.
fn noun(lower: &str) -> Option<Unit> {
    let table = &*TABLE;
    let kind = |quantity: &str| Unit {
        quantity: quantity.to_owned(),
        direction: None,
        scale: Some(1.0),
        bounded: false,
    };
    let word = lower.trim_end_matches('s');
    if table.work.iter().any(|known| known.trim_end_matches('s') == word) {
        return Some(kind("work"));
    }
    if table.waste.iter().any(|known| known.trim_end_matches('s') == word) {
        return Some(Unit { direction: Some(Direction::Lower), ..kind("waste") });
    }
    None
}

fn ratio(above: &str, below: &str) -> Option<Unit> {
    // `ops` alone is a rate to many labs; before a slash it is work.
    let part = |text: &str| noun(&text.to_lowercase()).or_else(|| single(text));
    let below = part(below)?;
    let known = part(above);
    let free_word = |text: &str| {
        text.len() <= 40
            && text.chars().any(char::is_alphabetic)
            && text
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '^' | '.' | '#'))
    };
    let direction =
        match (known.as_ref().map(|unit| unit.quantity.as_str()), below.quantity.as_str()) {
            // Time, memory, energy, waste or cycles for a piece of anything.
            (Some("time" | "waste" | "energy" | "cycles"), _) => Some(Direction::Lower),
            (Some("size"), "work") => Some(Direction::Lower),
            (Some("work" | "size" | "bits"), "time" | "energy" | "power") => {
                Some(Direction::Higher)
            }
            (Some("count"), "work") => Some(Direction::Lower),
            (None, "time") if free_word(above) => None,
            (None, "work") if free_word(above) => None,
            (None, _) => return None,
            _ => None,
        };
    let scale =
        known.as_ref().map_or(Some(1.0), |unit| unit.scale).zip(below.scale).map(|(a, b)| a / b);
    let name = known.map_or_else(|| above.to_lowercase(), |unit| unit.quantity);
    Some(Unit { quantity: format!("{name}/{}", below.quantity), direction, scale, bounded: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn direction(text: &str) -> Option<Direction> {
        Unit::parse(text).unwrap_or_else(|| panic!("{text} is unknown")).direction
    }

    #[test]
    fn the_shipped_table_is_read_whole() {
        toml::from_str::<File>(text()).unwrap();
        assert!(TABLE.units.len() > 50);
    }

    #[test]
    fn units_tell_directions() {
        for text in [
            "s",
            "ms",
            "usec",
            "ns/op",
            "usecs per call",
            "B/op",
            "allocs/op",
            "W",
            "J/op",
            "errors/s",
        ] {
            assert_eq!(direction(text), Some(Direction::Lower), "{text}");
        }
        for text in [
            "ops/s",
            "MB/s",
            "KiB/s",
            "Mbit/s",
            "bogo ops/s",
            "req/s",
            "transactions per sec",
            "fps",
            "lps",
        ] {
            assert_eq!(direction(text), Some(Direction::Higher), "{text}");
        }
        for text in ["%", "bytes", "count", "lookups/s", "Hz"] {
            assert_eq!(direction(text), None, "{text}");
        }
    }

    #[test]
    fn nonsense_is_unknown() {
        for text in ["parsecs", "furlongs per fortnight", "bananas", "", "a/b/c", "x\ny/s", "12"] {
            assert_eq!(Unit::parse(text), None, "{text}");
        }
    }

    #[test]
    fn units_of_one_quantity_convert() {
        let factor =
            |from: &str, to: &str| Unit::parse(from).unwrap().factor_to(&Unit::parse(to).unwrap());
        // Scales like 0.001 have no exact binary form.
        let near = |found: Option<f64>, wanted: f64| {
            found.is_some_and(|f| (f / wanted - 1.0).abs() < 1e-12)
        };
        assert!(near(factor("ms", "us"), 1000.0));
        assert!(near(factor("MiB/s", "KiB/s"), 1024.0));
        assert_eq!(factor("ms", "KiB"), None);
    }
}
