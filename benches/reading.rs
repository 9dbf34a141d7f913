//! How long reading takes: a robot's mail of 300 kB, intact, quoted and on one line. With `REGARD_ARCHIVE` set to archives
//! (whatever `regard ingest` takes: folders, mboxes, public-inbox repositories; parted as in `PATH`), also every mail of them: the
//! performance reports that robots sent, their rows, rows that were lost, and the time.
//!
//! Rows that must be there are counted by another method: each line of a table's area, from its dashes to the next empty line, that is
//! no heading.

use std::path::Path;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use regard::mail;
use regard::report::{read, read_mail};

/// The same as in the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A mail in the robot's layout with as many rows as 300 kB take.
fn mail() -> String {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut mail = String::from(concat!(
        "Hello,\n\nkernel test robot noticed a 5.0% regression of fio.read_iops on:\n\n\n",
        "commit: 9e41c07f5a2b8d3364fe10ab97c5d2e8f6013b4c (\"mm/pool: take the lock once\")\n",
        "https://git.example.org/linux.git master\n\ntestcase: fio-basic\n",
        "test machine: 48 threads 2 sockets Example Lake with 128G memory\nparameters:\n\n",
        "\truntime: 300s\n\tnr_task: 50%\n\n",
        "3b7d1e90c2f4a688 9e41c07f5a2b8d3364fe10ab97c\n",
        "---------------- ---------------------------\n",
        "         %stddev     %change         %stddev\n",
        "             \\          |                \\\n",
    ));
    let mut at = 0;
    while mail.len() < 300_000 {
        let base = rng.u32(1000..9_000_000);
        let (spread, head) = (rng.u32(3..99), f64::from(base) * 0.95);
        mail += &format!("{base:>10} ±{spread:>3}%      -5.0% {head:>10.0}        ");
        mail += &format!("perf-profile.calltrace.cycles-pp.function_{at}.do_syscall_64.entry\n");
        at += 1;
    }
    mail
}

fn bodies(c: &mut Criterion) {
    let plain = mail();
    let rows = plain.matches("function_").count();
    let quoted: String = plain.lines().map(|l| format!("> > {l}\n")).collect();
    let rolled = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut group = c.benchmark_group("read 300 kB");
    for (name, text) in [("intact", &plain), ("quoted", &quoted), ("on one line", &rolled)] {
        assert_eq!(read(text).reports[0].rows.len(), rows, "{name}");
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |b| b.iter(|| read(text)));
    }
    group.finish();
}

#[derive(Default)]
struct Count {
    mails: usize,
    bytes: usize,
    reports: usize,
    rows: usize,
    failures: usize,
    lost: usize,
    functional: usize,
    reading: Duration,
    longest: Duration,
}

fn archive(_: &mut Criterion) {
    let Some(paths) = std::env::var_os("REGARD_ARCHIVE") else { return };
    println!(
        "archive | mails | MB | perf reports | rows | fail rows | rows lost | other reports | reading | longest"
    );
    for path in std::env::split_paths(&paths) {
        let count = counted(&path);
        println!(
            "{} | {} | {} | {} | {} | {} | {} | {} | {:.1?} | {:.1?}",
            path.display(),
            count.mails,
            count.bytes / 1_000_000,
            count.reports,
            count.rows,
            count.failures,
            count.lost,
            count.functional,
            count.reading,
            count.longest
        );
    }
}

fn counted(path: &Path) -> Count {
    let mut count = Count::default();
    for raw in regard::archive::open(path).expect("an archive") {
        let Ok(raw) = raw else { continue };
        let message = mail::parse(&raw.bytes);
        let started = Instant::now();
        let found = read_mail(&message.subject, &message.body);
        let took = started.elapsed();
        count.mails += 1;
        count.bytes += message.body.len();
        count.reading += took;
        count.longest = count.longest.max(took);
        let robot = message.from.as_ref().is_some_and(|f| mail::is_robot_name(&f.name));
        let Some(report) = found.reports.into_iter().find(|r| !r.quoted).filter(|_| robot) else {
            continue;
        };
        let (rows, failures) = area(&message.body);
        if report.rows.is_empty() && rows == 0 {
            count.functional += 1;
            continue;
        }
        count.reports += 1;
        count.rows += report.rows.len();
        count.failures += if failures > 0 { report.failures.len() } else { 0 };
        let lost =
            rows.saturating_sub(report.rows.len()) + failures.saturating_sub(report.failures.len());
        if lost > 0 {
            println!("lost {lost}: {} {}", raw.label, message.subject);
        }
        count.lost += lost;
    }
    count
}

/// Rows and failure rows that stand below dashes, whatever they look like, one for each column beside the first.
fn area(text: &str) -> (usize, usize) {
    let (mut rows, mut failures, mut columns) = (0, 0, 0);
    for line in text.lines().map(str::trim) {
        let dashes =
            line.starts_with("----------------") && line.bytes().all(|b| b"- ".contains(&b));
        if dashes && line.contains("- -") {
            columns = line.split(' ').filter(|w| !w.is_empty()).count() - 1;
            continue;
        }
        let heading = line.starts_with("%stddev")
            || line.starts_with("fail:runs")
            || line.bytes().all(|b| b"\\|/ ".contains(&b));
        match line {
            "" => columns = 0,
            _ if heading => {}
            _ => {
                let first = line.split(' ').next().unwrap_or_default();
                let counts =
                    first.contains(':') && first.bytes().all(|b| b.is_ascii_digit() || b == b':');
                if counts { failures += columns } else { rows += columns }
            }
        }
    }
    (rows, failures)
}

criterion_group!(benches, bodies, archive);
criterion_main!(benches);
