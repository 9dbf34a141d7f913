//! How long replies take: parsed, threaded and classified on one core, without the store. A reply has 6 kB: some words of
//! its own above, between and below a quoted report. The figure to hold: 20,000 of them in less than 4 s.
//!
//! With `REGARD_ARCHIVE` set to archives (whatever `regard ingest` takes, parted as in `PATH`), also the first 20,000 mails of each:
//! the best of three passes over all of them.

use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use regard::intake::{about, understand};
use regard::mail::{Identity, parse};
use regard::regression::thread::Threads;
use regard::triage::Rules;

/// The same as in the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const REPLIES: usize = 2_000;

const WORDS: &[&str] = &[
    "I ran it ten times on my machine and the numbers stay within half a percent.",
    "Thanks for the report.",
    "The list holds the pages of a node, and a reader takes the lock first.",
    "This is expected: each write is followed by a flush now.",
    "I'll have a look at it next week.",
    "The writer waits for the reader, then the counter goes up.",
    "That can't be caused by this patch, the driver isn't even built in your config.",
    "Could you send the output with --metrics?",
    "We used to do it that way until v4.12, see 9e41c07f5a2b (\"mm/pool: take the lock once\").",
    "Should be fixed by 6f1e2d3c4b5a (\"mm: skip empty lists\"), which is in linux-next.",
    "What was the standard deviation over those runs?",
    "A bigger batch trades latency for throughput, and 4% of hackbench is a price worth paying.",
    "I can reproduce it here with 64 threads.",
    "The tree has three levels, the walk begins at the root and ends in a leaf of sixteen entries.",
    "It would be interesting to know whether the same happens with THP disabled.",
    "So the key is compared again, which is cheap.",
];

fn reply(rng: &mut fastrand::Rng, number: usize, report: usize) -> Vec<u8> {
    let mut words = |count: usize| {
        let mut text = String::new();
        for _ in 0..count {
            text += WORDS[rng.usize(0..WORDS.len())];
            text.push('\n');
        }
        text
    };
    let (above, between, below) = (words(2), words(3), words(2));
    let mut mail = format!(
        "From: Jo Doe <jo@example.org>\nTo: robot <robot@lab.example.org>\nCc: dev@lists.example.org\n\
         Message-ID: <reply-{number}@example.org>\nIn-Reply-To: <report-{report}@lab.example.org>\n\
         References: <report-{report}@lab.example.org>\nSubject: Re: [mm] c0ffee1234: fio.read_iops 5.0% regression\n\
         Content-Type: text/plain; charset=utf-8\n\n{above}\nOn Wed, 1 Apr 2026 at 08:15, robot wrote:\n\
         > FYI, we noticed a 5.0% regression of fio.read_iops due to commit:\n>\n"
    );
    let mut row = 0;
    while mail.len() < 3_000 {
        mail += &format!(
            "> {:>10} ±3%      -5.0%   {row:>10}        perf-stat.i.counter_{row}\n",
            row * 7919
        );
        row += 1;
    }
    mail += &format!("\n{between}\n");
    while mail.len() < 5_800 {
        mail += &format!(
            "> {:>10} ±3%      -5.0%   {row:>10}        perf-stat.i.counter_{row}\n",
            row * 7919
        );
        row += 1;
    }
    mail += &format!("\n{below}\nJo\n");
    mail.into_bytes()
}

fn replies(c: &mut Criterion) {
    let mut rng = fastrand::Rng::with_seed(1);
    let identity = Identity::default();
    let rules = Rules::embedded().expect("rules");
    let mut threads = Threads::default();
    for report in 0..100 {
        let raw = format!(
            "From: robot <robot@lab.example.org>\nTo: ada@example.org\nMessage-ID: <report-{report}@lab.example.org>\n\
             Subject: [mm] c0ffee1234: fio.read_iops 5.0% regression\n\n\
             FYI, we noticed a 5.0% regression of fio.read_iops due to commit:\n"
        );
        let message = parse(raw.as_bytes());
        threads.add(&message, about(&message, &identity));
    }
    let mails: Vec<Vec<u8>> = (0..REPLIES).map(|n| reply(&mut rng, n, n % 100)).collect();
    let mut group = c.benchmark_group("triage");
    group.throughput(Throughput::Elements(REPLIES as u64));
    group.bench_function("2000 replies of 6 kB", |b| {
        b.iter(|| {
            mails
                .iter()
                .filter(|raw| {
                    let message = parse(raw);
                    let understood = understand(&message, &rules, &identity, &threads, false);
                    understood.reading.primary().is_some()
                })
                .count()
        });
    });
    group.finish();
    c.bench_function("rules/compile", |b| {
        b.iter(|| Rules::embedded().map(|r| r.len()).unwrap_or(0))
    });
}

/// Mails of one archive that are held in memory.
const MOST: usize = 20_000;

fn archives(_: &mut Criterion) {
    let Some(paths) = std::env::var_os("REGARD_ARCHIVE") else { return };
    let identity = Identity::default();
    let rules = Rules::embedded().expect("rules");
    println!("archive | mails | MB | verdicts | best pass");
    for path in std::env::split_paths(&paths) {
        let all = regard::archive::open(&path).expect("an archive");
        let mails: Vec<Vec<u8>> = all.filter_map(Result::ok).take(MOST).map(|m| m.bytes).collect();
        let mut threads = Threads::default();
        for raw in &mails {
            let message = parse(raw);
            threads.add(&message, about(&message, &identity));
        }
        let pass = || {
            let started = Instant::now();
            let verdicts = mails.iter().filter(|raw| {
                let message = parse(raw);
                let understood = understand(&message, &rules, &identity, &threads, false);
                understood.reading.primary().is_some()
            });
            (verdicts.count(), started.elapsed())
        };
        let passes: Vec<(usize, Duration)> = (0..3).map(|_| pass()).collect();
        let (verdicts, best) = passes.into_iter().min_by_key(|(_, took)| *took).unwrap_or_default();
        let bytes: usize = mails.iter().map(Vec::len).sum();
        println!(
            "{} | {} | {:.1} | {verdicts} | {best:.2?}",
            path.display(),
            mails.len(),
            bytes as f64 / 1e6
        );
    }
}

criterion_group! {
    name = triage;
    config = Criterion::default().sample_size(10).without_plots();
    targets = replies, archives
}
criterion_main!(triage);
