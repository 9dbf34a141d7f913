//! `regard run` itself looks at its trees.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::house::{House, ID, REPORT, fix, mainline};
use crate::repo::Repo;

struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the daemon and reads its log until a line has all the words.
fn run_until(house: &House, stop_at: Option<&str>, words: &[&str]) -> Daemon {
    let mut command = Command::new(env!("CARGO_BIN_EXE_regard"));
    command.arg("--config").arg(house.folder.path().join("regard.toml")).arg("run");
    command.env_remove("REGARD_STOP_AT").stdout(Stdio::null()).stderr(Stdio::piped());
    if let Some(step) = stop_at {
        command.env("REGARD_STOP_AT", step);
    }
    let mut child = command.spawn().unwrap();
    let mut log = Vec::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok) {
        let found = words.iter().all(|word| line.contains(word));
        log.push(line);
        if found {
            return Daemon(child);
        }
    }
    drop(Daemon(child));
    panic!("no line with {words:?} in\n{}", log.join("\n"));
}

#[test]
fn a_commit_moves_a_regression_without_any_mail() {
    let repo = Repo::new();
    let house = House::with_report(&mainline(&repo));
    repo.commit(&fix(&format!("Closes: https://lists.example.org/r/{REPORT}")));
    let daemon = run_until(&house, None, &["looked at", "linus", "moved=1"]);
    assert!(house.show().contains("open -> fix-queued"), "{}", house.show());
    drop(daemon);
}

#[test]
fn killed_before_and_after_the_look_was_stored_tells_it_once() {
    let repo = Repo::new();
    let house = House::with_report(&mainline(&repo));
    repo.commit(&fix(&format!("Reported-by: regard <bot+{ID}@example.org>")));
    drop(run_until(&house, Some("tree-surveyed"), &["stopped at tree-surveyed"]));
    assert!(!house.show().contains("fix-queued"));
    drop(run_until(&house, Some("tree-stored"), &["stopped at tree-stored"]));
    drop(run_until(&house, None, &["looked at", "moved=0"]));
    assert_eq!(house.show().matches("open -> fix-queued").count(), 1);
}
