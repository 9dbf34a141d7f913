//! What a report is written from.

use crate::bench::Notification;
use crate::stats::Change;

use super::ReportKind;

/// Everything a report mail may say about one commit, before wording.
#[derive(Debug, Clone, PartialEq)]
pub struct Brief {
    /// Word of the title.
    pub kind: ReportKind,
    /// The test that names the mail, worst first.
    pub lead: Finding,
    /// Further tests and machines that the same commit touches.
    pub others: Vec<Finding>,
}

/// One notification with its decided metrics, most important first.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What the lab sent.
    pub notification: Notification,
    /// One entry a metric, kpis that changed first.
    pub changes: Vec<Change>,
}
