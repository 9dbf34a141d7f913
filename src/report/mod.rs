//! The report model; its table and plot; reading reports that others wrote.

mod brief;
mod model;

pub use brief::{Brief, Finding};
pub use model::{Failure, Impact, Report, ReportKind, Row, RowUnit};
