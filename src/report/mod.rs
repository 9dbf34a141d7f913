//! The report model; its table and plot; reading reports that others wrote.

mod brief;
mod gate;
mod impact;
pub mod maintainers;
mod model;
pub mod number;
pub mod plain;
pub mod plot;
mod read;
mod recipient;
mod sure;
pub mod table;
mod title;
pub mod wrap;

pub use brief::{Brief, Finding, Point, Pooled, Round};
pub use gate::{GateFacts, Hold, Known, gate};
pub use impact::{ImpactBox, impact, impact_of, machine};
pub use model::{
    Column, Failure, Impact, Patch, Report, ReportKind, Row, RowUnit, Sighting, Table,
};
pub use read::{Found, Title, read, read_mail, read_subject};
pub use recipient::{
    OptOut, PrivateTree, Reach, Recipient, addressed, readers, recipients, why_line,
};
pub use sure::{RoundLine, Sparkline, Sure, sure};
pub use title::{
    SUBJECT_WIDTH, area, better, failure_word, points, short, size, subject, title, word, word_of,
};
