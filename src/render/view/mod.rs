//! What templates see: small structs of finished words and numbers. `docs/templates.md` is written from them.

mod answer;
mod finding;
mod follow_up;
mod footer;
mod report;
mod request;

pub use answer::{CommandLine, CommandsView, MalformedView};
pub use finding::{
    CommitView, FailureView, FindingView, Headline, Pair, PlotView, TableView, TestView, TipView,
    TreeView,
};
pub use follow_up::{ClosingView, FixMissingView, MeasuredView, MoreView};
pub use footer::{FooterView, WhyView};
pub use report::{BoxView, ReportView, ReproduceView, TagsView};
pub use request::RunRequestView;

pub(super) use finding::Extent;
