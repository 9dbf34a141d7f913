//! Apache Otava (PyPI `apache-otava`), run by the Python that has it: `REGARD_PYTHON`, else `python3`.

use std::io::Write as _;
use std::process::{Command, Stdio};

const SCRIPT: &str = r#"
import json, sys, time
try:
    from otava.analysis import compute_change_points
except ImportError:
    sys.exit(3)
series = json.load(sys.stdin)
begin = time.process_time()
points = []
for values in series:
    found, _ = compute_change_points(list(values), window_len=50, max_pvalue=0.001, min_magnitude=float(sys.argv[1]))
    points.append([int(p.index) for p in found])
json.dump({"points": points, "seconds": time.process_time() - begin}, sys.stdout)
"#;

/// Its points and CPU seconds, or `None` where it is not installed.
pub(crate) fn points(series: &[Vec<f64>], magnitude: f64) -> Option<(Vec<Vec<usize>>, f64)> {
    let python = std::env::var("REGARD_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut child = Command::new(python)
        .args(["-W", "ignore", "-c", SCRIPT, &magnitude.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let input = serde_json::to_vec(series).ok()?;
    let mut stdin = child.stdin.take()?;
    let feeder = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().ok()?;
    feeder.join().ok()?.ok()?;
    if !output.status.success() {
        return None;
    }
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    let points = serde_json::from_value(answer.get("points")?.clone()).ok()?;
    Some((points, answer.get("seconds")?.as_f64()?))
}
