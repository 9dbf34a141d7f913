//! A real server in a process group of its own, started by a script of `tests/servers`.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take before a test gives up. Never asserted to be short: the machine may be busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until `condition` gives something, or fails the test saying what was waited for.
pub(crate) fn wait_for<T>(what: &str, mut condition: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = condition() {
            return found;
        }
        assert!(Instant::now() < deadline, "waited {PATIENCE:?} for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A script of `tests/servers`.
pub(crate) fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers").join(name)
}

/// A new folder that every user may enter: servers change to users of their own.
pub(crate) fn open_folder() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::Builder::new().prefix("regard-test-").tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// A running server. Dropped, it is killed with all its children.
pub(crate) struct Server {
    script: &'static str,
    dir: PathBuf,
    arguments: Vec<String>,
    child: Child,
    ports: BTreeMap<String, u16>,
}

impl Server {
    /// Runs `script DIR ARGUMENTS` and waits until all its ports answer.
    pub(crate) fn start(script: &'static str, dir: &Path, arguments: &[String]) -> Self {
        for _ in 0..3 {
            let child = spawn(script, dir, arguments);
            let ports = BTreeMap::new();
            let mut server =
                Self { script, dir: dir.into(), arguments: arguments.into(), child, ports };
            if server.comes_up() {
                return server;
            }
            // Somebody else took a port meanwhile.
            fs::remove_file(dir.join("ports")).unwrap();
        }
        panic!("{script}: no free ports in three tries:\n{}", log(dir));
    }

    fn comes_up(&mut self) -> bool {
        let (script, dir) = (self.script, self.dir.clone());
        let mut ended = None;
        let ports = wait_for(&format!("{script} to listen"), || {
            ended = self.child.try_wait().unwrap();
            if ended.is_some() {
                return Some(BTreeMap::new());
            }
            let ports = read_ports(&dir)?;
            ports
                .values()
                .all(|port| TcpStream::connect(("127.0.0.1", *port)).is_ok())
                .then_some(ports)
        });
        self.ports = ports;
        let Some(status) = ended else { return true };
        let log = log(&dir);
        assert!(log.contains("in use"), "{script} ended with {status}:\n{log}");
        false
    }

    /// By its name in the file `ports`.
    pub(crate) fn port(&self, name: &str) -> u16 {
        self.ports[name]
    }

    /// Stops all its processes from running; their sockets stay open, and answer nothing.
    pub(crate) fn freeze(&self) {
        self.signal("STOP");
    }

    /// Undoes `freeze`.
    pub(crate) fn thaw(&self) {
        self.signal("CONT");
    }

    /// Kills all its processes at once. Nobody else gets its ports for a minute.
    pub(crate) fn kill(&mut self) {
        let ports = self.ports.values().map(u16::to_string);
        let kept = Command::new("perl").arg(script("port.pl")).args(ports).status().unwrap();
        assert!(kept.success());
        self.signal("KILL");
        self.child.wait().unwrap();
    }

    /// Starts it again after `kill`, on the same ports with the same files.
    pub(crate) fn restart(&mut self) {
        let again = |server: &Self| spawn(server.script, &server.dir, &server.arguments);
        for _ in 0..5 {
            self.child = again(self);
            if self.comes_up() {
                return;
            }
        }
        panic!("{}: its ports stay taken:\n{}", self.script, log(&self.dir));
    }

    fn signal(&self, name: &str) {
        let line = format!("kill -s {name} -- -{}", self.child.id());
        let status = Command::new("sh").args(["-c", &line]).status().unwrap();
        assert!(status.success(), "{line}: {status}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            let line = format!("kill -s KILL -- -{}", self.child.id());
            let _ = Command::new("sh").args(["-c", &line]).status();
            let _ = self.child.wait();
        }
    }
}

fn spawn(name: &str, dir: &Path, arguments: &[String]) -> Child {
    fs::create_dir_all(dir).unwrap();
    let log = File::create(dir.join("server.log")).unwrap();
    Command::new("sh")
        .arg(script(name))
        .arg(dir)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .process_group(0)
        .spawn()
        .unwrap()
}

fn read_ports(dir: &Path) -> Option<BTreeMap<String, u16>> {
    let text = fs::read_to_string(dir.join("ports")).ok()?;
    let pairs = text.lines().filter_map(|line| line.split_once('='));
    // Nobody listens there until a test wants it.
    let pairs = pairs.filter(|(name, _)| *name != "OAUTH");
    Some(pairs.map(|(name, port)| (name.to_owned(), port.parse().unwrap())).collect())
}

fn log(dir: &Path) -> String {
    let files = ["server.log", "dovecot.log", "imapd.err", "log/mainlog", "log/paniclog"];
    files.iter().filter_map(|file| fs::read_to_string(dir.join(file)).ok()).collect()
}

/// Runs a script of `tests/servers` to its end with `input`; gives what it printed.
pub(crate) fn run(name: &str, dir: &Path, argument: &str, input: &[u8]) -> String {
    let mut child = Command::new("sh")
        .arg(script(name))
        .arg(dir)
        .arg(argument)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    let status = child.wait().unwrap();
    assert!(status.success(), "{name} {argument}: {status}\n{said}");
    said
}
