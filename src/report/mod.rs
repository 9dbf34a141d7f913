//! The report model; its table and plot; reading reports that others wrote.

mod brief;
mod model;
mod read;

pub use brief::{Brief, Finding};
pub use model::{
    Column, Failure, Impact, Patch, Report, ReportKind, Row, RowUnit, Sighting, Table,
};
pub use read::{Found, Title, read, read_mail, read_subject};
