//! Subject lines of every year, and of people.

use regard::report::{ReportKind, read_subject};

/// Kind, metric, change, commit, tree and branch, subsystem, reply.
type Said = (
    Option<ReportKind>,
    Option<&'static str>,
    Option<f64>,
    Option<&'static str>,
    Option<(&'static str, &'static str)>,
    Option<&'static str>,
    bool,
);

#[test]
fn robots_of_every_year() {
    use ReportKind::{Change, Failure, Improvement, Mixed, NoChange, Regression};
    let cases: Vec<(&str, Said)> = vec![
        (
            "[mm] 9e41c07f5a2: -18.2% vm-scalability.migrate_mbps",
            (
                Some(Change),
                Some("vm-scalability.migrate_mbps"),
                Some(-18.2),
                Some("9e41c07f5a2"),
                None,
                Some("mm"),
                false,
            ),
        ),
        (
            "[lkp] [mm] 5c0a85fad9: unixbench.score -6.3% regression",
            (
                Some(Regression),
                Some("unixbench.score"),
                Some(-6.3),
                Some("5c0a85fad9"),
                None,
                Some("mm"),
                false,
            ),
        ),
        (
            "Re: [LKP] [lkp-robot] [sched/fair]  a4c3c04974: unixbench.score -4.3% regression",
            (
                Some(Regression),
                Some("unixbench.score"),
                Some(-4.3),
                Some("a4c3c04974"),
                None,
                Some("sched/fair"),
                true,
            ),
        ),
        (
            "AW: Re: [lkp-developer] [sched,rcu]  cf7a2dca60: [No primary change] +186% will-it-scale.time.switches",
            (
                Some(NoChange),
                Some("will-it-scale.time.switches"),
                Some(186.0),
                Some("cf7a2dca60"),
                None,
                Some("sched,rcu"),
                true,
            ),
        ),
        (
            "[linus:master] [mm]  f1a7941243:\n  unixbench.score  -19.2% regression",
            (
                Some(Regression),
                Some("unixbench.score"),
                Some(-19.2),
                Some("f1a7941243"),
                Some(("linus", "master")),
                Some("mm"),
                false,
            ),
        ),
        (
            "[noor:dev/a/temp-v4] [io_uring/rw]  8cf0c45999:  fio.read_bw_MBps  51.1% regression",
            (
                Some(Regression),
                Some("fio.read_bw_MBps"),
                Some(51.1),
                Some("8cf0c45999"),
                Some(("noor", "dev/a/temp-v4")),
                Some("io_uring/rw"),
                false,
            ),
        ),
        (
            "回复: [linus:master] [fs] 9eb22f7fed: ltp.uevent01.fail",
            (
                Some(Failure),
                Some("ltp.uevent01.fail"),
                None,
                Some("9eb22f7fed"),
                Some(("linus", "master")),
                Some("fs"),
                true,
            ),
        ),
        ("379b0fd8ed: blktests.block/024.fail", (None, None, None, None, None, None, false)),
        (
            "[lkp-robot] [bisect done] f8c627fbab [   72.198669] BUG: sleeping function called",
            (
                Some(Failure),
                Some("BUG: sleeping function called"),
                None,
                Some("f8c627fbab"),
                None,
                None,
                false,
            ),
        ),
        (
            "6d25be5782 (\"sched/core, workqueues: Distangle worker ..\"):  [   52.816697] WARNING: CPU: 0 PID: 14",
            (
                Some(Failure),
                Some("WARNING: CPU: 0 PID: 14"),
                None,
                Some("6d25be5782"),
                None,
                None,
                false,
            ),
        ),
        (
            "[linus:master] [mm] 7c1e0f5b0d: will-it-scale.per_process_ops -69.0% regression (mixed)",
            (
                Some(Mixed),
                Some("will-it-scale.per_process_ops"),
                Some(-69.0),
                Some("7c1e0f5b0d"),
                Some(("linus", "master")),
                Some("mm"),
                false,
            ),
        ),
        (
            "[linus:master] 0123456789..7c1e0f5b0d: unixbench.score +7.1% improvement",
            (
                Some(Improvement),
                Some("unixbench.score"),
                Some(7.1),
                None,
                Some(("linus", "master")),
                None,
                false,
            ),
        ),
        (
            "[linus:master] [sched/fair] 7c1e0f5b0d: boot.dmesg new failure",
            (
                Some(Failure),
                Some("boot.dmesg"),
                None,
                Some("7c1e0f5b0d"),
                Some(("linus", "master")),
                Some("sched/fair"),
                false,
            ),
        ),
        (
            "[linus:master] [sched/fair] 7c1e0f5b0d: unixbench.score -0.2%, no primary change",
            (
                Some(NoChange),
                Some("unixbench.score"),
                Some(-0.2),
                Some("7c1e0f5b0d"),
                Some(("linus", "master")),
                Some("sched/fair"),
                false,
            ),
        ),
        (
            "[linus:master] [sched/fair] 7c1e0f5b0d: unixbench...._very_long +12 change",
            (
                Some(Change),
                None,
                None,
                Some("7c1e0f5b0d"),
                Some(("linus", "master")),
                Some("sched/fair"),
                false,
            ),
        ),
    ];
    for (subject, said) in cases {
        let title = read_subject(subject);
        let Some(title) = title else {
            assert_eq!(said.0, None, "{subject}");
            continue;
        };
        let places = title.tree.as_deref().zip(title.branch.as_deref());
        let actual = (
            title.kind,
            title.metric.as_deref(),
            title.change_percent,
            title.commit.as_deref(),
            places,
            title.subsystem.as_deref(),
            title.reply,
        );
        assert_eq!(actual, said, "{subject}");
        assert!(title.robot, "{subject}");
    }
}

#[test]
fn people() {
    for (subject, commit) in [
        (
            "Re: Commit 554c8aa8ecad causing severe performance degression with pcc-cpufreq",
            Some("554c8aa8ecad"),
        ),
        ("[REGRESSION] builds hang since af5d68f8892f", Some("af5d68f8892f")),
        (
            "[regression 6.1.y] Regression from 476c1dfefab8 (\"mm: no pin\") with VMs",
            Some("476c1dfefab8"),
        ),
        ("Performance regression in 6.19", None),
    ] {
        let title = read_subject(subject).unwrap_or_else(|| panic!("{subject}"));
        assert_eq!(title.kind, Some(ReportKind::Regression), "{subject}");
        assert_eq!(title.commit.as_deref(), commit, "{subject}");
        assert!(!title.robot);
    }
    for subject in [
        "",
        "Re:",
        "[PATCH v2 1/3] mm/pool: fix a performance regression",
        "[PATCH] commit 554c8aa8ecad causes a regression",
        "a1b2c3d: wrote some docs",
        "Re: [ANNOUNCE] v6.19 is out",
        "fix performance regression of small pools",
        "deadbeef cafe",
    ] {
        assert_eq!(read_subject(subject).map(|t| t.kind), None, "{subject}");
    }
}
