//! A running `regard run` with its configuration, and the command line beside it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::support::dovecot::{Dovecot, PASSWORD};
use crate::support::exim::Exim;
use crate::support::server::wait_for;

/// The servers, and the folder where the bot lives.
pub(crate) struct House {
    pub(crate) dovecot: Dovecot,
    pub(crate) exim: Exim,
    folder: tempfile::TempDir,
}

/// The daemon's process. Dropped, it is killed.
pub(crate) struct Bot {
    child: Child,
    log: Arc<Mutex<Vec<String>>>,
}

impl House {
    /// Dovecot, Exim, and a configuration in that mode. The bot reads its own mailbox and the list's.
    pub(crate) fn build(mode: &str) -> Self {
        Self::with(mode, "")
    }

    /// The same with more lines at the end of the configuration.
    pub(crate) fn with(mode: &str, more: &str) -> Self {
        let dovecot = Dovecot::start();
        let exim = Exim::start(&dovecot);
        let house = Self { dovecot, exim, folder: tempfile::tempdir().unwrap() };
        let mailbox = |user: &str| {
            format!(
                "[[mailbox]]\nhost = \"localhost\"\nport = {}\nca_file = \"{}\"\nuser = \"{user}\"\n\
                 password_file = \"password\"\nidle_seconds = 2\n",
                house.dovecot.imaps(),
                house.dovecot.ca().display()
            )
        };
        let config = format!(
            "[bot]\naddress = \"bot@example.org\"\nmode = \"{mode}\"\noperators = [\"ops@example.org\"]\n\
             labs = [\"lab@example.org\"]\nlists = [\"perf-reports@example.org\"]\n\
             archive_url = \"https://lists.example.org/r/\"\n\n{}\n{}\n\
             [smtp]\nhost = \"localhost\"\nport = {}\ntls = \"starttls\"\nca_file = \"{}\"\nuser = \"bot\"\n\
             password_file = \"password\"\n\n\
             [outbox]\nretry_seconds = [1, 1, 1, 1]\nresend_after_seconds = 3\n{more}\n",
            mailbox("bot"),
            mailbox("perf-reports"),
            house.exim.smtp(),
            house.dovecot.ca().display(),
        );
        house.write("password", PASSWORD);
        house.write("regard.toml", &config);
        house
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Rewrites the configuration.
    pub(crate) fn configure(&self, change: impl FnOnce(String) -> String) {
        let text = fs::read_to_string(self.path("regard.toml")).unwrap();
        self.write("regard.toml", &change(text));
    }

    /// Starts the daemon and waits until it watches both mailboxes.
    pub(crate) fn start(&self) -> Bot {
        let bot = self.spawn(None);
        bot.wait_for_log("watching", 2);
        bot
    }

    /// Starts the daemon so that it stands still between two steps.
    pub(crate) fn spawn(&self, stop_at: Option<&str>) -> Bot {
        let mut command = self.command(&["run"]);
        if let Some(step) = stop_at {
            command.env("REGARD_STOP_AT", step);
        }
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (stderr, lines) = (child.stderr.take().unwrap(), Arc::clone(&log));
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                lines.lock().unwrap().push(line);
            }
        });
        Bot { child, log }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_regard"));
        command.arg("--config").arg(self.path("regard.toml")).args(args);
        command.env_remove("REGARD_STOP_AT").env_remove("REGARD_CONFIG");
        command
    }

    /// Runs a verb.
    pub(crate) fn regard(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Runs a verb that must go well; what it printed.
    pub(crate) fn print(&self, args: &[&str]) -> String {
        let output = self.regard(args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "regard {args:?}: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The JSON lines that a verb prints; nothing while there is no store yet.
    pub(crate) fn json(&self, args: &[&str]) -> Vec<Value> {
        let output = self.regard(&[args, &["--json"]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Sends a mail through Exim, as anybody would.
    pub(crate) fn mail(&self, from: &str, to: &str, raw: &str) {
        let server = format!("localhost:{}", self.exim.smtp());
        let file = self.path("outgoing.eml");
        fs::write(&file, raw).unwrap();
        let output = Command::new("swaks")
            .args(["--silent", "2", "--server", &server, "--from", from, "--to", to, "--data"])
            .arg(format!("@{}", file.display()))
            .output()
            .expect("swaks, from the Debian package swaks");
        assert!(output.status.success(), "swaks: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Waits until the outbox has a row for which `wanted` holds.
    pub(crate) fn wait_for_outbox(&self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        wait_for(what, || self.json(&["outbox", "list"]).into_iter().find(&wanted))
    }

    /// Waits until a regression is in that state.
    pub(crate) fn wait_for_state(&self, state: &str) -> Value {
        let what = format!("a regression that is {state}");
        wait_for(&what, || self.json(&["list", "--all"]).into_iter().find(|r| r["state"] == state))
    }
}

impl Bot {
    /// Waits until a text stands in that many lines of the log.
    pub(crate) fn wait_for_log(&self, text: &str, count: usize) {
        wait_for(&format!("{count} x {text:?} in the log"), || {
            let found = self.log().iter().filter(|l| l.contains(text)).count();
            (found >= count).then_some(())
        });
    }

    pub(crate) fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    /// kill -9.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM, and a clean end.
    pub(crate) fn stop(mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").arg(&pid).status().unwrap().success());
        let status = wait_for("the daemon to stop", || self.child.try_wait().unwrap());
        assert!(status.success(), "{status}: {:#?}", self.log());
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("the daemon's log:\n{}", self.log().join("\n"));
        }
    }
}

/// A sample mail of the demo.
pub(crate) fn sample(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/demo").join(name);
    fs::read_to_string(path).unwrap()
}

/// The report's Message-ID for the demo's first notification.
pub(crate) const REPORT: &str = "regard.e37f21ba1cd7cf9de5af@example.org";
