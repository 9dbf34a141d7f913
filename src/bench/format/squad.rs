//! SQUAD metrics: `{"suite/metric": number or [numbers] or {"value": ..., "unit": ...}}`.

use serde_json::Value;

use super::Format;
use crate::bench::content::{Content, Reach};
use crate::bench::problem::Problem;
use crate::bench::{Column, Reading};

pub(super) const FORMAT: Format = Format { id: "squad", about: "SQUAD (LKFT) metrics", claims, read };

fn values(value: &Value) -> Option<Vec<f64>> {
    let value = value.get("value").unwrap_or(value);
    match value {
        Value::Number(_) => value.number().map(|number| vec![number]),
        Value::Array(list) => (!list.is_empty() && list.iter().all(|item| item.number().is_some())).then(|| value.numbers()),
        _ => None,
    }
}

fn claims(content: &Content<'_>) -> bool {
    let members = content.json.as_ref().and_then(Value::as_object);
    members.is_some_and(|members| {
        !members.is_empty()
            && members.values().all(|value| values(value).is_some())
            && members.keys().any(|key| key.contains('/') || members.len() == 1)
    })
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut column = Column::default();
    for (name, value) in content.json.as_ref().and_then(Value::as_object).into_iter().flatten() {
        let unit = value.get("unit").and_then(Reach::words).unwrap_or_default();
        column.row(name.clone(), unit).repeated(&values(value).unwrap_or_default());
    }
    Ok(Reading::single("squad", "squad", column))
}
