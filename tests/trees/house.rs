//! A desk on a store on disk, as `regard run` has it, and the command line beside it.

use std::path::Path;
use std::process::Command;

use jiff::{SignedDuration, Timestamp};
use regard::bench::Knowledge;
use regard::config::{self, Config, Tree};
use regard::daemon::{Commits, Desk, Incoming, Mind, Post, Story};
use regard::engine::Effect;
use regard::mail::Identity;
use regard::regression::{Cause, Entry, Happening, Opening, Regression, RegressionId, State};
use regard::render::{Letterhead, Renderer};
use regard::report::ReportKind;
use regard::stats::Settings;
use regard::store::{Store, StoreError};
use regard::triage::Rules;

use crate::repo::{Repo, START};

/// Message-ID of the report about the demo's first notification.
pub(crate) const REPORT: &str = "regard.e37f21ba1cd7cf9de5af@example.org";
/// The regression's id.
pub(crate) const ID: &str = "z3anh3v5";
/// Its culprit.
pub(crate) const CULPRIT: &str = "3f1d0c5a9b7e42d68c1f0a5b9e7d3c2b1a0f9e8d";

pub(crate) struct House {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) desk: Desk,
    pub(crate) config: Config,
}

/// `n` days after the first of March 2026.
pub(crate) fn day(n: i64) -> Timestamp {
    Timestamp::from_second(START).unwrap() + SignedDuration::from_hours(24 * n)
}

/// The lines of a `[[tree]]`.
pub(crate) fn tree(name: &str, order: &str, path: &Path) -> String {
    format!(
        "[[tree]]\nname = \"{name}\"\norder = \"{order}\"\npath = \"{}\"\nbranch = \"master\"\n",
        path.display()
    )
}

impl House {
    /// A desk that watches these trees.
    pub(crate) fn build(trees: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("regard.toml");
        std::fs::write(folder.path().join("password"), "x").unwrap();
        let (mode, trees) = match trees.strip_prefix("mode = \"live\"\n") {
            Some(rest) => ("mode = \"live\"\n", rest),
            None => ("", trees),
        };
        let text = format!(
            "[bot]\naddress = \"bot@example.org\"\nlabs = [\"lab@example.org\"]\n\
             archive_url = \"https://lists.example.org/r/\"\n{mode}\
             [smtp]\nhost = \"localhost\"\nport = 1\ntls = \"none\"\n\
             [[mailbox]]\nhost = \"localhost\"\nport = 1\ntls = \"none\"\nuser = \"bot\"\n\
             password_file = \"password\"\n{trees}"
        );
        std::fs::write(&path, text).unwrap();
        let config = config::load(&path).unwrap_or_else(|e| panic!("{e:?}"));
        let desk = desk(&config);
        Self { folder, desk, config }
    }

    /// The same with the demo's first notification taken in, so that its report is tracked.
    pub(crate) fn with_report(trees: &str) -> Self {
        let mut house = Self::build(trees);
        house.mail("01-hackbench-gets-worse.eml", day(1));
        assert_eq!(house.state(), State::Open);
        house
    }

