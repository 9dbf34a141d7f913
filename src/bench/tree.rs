//! criterion leaves a tree: beside each `new/sample.json` its summaries, and the run before it in `base/`.

use std::collections::BTreeSet;

use super::side::File;

/// What stands beside `sample.json` and says the same with less.
const SUMMARIES: [&str; 4] = ["benchmark.json", "estimates.json", "tukey.json", "raw.csv"];

/// The files without criterion's summaries, pages, and earlier runs: `base/` beside `new/` is not our base.
pub(super) fn results(files: &[File]) -> Vec<&File> {
    let sampled: BTreeSet<&str> =
        files.iter().filter_map(|(name, _)| name.strip_suffix("/sample.json")).collect();
    let known = |folder: &str| sampled.contains(folder);
    let wanted = |name: &str| {
        let Some((folder, leaf)) = name.rsplit_once('/') else { return true };
        let (above, last) = folder.rsplit_once('/').unwrap_or(("", folder));
        let summary = SUMMARIES.contains(&leaf) && known(folder);
        let beside = if above.is_empty() { "new".to_owned() } else { format!("{above}/new") };
        let earlier = matches!(last, "base" | "change") && known(&beside);
        let page = last == "report" && !sampled.is_empty();
        !(summary || earlier || page)
    };
    files.iter().filter(|(name, _)| wanted(name)).collect()
}
