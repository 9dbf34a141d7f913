//! Notifications decided as the bot would: with their history, those of one commit as one family.

use crate::bench::{Knowledge, Notification};
use crate::report::Finding;
use crate::stats::{self, Class, Overall, Past, Settings};

/// Decides them, in their order. A head alone is compared with the level of `past`.
pub(super) fn judge(
    all: Vec<Notification>,
    past: &Past,
    knowledge: &Knowledge,
) -> Vec<(Finding, Overall)> {
    let alone = all.len() == 1;
    let tested: Vec<(String, String, Vec<f64>)> = all
        .iter()
        .filter(|_| !alone)
        .map(|n| {
            let (finding, _) = one(n.clone(), past, &[], knowledge);
            let kpis = finding.changes.iter().filter(|c| c.class == Class::Kpi);
            (n.tree.name.clone(), n.head.commit.clone(), kpis.filter_map(|c| c.p).collect())
        })
        .collect();
    let others = |at: usize, n: &Notification| -> Vec<f64> {
        let same = tested.iter().enumerate().filter(|(i, (tree, head, _))| {
            *i != at && *tree == n.tree.name && *head == n.head.commit
        });
        same.flat_map(|(_, (_, _, p))| p.iter().copied()).collect()
    };
    let decided = all.into_iter().enumerate();
    decided
        .map(|(at, n)| {
            let others = others(at, &n);
            one(n, past, &others, knowledge)
        })
        .collect()
}

fn one(n: Notification, past: &Past, others: &[f64], knowledge: &Knowledge) -> (Finding, Overall) {
    let settings = Settings::default();
    if n.is_head_only() && !past.commits().is_empty() {
        return stats::head_alone(&n, past, others, knowledge, &settings);
    }
    let mut changes = stats::decide(&n, knowledge, &past.prior(&n, knowledge), &settings);
    stats::family_among(changes.iter_mut(), others, &settings);
    let overall = stats::overall(&changes, &stats::failures(&n, &settings));
    (Finding::new(n, changes), overall)
}
