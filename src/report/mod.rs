//! The report model; its table and plot; reading reports that others wrote.

mod model;

pub use model::{Failure, Impact, Report, ReportKind, Row, RowUnit};
