//! will-it-scale CSV: `tasks,processes,processes_idle,threads,threads_idle,linear`, a row a number of tasks.

use super::Format;
use crate::bench::content::Content;
use crate::bench::problem::Problem;
use crate::bench::{Column, Direction, Reading};

pub(super) const FORMAT: Format = Format { id: "will-it-scale", about: "will-it-scale CSV", claims, read };

fn claims(content: &Content<'_>) -> bool {
    content.text.lines().take(20).any(|line| line.trim().starts_with("tasks,processes,"))
}

fn read(content: &Content<'_>) -> Result<Reading, Vec<Problem>> {
    let mut lines = content.text.lines().skip_while(|line| !line.trim().starts_with("tasks,processes,"));
    let header: Vec<&str> = lines.next().unwrap_or_default().trim().split(',').collect();
    let mut column = Column::default();
    for line in lines {
        let cells: Vec<&str> = line.trim().split(',').collect();
        if cells.len() != header.len() || cells[0] == "0" {
            continue;
        }
        for (name, cell) in header.iter().zip(&cells).skip(1) {
            let full = format!("will-it-scale.{}.{name}", cells[0]);
            let value = cell.parse().ok();
            match *name {
                "processes" | "threads" => {
                    column.row(full, "ops").better(Direction::Higher).kpi().run(value.filter(|value| *value > 0.0))
                }
                "linear" => continue,
                _ => column.row(full, "%").monitor().run(value),
            };
        }
    }
    Ok(Reading::single("will-it-scale", "will-it-scale", column))
}
