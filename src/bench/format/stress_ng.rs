//! stress-ng `--metrics`: bogo ops/s in real time, and what single stressors report. Untrustworthy metrics are left out.

use super::Format;
use crate::bench::content::Content;
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading, Unit};

pub(super) const FORMAT: Format = Format { id: "stress-ng", about: "stress-ng --metrics", claims, read };

fn claims(content: &Content<'_>) -> bool {
    content.text.lines().take(2000).any(|line| line.contains("stress-ng: ") && line.contains("bogo ops"))
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut column = Column::default();
    let mut notes = Vec::new();
    for line in content.text.lines() {
        let Some((_, said)) = line.split_once("stress-ng: ") else { continue };
        let Some((level, said)) = said.split_once("] ") else { continue };
        let said = said.trim();
        if said.contains("metrics untrustworthy") || (said.contains("failed:") && !said.contains("failed: 0")) {
            notes.push(format!("stress-ng: {}", crate::bench::problem::clip(said)));
        }
        if !(level.starts_with("metrc") || level.starts_with("info")) {
            continue;
        }
        let words: Vec<&str> = said.split_whitespace().collect();
        if !stressor(&mut column, &words) {
            extra(&mut column, said);
        }
    }
    let mut reading = Reading::single("stress-ng", "stress-ng", column);
    if notes.iter().any(|note| note.contains("untrustworthy")) {
        reading.columns[0].rows.clear();
        notes.push("untrustworthy: stress-ng itself does not trust these metrics, none is used".to_owned());
    }
    reading.notes = notes;
    Ok(reading)
}

/// `cpu 128 1.01 0.12 0.00 126.54 1074.35 [16.59 6548]`.
fn stressor(column: &mut Column, words: &[&str]) -> bool {
    let [name, numbers @ ..] = words else { return false };
    let numbers: Option<Vec<f64>> = numbers.iter().map(|word| word.parse().ok()).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.len() >= 6 && name.starts_with(|c: char| c.is_ascii_lowercase())) else {
        return false;
    };
    let name = format!("stress-ng.{name}");
    column.row(format!("{name}.ops_per_sec"), "ops/s").better(Direction::Higher).kpi().run(Some(numbers[4]));
    column.row(format!("{name}.ops_per_cpu_sec"), "ops/s").better(Direction::Higher).monitor().run(Some(numbers[5]));
    column.row(format!("{name}.ops"), "").monitor().run(Some(numbers[0]));
    true
}

/// `flock 1883.42 nanosecs per flock unlock call (harmonic mean of 6 instances)`.
fn extra(column: &mut Column, said: &str) {
    let Some((before, mean)) = said.split_once(" (") else { return };
    if !mean.contains("mean of") {
        return;
    }
    let Some((name, rest)) = before.trim().split_once(char::is_whitespace) else { return };
    let Some((value, what)) = rest.trim().split_once(char::is_whitespace) else { return };
    let Ok(value) = value.parse::<f64>() else { return };
    let what = what.trim();
    // The unit is the longest start of the words that is one.
    let ends: Vec<usize> = what.match_indices(' ').map(|(at, _)| at).chain([what.len()]).collect();
    let known = ends.iter().rev().find_map(|&end| Some((&what[..end], Unit::parse(&what[..end])?)));
    let (unit, direction) = known.map_or(("", None), |(unit, known)| (unit, known.direction));
    let row = column.row(format!("stress-ng.{name}.{}", what.replace(' ', "_")), unit).monitor().run(Some(value));
    row.direction = direction;
}
