//! Letters of every kind, for `regard check`: a template that renders them renders what comes.

use crate::bench::{
    Commit, Direction, Environment, FailureCount, Metric, Notification, Person, Side, StillOn,
    Test, Tree,
};
use crate::engine::{Answer, FollowUp, Letter, News, RunRequest, Said};
use crate::mail::{Address, MessageId};
use crate::regression::{RegressionId, Role, State};
use crate::report::{Brief, Finding, Point, Recipient, ReportKind, Round};
use crate::stats::{Change, Class, Kind, Summary};

use super::Frame;

/// At least one letter a template, with everything filled in, and a bare one of each report.
pub fn samples() -> Vec<(Letter, Frame)> {
    let mut letters = Vec::new();
    for kind in [
        ReportKind::Regression,
        ReportKind::Improvement,
        ReportKind::Change,
        ReportKind::Mixed,
        ReportKind::NoChange,
        ReportKind::Failure,
    ] {
        let others = vec![full(Kind::Improvement)];
        letters.push(Letter::Report(Box::new(Brief { kind, lead: full(kind_of(kind)), others })));
        letters.push(Letter::Report(Box::new(Brief {
            kind,
            lead: bare(kind_of(kind)),
            others: Vec::new(),
        })));
    }
    for news in [
        News::More(vec![full(Kind::Regression)]),
        News::Confirmed(full(Kind::Regression)),
        News::NotConfirmed(full(Kind::Same)),
        News::StillThere(full(Kind::Regression)),
        News::StillThere(bare(Kind::Regression)),
        News::Fixed(full(Kind::Same)),
        News::Closing {
            by: "Ada Ashby".to_owned(),
            words: "This is expected,\nthe lock is needed.".to_owned(),
            on: "2026-02-01".to_owned(),
        },
        News::FixMissing {
            fix: "sched/fair: Restore the mask".to_owned(),
            announced: "2025-10-01".to_owned(),
        },
    ] {
        let title = "hackbench.throughput -10.0% regression".to_owned();
        letters.push(Letter::FollowUp(Box::new(FollowUp { state: State::Confirmed, title, news })));
    }
    letters.push(Letter::Answer(Answer::Malformed {
        part: "results.json".to_owned(),
        problems: vec!["metrics[0].base: found a text, expected a list of numbers".to_owned()],
    }));
    let lines =
        said().into_iter().map(|said| ("#regard fix: 0123456789ab".to_owned(), said)).collect();
    letters.push(Letter::Answer(Answer::Commands { lines }));
    for fix in [None, Some("sched/fair: Restore the mask".to_owned())] {
        let (finding, purpose) = (full(Kind::Suspicious), "confirm".to_owned());
        letters.push(Letter::RunRequest(Box::new(RunRequest { finding, purpose, runs: 3, fix })));
    }
    let framed = letters.iter().map(|letter| (letter.clone(), frame()));
    // Nothing that a lab may leave out may be needed.
    let bare = letters.iter().map(|letter| (letter.clone(), bare_frame()));
    framed.chain(bare).collect()
}

/// Every answer to a command.
fn said() -> Vec<Said> {
    let text = |t: &str| t.to_owned();
    let status = |by, fix| Said::Status {
        title: text("hackbench.throughput -10.0% regression"),
        state: text("expected"),
        since: text("2026-03-02"),
        by,
        fix,
    };
    vec![
        Said::Done,
        Said::AlreadySo,
        Said::NotAllowed { needs: Role::Maintainer },
        Said::NotProven { why: text("neither DMARC nor DKIM passed for example.org") },
        Said::NotTracked,
        Said::Unknown { what: text("https://lists.example.org/r/x@example.org") },
        Said::Unclear {
            why: text("there is no command `fxi`"),
            did_you_mean: Some(text("#regard fix: ...")),
        },
        Said::Unclear { why: text("a title is missing"), did_you_mean: None },
        Said::NothingToUndo,
        Said::Nothing,
        Said::Flood,
        status(Some((text("Ada Ashby"), text("This is expected."))), Some(text("0123456789ab"))),
        status(None, None),
        Said::Help(vec![(text("fix"), text("names the commit or the subject that fixes it"))]),
    ]
}

fn kind_of(kind: ReportKind) -> Kind {
    match kind {
        ReportKind::Regression | ReportKind::Mixed => Kind::Regression,
        ReportKind::Improvement => Kind::Improvement,
        ReportKind::Change => Kind::Change,
        ReportKind::NoChange | ReportKind::Failure => Kind::Same,
    }
}

fn frame() -> Frame {
    let address =
        |name: &str, email: &str| Address { name: name.to_owned(), email: email.to_owned() };
    let recipient = |name: &str, email: &str, why: &str| Recipient {
        address: address(name, email),
        why: why.to_owned(),
    };
    Frame {
        bot: address("regard", "regard+q3x7k2m9@example.org"),
        archive: Some("https://lore.example.org/r/".to_owned()),
        help: Some("https://regard.example.org/reading-a-report".to_owned()),
        opt_out: Some("regard+opt-out@example.org".to_owned()),
        ascii: true,
        regression: RegressionId::parse("q3x7k2m9"),
        message_id: MessageId::clean("<20260105.q3x7k2m9.report@example.org>"),
        recipients: vec![
            recipient("Ada Ashby", "ada@example.org", "author"),
            recipient("", "perf@lists.example.org", "list"),
        ],
        reason: "kpi-regression: hackbench.throughput".to_owned(),
        answers_subject: Some(
            "[PATCH v2 3/4] sched/fair: Keep the idle mask in one place".to_owned(),
        ),
    }
}

