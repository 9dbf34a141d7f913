//! Samples in, [`Change`] out: significance, effect and confidence (`docs/statistics.md`).

mod attribute;
mod baseline;
mod blank;
mod change;
mod confirm;
mod decide;
mod divisive;
mod failure;
mod family;
mod held;
mod hunter;
mod level;
mod moderated;
mod modes;
mod noise;
mod numeric;
mod overall;
mod past;
mod prior;
mod scale;
mod settings;
mod size;
mod steps;
mod words;

pub(crate) use numeric::median;

pub use attribute::{Alert, Range, Recent, Seen, merge, recent, seen};
pub use baseline::{LEVEL, POOL, head_alone};
pub use change::{Change, Class, Kind, Summary};
pub use confirm::confirm;
pub use decide::{decide, pair};
pub use failure::{FailureChange, failure, failures};
pub use family::{family, family_among};
pub use held::{held, hold};
pub use hunter::{Hunter, Point, Search, change_points};
pub use level::{Level, level};
pub use moderated::{Moderated, moderated};
pub use noise::{Measured, noise, prior};
pub use numeric::{benjamini_hochberg, cliff, fisher_either, fisher_more, geometric_mean, t_p};
pub use overall::{Lead, Overall, OverallKind, overall};
pub use past::{Past, Spot, Track};
pub use prior::{Noise, Prior};
pub use scale::Scale;
pub use settings::Settings;
pub use steps::{Step, Stepper, Steps, steps};
