//! Step 4: whether a difference is large enough to matter.

use crate::bench::Resolved;

use super::Change;
use super::scale::Scale;
use super::words::{number, percent, points};

/// Step 4.
pub(super) struct Size {
    /// The medians differ at all.
    pub(super) differs: bool,
    /// The difference is large enough to matter.
    pub(super) enough: bool,
    /// Percent (points for a bounded metric) that is needed.
    pub(super) needed: f64,
    pub(super) bounded: bool,
    pub(super) said: String,
}

impl Size {
    pub(super) fn of(change: &Change, resolved: &Resolved, build: f64) -> Self {
        let absolute = change.change_absolute.unwrap_or_default();
        let needed = resolved.effect.max(200.0 * build);
        let (found, said) = if resolved.bounded {
            (absolute.abs(), format!("{} is less than {needed} points", points(absolute)))
        } else {
            let relative = change.change_percent.unwrap_or_default();
            (relative.abs(), format!("{} is less than {needed} %", percent(relative)))
        };
        // 100 -> 98 is exactly 2 %, whatever the rounding says.
        let large = found >= needed * (1.0 - 1e-9);
        let reaches = absolute.abs() >= resolved.floor;
        let said = if large && !reaches {
            format!("{} is less than {}", number(absolute), number(resolved.floor))
        } else {
            said
        };
        Size {
            differs: absolute != 0.0,
            enough: large && reaches,
            needed,
            bounded: resolved.bounded,
            said,
        }
    }

    /// Whether the distance between two modes would matter.
    pub(super) fn any_mode(&self, gap: f64, scale: Scale) -> bool {
        match scale {
            Scale::Log => 100.0 * gap.exp_m1() >= self.needed,
            Scale::Linear { .. } if self.bounded => gap >= self.needed,
            Scale::Linear { level } => 100.0 * gap >= self.needed * level,
        }
    }
}