fn bare_frame() -> Frame {
    Frame {
        bot: Address { name: String::new(), email: "regard@example.org".to_owned() },
        archive: None,
        help: None,
        opt_out: None,
        ascii: true,
        regression: None,
        message_id: None,
        recipients: Vec::new(),
        reason: String::new(),
        answers_subject: None,
    }
}

fn metric() -> Metric {
    let runs = |values: [f64; 4]| values.iter().map(|v| Some(*v)).collect();
    Metric {
        name: "hackbench.throughput".to_owned(),
        base: runs([1000.0, 1010.0, 990.0, 1000.0]),
        head: runs([900.0, 905.0, 895.0, 900.0]),
        ..Metric::default()
    }
}

/// What only the required fields tell.
fn bare(kind: Kind) -> Finding {
    let mut notification = Notification::new(
        Tree { name: "linus".to_owned(), branch: "master".to_owned(), url: None },
        ["v6.18", "7c1e0f5b0d6a4e3f9b8c7d6e5f4a3b2c1d0e9f8a"].map(Commit::named),
        Test { name: "hackbench".to_owned(), ..Test::default() },
        Environment { machine: "lab-a".to_owned(), ..Environment::default() },
    );
    notification.metrics.push(metric());
    notification.failures.push(FailureCount {
        name: "dmesg.WARNING:at_kernel/sched/fair.c".to_owned(),
        base: Side { fails: 0, runs: 4 },
        head: Side { fails: 4, runs: 4 },
    });
    let side = |median: f64| Summary {
        n: 4,
        mean: Some(median),
        median: Some(median),
        stddev: None,
        builds: 1,
        runs: Vec::new(),
    };
    let change = Change {
        metric: metric().name,
        unit: None,
        direction: None,
        class: Class::Kpi,
        base: side(1000.0),
        head: side(900.0),
        change_percent: Some(-10.0),
        mean_change_percent: None,
        change_absolute: Some(-100.0),
        ci95: None,
        p: None,
        q: None,
        t: None,
        df: None,
        cliff: None,
        build_noise: 0.0,
        bounded: false,
        kind,
        reason: "all-gates-hold".to_owned(),
    };
    Finding::new(notification, vec![change])
}

/// Everything that a lab can tell.
fn full(kind: Kind) -> Finding {
    let mut finding = bare(kind);
    let n = &mut finding.notification;
    n.bisected = true;
    n.tree.url = Some("https://git.example.org/linus.git".to_owned());
    n.base.subject = Some("sched: Prepare the idle mask".to_owned());
    n.head = Commit {
        subject: Some("sched/fair: Keep the idle mask in one place".to_owned()),
        author: Some(Address { name: "Ada Ashby".to_owned(), email: "ada@example.org".to_owned() }),
        people: vec![Person {
            role: "Reviewed-by".to_owned(),
            name: "Bo Berg".to_owned(),
            email: "bo@example.org".to_owned(),
        }],
        message_id: Some("<20260105101112.1234-3-ada@example.org>".to_owned()),
        ..n.head.clone()
    };
    n.test.version = Some("1.0".to_owned());
    n.test.description = Some("Messages between groups of tasks.".to_owned());
    n.test.url = Some("https://bench.example.org/hackbench".to_owned());
    n.test.parameters = [("nr_threads".to_owned(), "100%".to_owned())].into();
    n.environment.cpu = Some("8 threads Ivy Bridge".to_owned());
    n.environment.memory = Some("16G".to_owned());
    n.environment.compiler = Some("gcc-14".to_owned());
    n.still_on =
        Some(StillOn { branch: "linus/master".to_owned(), commit: "v6.19-rc1".to_owned() });
    n.reproduce = vec!["perf bench sched messaging -g 40 -l 10000".to_owned()];
    n.materials = Some("https://lab.example.org/results/1".to_owned());
    n.attachments = vec!["job.yaml".to_owned()];
    n.metrics[0].unit = Some("messages/s".to_owned());
    n.metrics[0].direction = Some(Direction::Higher);
    n.metrics[0].base_builds = Some(vec![0, 0, 1, 1]);
    n.metrics[0].head_builds = Some(vec![0, 0, 1, 1]);
    let change = &mut finding.changes[0];
    change.unit = Some("messages/s".to_owned());
    change.direction = Some(Direction::Higher);
    change.ci95 = Some([-11.8, -8.2]);
    change.p = Some(9e-8);
    change.t = Some(-11.4);
    change.df = Some(12.0);
    change.cliff = Some(-1.0);
    change.build_noise = 0.005;
    change.mean_change_percent = Some(-14.0);
    let round = |p| Round { base_runs: 2, head_runs: 2, change_percent: Some(-10.0), p: Some(p) };
    finding.rounds = vec![round(0.001), round(0.002)];
    let point = |commit: &str, value| Point { commit: commit.to_owned(), value };
    finding.history = vec![
        point("v6.16", Some(1001.0)),
        point("v6.17", None),
        point("v6.18", Some(1000.0)),
        point("head", Some(900.0)),
    ];
    finding
}
