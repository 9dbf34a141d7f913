//! From the lab's numbers through the real decision and the gate to a mail.

use std::fs;

use regard::bench::Knowledge;
use regard::engine::Letter;
use regard::render::Renderer;
use regard::report::{Brief, Finding, GateFacts, gate, title};
use regard::stats::{Prior, Settings, decide};

use crate::case::Case;
use crate::golden::cases;

#[test]
fn what_stats_decides_passes_the_gate_and_is_worded() {
    let renderer = Renderer::new(&[]).unwrap();
    let knowledge = Knowledge::embedded();
    let mut told = Vec::new();
    for folder in cases("render/mail") {
        let case = Case::read(&fs::read_to_string(folder.join("in.json")).unwrap());
        let decided = case.notifications().into_iter().map(|notification| {
            let changes =
                decide(&notification, &knowledge, &Prior::default(), &Settings::default());
            Finding::new(notification, changes)
        });
        let Some(brief) = Brief::of(decided.collect()) else { continue };
        let mail =
            renderer.letter(&Letter::Report(Box::new(brief.clone())), &case.frame()).unwrap();
        let facts = GateFacts {
            recipients: 1,
            daily_limit: 1,
            body_bytes: Some(mail.text.len()),
            body_limit: 40_000,
            ..GateFacts::default()
        };
        let verdict =
            gate(&brief, &facts).map_or_else(|hold| hold.to_string(), |()| "passes".to_owned());
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        told.push(format!("{name}: {verdict}: {}", title(&brief)));
    }
    let expected = "\
bare: passes: hackbench.throughput -10.0% regression
change: passes: pts.tile-time +21.8% change
failure: passes: dmesg.WARNING:at_kernel/sched/fair.c:#pick_next_entity new failure
failure-and-kpi: passes: dmesg.WARNING:at_kernel/sched/fair.c:#pick_next_entity more frequent failure
huge: passes: unixbench.score -10.0% regression
improvement: passes: unixbench.score +12.2% improvement
lower-is-better: passes: schbench.request_p99_us +14.3% regression
mixed: passes: will-it-scale.per_process_ops -69.0% regression (mixed)
no-kpi: passes: unixbench.time.involuntary_context_switches +52.2%, no primary change
non-ascii: passes: netperf.Latency_\u{b5}s +20.4% regression
not-bisected: passes: unixbench.score -10.0% regression
patch-on-list: passes: unixbench.score -10.0% regression
regression: passes: unixbench.score -10.0% regression
share: passes: kbuild.cpu.utilisation% -14.0% regression
three-commits: passes: unixbench.score -10.0% regression
very-long: passes: phoronix-test-suite.compress-7zip.decompression_rating_of_a_really_long_metric_name_with_every_option_spelled_out.mips.per.core -11.3% regression";
    assert_eq!(told.join("\n"), expected);
}
