//! kernbench: mean and standard deviation of five builds, which count as one run.

use super::Format;
use crate::bench::content::{Content, number};
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "kernbench", about: "kernbench averages", claims, read };

fn claims(content: &Content<'_>) -> bool {
    content.text.lines().take(4000).any(|line| line.starts_with("Average ") && line.contains("Run (std deviation):"))
        || content.text.lines().take(4000).any(|line| line.starts_with("Elapsed Time ") && line.contains('('))
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut column = Column::default();
    let mut load = "kernbench".to_owned();
    for line in content.text.lines() {
        // `Average Half load -j 4 Run (std deviation):`.
        if let Some(rest) = line.strip_prefix("Average ") {
            load = format!("kernbench.{}", rest.split(" Run").next().unwrap_or(rest).trim().replace(' ', "_"));
            continue;
        }
        let names = ["Elapsed Time", "User Time", "System Time", "Percent CPU", "Context Switches", "Sleeps"];
        let Some((name, rest)) = names.iter().find_map(|name| Some((*name, line.strip_prefix(name)?))) else { continue };
        let Some(value) = rest.split_whitespace().next().and_then(number) else { continue };
        let full = format!("{load}.{}", name.to_lowercase().replace(' ', "_"));
        match name {
            "Elapsed Time" => column.row(full, "s").better(Direction::Lower).kpi(),
            "Percent CPU" => column.row(full, "%").monitor(),
            "User Time" | "System Time" => column.row(full, "s").better(Direction::Lower).monitor(),
            _ => column.row(full, "").monitor(),
        }
        .run(Some(value));
    }
    Ok(Reading::single("kernbench", "kernbench", column))
}
