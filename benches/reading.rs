//! How long reading takes: a robot's mail of 300 kB, intact, quoted and on one line. With `REGARD_ARCHIVE` set to a folder
//! of decoded bodies (`*.txt`, folders in it too), also every mail of it: reports, rows and time.

use std::path::Path;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use regard::report::read;

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

fn archive(_: &mut Criterion) {
    let Some(folder) = std::env::var_os("REGARD_ARCHIVE") else { return };
    let mut texts = Vec::new();
    gather(Path::new(&folder), &mut texts);
    let (mut reports, mut rows, mut failures, mut defects) = (0, 0, 0, 0);
    let (mut spent, mut longest) = (Duration::ZERO, Duration::ZERO);
    for text in &texts {
        let started = Instant::now();
        let found = read(text);
        let took = started.elapsed();
        (spent, longest) = (spent + took, longest.max(took));
        reports += found.reports.len();
        rows += found.reports.iter().map(|r| r.rows.len()).sum::<usize>();
        failures += found.reports.iter().map(|r| r.failures.len()).sum::<usize>();
        defects += found.defects.len();
    }
    let bytes: usize = texts.iter().map(String::len).sum();
    println!(
        "archive: {} bodies, {bytes} bytes, {reports} reports, {rows} rows, {failures} failures, \
         {defects} defects, {spent:?}, the longest {longest:?}",
        texts.len()
    );
}

fn gather(folder: &Path, texts: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, texts);
        } else if path.extension().is_some_and(|e| e == "txt") {
            texts.extend(std::fs::read_to_string(path).ok());
        }
    }
}

criterion_group!(benches, bodies, archive);
criterion_main!(benches);