    /// Takes in a mail of the demo.
    pub(crate) fn mail(&mut self, name: &str, at: Timestamp) -> Vec<Story> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/demo").join(name);
        let raw = std::fs::read(path).unwrap();
        self.take(raw, at)
    }

    /// Takes in a mail.
    pub(crate) fn take(&mut self, raw: Vec<u8>, at: Timestamp) -> Vec<Story> {
        let mail = Incoming { raw, received: Some(at), place: None, cut: false };
        self.desk.receive(&[mail], None, at).unwrap()
    }

    /// Takes in a lab's results.
    pub(crate) fn results(&mut self, id: &str, results: &serde_json::Value, at: Timestamp) {
        self.take(crate::results::mail(id, results), at);
    }

    /// Somebody wants no more mail about the only regression.
    pub(crate) fn wish(&mut self, email: &str) {
        let all = self.desk.store.look(|tx| tx.regressions(true)).unwrap();
        let email = email.to_owned();
        append(&mut self.desk, all[0].id(), day(2), Happening::OptedOut { email, all: false });
    }

    /// What `regard outbox list` prints.
    pub(crate) fn outbox(&self) -> String {
        self.regard(&["outbox", "list"])
    }

    pub(crate) fn tree(&self, name: &str) -> Tree {
        self.config.trees.iter().find(|t| t.watched.name == name).unwrap().clone()
    }

    /// One look at a tree; how many entries it made.
    pub(crate) fn visit(&mut self, name: &str, at: Timestamp) -> usize {
        let tree = self.tree(name);
        let stories = self.desk.visit(&tree, at).unwrap();
        let appended =
            |s: &Story| s.effects.iter().filter(|e| matches!(e, Effect::Append(..))).count();
        stories.iter().map(appended).sum()
    }

    pub(crate) fn regression(&mut self) -> Regression {
        let id = RegressionId::parse(ID).unwrap();
        self.desk.store.look(|tx| tx.regression(&id)).unwrap().unwrap()
    }

    pub(crate) fn state(&mut self) -> State {
        self.regression().state
    }

    /// Appends to the log of the report.
    pub(crate) fn append(&mut self, at: Timestamp, what: Happening) {
        let id = RegressionId::parse(ID).unwrap();
        append(&mut self.desk, &id, at, what);
    }

    /// What `regard show` prints.
    pub(crate) fn show(&self) -> String {
        self.regard(&["show", ID])
    }

    pub(crate) fn regard(&self, args: &[&str]) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_regard"))
            .arg("--config")
            .arg(self.folder.path().join("regard.toml"))
            .args(args)
            .output()
            .unwrap();
        assert!(output.status.code().is_some_and(|c| c < 2), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

/// What `Desk::open` opens, without rules: commits are read here, not words.
fn desk(config: &Config) -> Desk {
    let policy = config.policy.clone();
    let identity = Identity {
        addresses: vec![policy.bot.clone()],
        message_id_domain: String::new(),
        robots: Vec::new(),
    };
    let letterhead = Letterhead {
        bot: policy.bot.clone(),
        archive: config.archive_url.clone(),
        help: None,
        opt_out: None,
        ascii: true,
    };
    let mind = Mind {
        policy: policy.clone(),
        identity,
        rules: Rules::compile(&[]).unwrap(),
        knowledge: Knowledge::embedded(),
        settings: Settings::default(),
        commits: Commits::new(&config.trees),
    };
    let renderer = Renderer::new(&[]).unwrap();
    let post = Post { policy, mode: config.mode, renderer, letterhead };
    Desk { store: Store::open(&config.store).unwrap(), mind, post }
}

/// Appends an entry by the operator.
pub(crate) fn append(desk: &mut Desk, id: &RegressionId, at: Timestamp, what: Happening) {
    let cause = Cause::Operator { who: "operator".to_owned(), line: "by hand".to_owned() };
    let entry = Entry { at, cause, what };
    desk.store.transaction(|tx| tx.append(id, &entry).map(|_| ())).unwrap();
}

/// Tracks something about the usual culprit, with these mails in its thread.
pub(crate) fn track(
    desk: &mut Desk,
    report: &str,
    thread: &[String],
    change: impl FnOnce(&mut Opening),
) -> RegressionId {
    let id = RegressionId::derive(report);
    let mut about = Opening {
        id: id.clone(),
        kind: ReportKind::Regression,
        title: "hackbench.throughput -9.3% regression".to_owned(),
        ours: true,
        by_robot: true,
        report: Some(report.to_owned()),
        reporter: None,
        tree: Some("linus".to_owned()),
        branch: None,
        base: None,
        commit: Some(CULPRIT.to_owned()),
        commit_subject: Some("sched/fair: search idle cores in the cluster first".to_owned()),
        author: None,
        maintainers: Vec::new(),
        readers: Vec::new(),
        patch: None,
        test: Some("hackbench".to_owned()),
        metric: Some("hackbench.throughput".to_owned()),
        change_percent: Some(-9.3),
        machine: Some("lab-a".to_owned()),
        parameters: String::new(),
    };
    change(&mut about);
    append(desk, &id, day(1), Happening::Opened(Box::new(about)));
    desk.store
        .transaction(|tx| {
            tx.join_thread(report, &id)?;
            thread.iter().try_for_each(|m| tx.join_thread(m, &id))?;
            Ok::<_, StoreError>(())
        })
        .unwrap();
    id
}

/// Compares with a file beside the tests; `REGARD_BLESS=1` rewrites it.
pub(crate) fn golden(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trees").join(name);
    if std::env::var_os("REGARD_BLESS").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let diff = similar::TextDiff::from_lines(expected.as_str(), found);
    assert!(expected == found, "{name}:\n{}", diff.unified_diff());
}

/// The commit that fixes it, with a trailer.
pub(crate) fn fix(trailer: &str) -> String {
    format!(
        "sched/fair: keep a wakeup in the cluster when the waker sleeps\n\n\
         The search left the cluster too early.\n\n{trailer}\n\
         Signed-off-by: Mira Okafor <mira@example.org>\n"
    )
}

/// `master` of a new repository under that name, as mainline.
pub(crate) fn mainline(repo: &Repo) -> String {
    tree("linus", "mainline", repo.path())
}
