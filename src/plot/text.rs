//! A history on a terminal or in a mail: one column a commit, or the median of several where there are many.

use super::{History, amount, sentence};

const ROWS: usize = 16;
/// Widest plot area in columns.
const COLUMNS: usize = 100;

/// Draws with `*` for a commit's median, `:` for the level between steps, `|` where a step is, blank where no run came back.
pub fn text(history: &History) -> String {
    let mut out = history.title.clone();
    if let Some(unit) = &history.unit {
        out += &format!(" [{unit}]");
    }
    out.push('\n');
    let Some((low, high)) = history.range() else {
        out += "no values\n";
        return out;
    };
    let count = history.commits.len();
    let each = count.div_ceil(COLUMNS).max(1);
    let width = count.div_ceil(each);
    let row = |value: f64| {
        let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
        ROWS - 1 - (share * (ROWS - 1) as f64).round() as usize
    };
    let mut grid = vec![vec![' '; width]; ROWS];
    for (from, to, level) in levels(history) {
        let line = row(level);
        (from / each..to.div_ceil(each).min(width)).for_each(|column| grid[line][column] = ':');
    }
    for seen in &history.steps {
        let column = seen.index / each;
        let (a, b) = (row(seen.step.before), row(seen.step.after));
        (a.min(b)..=a.max(b)).for_each(|line| grid[line][column] = '|');
    }
    for (column, commits) in history.commits.chunks(each).enumerate() {
        let mut values: Vec<f64> = commits.iter().filter_map(|commit| commit.median).collect();
        values.sort_unstable_by(f64::total_cmp);
        if let Some(value) = values.get(values.len() / 2) {
            grid[row(*value)][column] = '*';
        }
    }
    let labels: Vec<String> = (0..ROWS)
        .map(|line| {
            if line % 5 == 0 {
                amount(high - (high - low) * line as f64 / (ROWS - 1) as f64)
            } else {
                String::new()
            }
        })
        .collect();
    let margin = labels.iter().map(String::len).max().unwrap_or(0);
    for (label, line) in labels.iter().zip(&grid) {
        let cells: String = line.iter().collect();
        out += format!("{label:>margin$} |{cells}").trim_end();
        out.push('\n');
    }
    out += &format!("{:margin$} +{}\n", "", "-".repeat(width));
    let first = history.commits.first().map_or("", |commit| commit.id.as_str());
    let last = history.commits.last().map_or("", |commit| commit.id.as_str());
    let gap = width.saturating_sub(first.chars().count() + last.chars().count()).max(1);
    out += &format!("{:margin$}  {first}{}{last}\n", "", " ".repeat(gap));
    out += &match each {
        1 => format!("{count} commits"),
        _ => format!("{count} commits, {each} a column"),
    };
    out += if history.steps.is_empty() { ", no step\n" } else { "\n" };
    for seen in &history.steps {
        out += &format!("  {}\n", sentence(seen));
    }
    out
}

/// Stretches between steps with their level.
pub(super) fn levels(history: &History) -> Vec<(usize, usize, f64)> {
    let mut levels = Vec::new();
    let mut from = 0;
    for (i, seen) in history.steps.iter().enumerate() {
        if i == 0 {
            levels.push((from, seen.index, seen.step.before));
        }
        from = seen.index;
        let to = history.steps.get(i + 1).map_or(history.commits.len(), |next| next.index);
        levels.push((from, to, seen.step.after));
    }
    levels
}
