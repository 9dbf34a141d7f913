//! LKP `stats.json` of one run: a flat object of numbers.

use serde_json::Value;

use super::Format;
use crate::bench::content::{Content, Reach};
use crate::bench::problem::Problem;
use crate::bench::reading::Row;
use crate::bench::{Column, Reading};

pub(super) const FORMAT: Format = Format { id: "lkp-stats", about: "LKP stats.json", claims, read };

fn claims(content: &Content<'_>) -> bool {
    let members = content.json.as_ref().and_then(Value::as_object);
    members.is_some_and(|members| {
        !members.is_empty()
            && members.values().all(|value| value.is_number())
            && members.keys().filter(|key| key.contains('.')).count() * 2 > members.len()
    })
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut column = Column::default();
    for (name, value) in content.json.as_ref().and_then(Value::as_object).into_iter().flatten() {
        let row = column.row(name.clone(), "").run(value.number().filter(|value| *value != -1.0));
        class(row);
    }
    Ok(Reading::single("lkp-stats", "lkp", column))
}

/// A name that no knowledge covers is a monitor's until somebody says otherwise: LKP has thousands of them.
pub(super) fn class(row: &mut Row) {
    const FIRST: &[&str] = &["dmesg", "kmsg", "stderr", "last_state", "time", "uptime", "boot-time", "pmeter"];
    let program = row.name.split('.').next().unwrap_or_default();
    if FIRST.contains(&program) || row.name.contains(".time.") {
        row.monitor();
    }
}
