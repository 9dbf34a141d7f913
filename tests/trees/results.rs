//! A lab's mail about commits of a repository: it names them, and leaves the rest to git.

use serde_json::{Value, json};

/// Results of hackbench for two commits, worse by a tenth, bisected.
pub(crate) fn results(tree: &str, base: &str, head: &str) -> Value {
    json!({
        "regard": 1,
        "tree": {"name": tree, "branch": "master", "url": "https://git.example.org/kernel.git"},
        "base": {"commit": base},
        "head": {"commit": head},
        "test": {"name": "hackbench", "version": "2.4", "parameters": {"groups": "8"}},
        "environment": {"machine": "lab-a", "cpu": "8 threads Ivy Bridge", "memory": "16G"},
        "metrics": [
            {"name": "hackbench.throughput", "unit": "messages/s", "direction": "higher", "kpi": true,
             "base": [9000, 9020, 8990, 9010, 9005, 8995],
             "head": [8100, 8120, 8090, 8110, 8105, 8095]},
            {"name": "hackbench.process_throughput", "unit": "messages/s", "direction": "higher", "kpi": true,
             "base": [4500, 4510, 4495, 4505, 4502, 4498],
             "head": [4050, 4060, 4045, 4055, 4052, 4048]}
        ],
        "bisected": true,
        "reproduce": ["perf bench sched messaging -g 8"]
    })
}

/// The mail that carries them.
pub(crate) fn mail(id: &str, results: &Value) -> Vec<u8> {
    format!(
        "From: Lab A <lab@example.org>\r\nTo: regard <bot@example.org>\r\nSubject: results\r\n\
         Date: Mon, 02 Mar 2026 06:10:00 +0000\r\nMessage-ID: <{id}@lab.example.org>\r\n\
         Content-Type: application/json; charset=utf-8\r\n\r\n{results:#}\r\n"
    )
    .into_bytes()
}
