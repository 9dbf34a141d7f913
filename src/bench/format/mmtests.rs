//! MMTests `--json-export`: one object a test name (a kernel), `_ResultData` by operation. Several kernels are columns.

use serde_json::Value;

use super::Format;
use crate::bench::content::{Content, Reach};
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "mmtests", about: "MMTests --json-export", claims, read };

fn claims(content: &Content<'_>) -> bool {
    let json = content.json.as_ref();
    let list = json.is_some_and(|json| json.items().iter().any(|entry| entry.get("_ResultData").is_some()));
    list || content.get("_ResultData").is_some()
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut reading = Reading { format: "mmtests", ..Reading::default() };
    let entries: Vec<&Value> = match &content.json {
        Some(Value::Array(list)) => list.iter().collect(),
        Some(single) => vec![single],
        None => Vec::new(),
    };
    for entry in entries {
        let module = entry.get("_ModuleName").and_then(Reach::words).unwrap_or("mmtests");
        reading.test = module.strip_prefix("Extract").unwrap_or(module).to_owned();
        let label = entry.get("_TestName").and_then(Reach::words).map(str::to_owned);
        let higher = entry.get("_PreferHigher").or_else(|| entry.get("preferhigher")).and_then(truth);
        let mut column = Column::labelled(label);
        for (operation, data) in entry.get("_ResultData").and_then(Value::as_object).into_iter().flatten() {
            let values = data.get("Values").map(Reach::items).unwrap_or_default();
            let row = column.row(format!("{}.{operation}", reading.test), "");
            match higher {
                Some(true) => row.better(Direction::Higher),
                Some(false) => row.better(Direction::Lower),
                None => row,
            };
            for value in values {
                row.run(value.number());
            }
        }
        reading.columns.push(column);
    }
    Ok(reading)
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        other => other.number().map(|number| number != 0.0),
    }
}
