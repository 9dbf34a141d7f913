//! The ASCII plot of the runs: labelled axis, gaps for missing runs, marks that match the legend.

use super::number;

/// Marks of the groups, in order; the legend uses the same ones.
pub const MARKS: [char; 4] = ['*', 'O', '#', 'x'];

/// Columns that the axis and its labels may take.
const LABEL: usize = 10;
const LEAST_INNER: usize = 30;
const LEAST_STEP: usize = 1;
const MOST_STEP: usize = 5;

/// Runs of one commit.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// What stands below its runs: `base 0123456789`.
    pub label: String,
    /// Runs in order, `None` for a missing one.
    pub runs: Vec<Option<f64>>,
}

/// A finished plot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plot {
    /// Frame, marks and labels.
    pub lines: Vec<String>,
    /// `[*] base 0123456789 (6 runs)`, one a group.
    pub legend: Vec<String>,
    /// Lowest value of the axis, as printed: it is hardly ever zero.
    pub from: String,
    /// Highest value of the axis, as printed.
    pub to: String,
    /// Runs that did not come back: each is a gap.
    pub missing: usize,
}

/// Draws at most four groups into `width` x `height` characters, labels and frame included. `None` when there are not two values.
pub fn plot(title: &str, groups: &[Group], width: usize, height: usize) -> Option<Plot> {
    let groups = &groups[..groups.len().min(MARKS.len())];
    let values =
        || groups.iter().flat_map(|g| &g.runs).flatten().copied().filter(|v| v.is_finite());
    let slots: usize = groups.iter().map(|g| g.runs.len()).sum();
    if values().count() < 2 {
        return None;
    }
    let scale = Scale::of(
        values().fold(f64::INFINITY, f64::min),
        values().fold(f64::NEG_INFINITY, f64::max),
    );
    let inner = width.saturating_sub(LABEL + 3).max(20);
    let rows = height.saturating_sub(4).max(5);
    // One column of air between two groups.
    let room = inner.saturating_sub(2 * groups.len());
    let step = (room / slots.max(1)).clamp(LEAST_STEP, MOST_STEP);
    let mut canvas = vec![vec![' '; inner]; rows];
    let mut labels = vec![' '; inner];
    let (mut at, mut missing) = (1, 0);
    for (group, mark) in groups.iter().zip(MARKS) {
        let span = (group.runs.len() * step).min(room * group.runs.len() / slots.max(1)).max(1);
        for (i, run) in group.runs.iter().enumerate() {
            let column = (at + i * span / group.runs.len().max(1)).min(inner - 1);
            match run.filter(|v| v.is_finite()) {
                Some(v) => canvas[scale.row(v, rows)][column] = mark,
                None => missing += 1,
            }
        }
        write(&mut labels, at, span.max(group.label.chars().count() + 1), &group.label);
        at += span.max(group.label.chars().count()) + 2;
        at = at.min(inner - 1);
    }
    // No wider than what is drawn.
    let used = at.saturating_sub(1).clamp(LEAST_INNER.max(title.chars().count()).min(inner), inner);
    canvas.iter_mut().for_each(|row| row.truncate(used));
    labels.truncate(used);
    Some(Plot {
        lines: framed(title, &canvas, &labels, &scale),
        legend: groups.iter().zip(MARKS).map(|(g, mark)| legend(g, mark)).collect(),
        from: scale.label(scale.low),
        to: scale.label(scale.high),
        missing,
    })
}

fn legend(group: &Group, mark: char) -> String {
    let back = group.runs.iter().flatten().count();
    let gone = group.runs.len() - back;
    let gone = if gone > 0 { format!(", {gone} missing") } else { String::new() };
    format!("[{mark}] {} ({back} run{}{gone})", group.label, if back == 1 { "" } else { "s" })
}

fn write(line: &mut [char], at: usize, width: usize, text: &str) {
    for (slot, c) in line.iter_mut().skip(at).take(width).zip(text.chars()) {
        *slot = c;
    }
}

fn framed(title: &str, canvas: &[Vec<char>], labels: &[char], scale: &Scale) -> Vec<String> {
    let inner = labels.len();
    let rule = format!("{:>LABEL$} +{}+", "", "-".repeat(inner));
    let mut lines = vec![format!("{:LABEL$}  {title:^inner$}", ""), rule.clone()];
    for (i, row) in canvas.iter().enumerate() {
        let text: String = row.iter().collect();
        // A label every third row, and at both ends.
        let label = if i % 3 == 0 || i + 1 == canvas.len() {
            scale.label(scale.at(i, canvas.len()))
        } else {
            String::new()
        };
        lines.push(format!("{label:>LABEL$} |{text}|"));
    }
    lines.push(rule);
    let labels: String = labels.iter().collect();
    lines.push(format!("{:LABEL$}  {labels}", ""));
    lines.iter().map(|l| l.trim_end().to_owned()).collect()
}

/// The value axis: a twentieth of the span is left free above and below, and zero is only there when the runs reach it.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of(least: f64, most: f64) -> Self {
        // Halves: the span of two values near the largest number overflows.
        let half = most / 2.0 - least / 2.0;
        let pad = if half > 0.0 {
            half / 10.0
        } else {
            (most.abs() / 100.0).max(f64::MIN_POSITIVE.sqrt())
        };
        let low = if least >= 0.0 { (least - pad).max(0.0) } else { (least - pad).max(f64::MIN) };
        let high = if most <= 0.0 { (most + pad).min(0.0) } else { (most + pad).min(f64::MAX) };
        if low < high { Self { low, high } } else { Self { low: 0.0, high: 1.0 } }
    }

    /// Row of a value, 0 on top.
    fn row(&self, v: f64, rows: usize) -> usize {
        let share = (v / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0);
        let last = rows.saturating_sub(1);
        // In range by construction, and a cast from float saturates.
        last - ((share * last as f64).round() as usize).min(last)
    }

    /// Value at a row.
    fn at(&self, row: usize, rows: usize) -> f64 {
        let share = row as f64 / rows.saturating_sub(1).max(1) as f64;
        self.high * (1.0 - share) + self.low * share
    }

    /// Enough digits to tell one label from the next, no more.
    fn label(&self, v: f64) -> String {
        if v == 0.0 {
            return "0".to_owned();
        }
        let step = (self.high / 2.0 - self.low / 2.0) / 6.0;
        let size = self.high.abs().max(self.low.abs());
        if size >= 1e8 || step < 1e-6 {
            return number::general(v, 5);
        }
        let decimals = (0.5 - step.log10()).ceil().clamp(0.0, 6.0);
        format!("{v:.*}", decimals as usize)
    }
}

/// The last commits in one line: `_` low, `.`, `-`, `'`, `^` high, `?` where no run came back. `None` below three values.
pub fn sparkline(values: &[Option<f64>]) -> Option<String> {
    const LEVELS: [char; 5] = ['_', '.', '-', '\'', '^'];
    let known = || values.iter().flatten().copied().filter(|v| v.is_finite());
    if known().count() < 3 {
        return None;
    }
    let (low, high) =
        (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    let level = |v: f64| {
        let share = if high > low { (v / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0) } else { 0.5 };
        LEVELS[((share * 4.0).round() as usize).min(4)]
    };
    Some(values.iter().map(|v| v.filter(|v| v.is_finite()).map_or('?', level)).collect())
}
