//! Step 7: many metrics of one commit are judged together.

use super::numeric::benjamini_hochberg;
use super::words::p_value;
use super::{Change, Class, Kind, Settings};

/// Adjusts the p of all kpis, and apart from them of all monitors, and takes back what does not survive.
///
/// Kpis that do not survive become suspicious, monitors inconclusive. Give it the changes of all tests of one commit pair;
/// giving it a part of them first does no harm but may keep what was taken back.
pub fn family<'a>(changes: impl IntoIterator<Item = &'a mut Change>, settings: &Settings) {
    family_among(changes, &[], settings);
}

/// The same, with the p of kpis that other tests of the commit pair had.
pub fn family_among<'a>(
    changes: impl IntoIterator<Item = &'a mut Change>,
    others: &[f64],
    settings: &Settings,
) {
    let mut kpis = Vec::new();
    let mut monitors = Vec::new();
    for change in changes {
        match change.class {
            _ if change.p.is_none() => {}
            Class::Kpi => kpis.push(change),
            Class::Monitor => monitors.push(change),
        }
    }
    adjust(kpis, others, settings.kpi_fdr, Kind::Suspicious);
    adjust(monitors, &[], settings.monitor_fdr, Kind::Inconclusive);
}

fn adjust(mut members: Vec<&mut Change>, others: &[f64], most: f64, instead: Kind) {
    let own = members.iter().filter_map(|change| change.p);
    let p: Vec<f64> = own.chain(others.iter().copied()).collect();
    let count = p.len();
    for (change, q) in members.iter_mut().zip(benjamini_hochberg(&p)) {
        change.q = (count > 1).then_some(q);
        let decided = matches!(change.kind, Kind::Regression | Kind::Improvement | Kind::Change);
        if decided && q > most {
            change.kind = instead;
            change.reason = format!(
                "many-metrics: q {} among {count}, {most} decides",
                p_value(q).trim_start_matches("p ")
            );
        }
    }
}
