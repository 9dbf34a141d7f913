//! A desk on a store on disk, as `regard run` has it, with one report of ours, and the command line beside it.

use std::path::Path;
use std::process::{Command, Output};

use jiff::{SignedDuration, Timestamp};
use regard::config::{self, Config};
use regard::daemon::{Desk, Incoming, Story};
use regard::regression::{Cause, Entry, Happening, Opening, Regression, RegressionId};
use regard::report::ReportKind;
use regard::store::{Store, StoreError};

/// Message-ID of the report about the demo's first notification.
pub(crate) const REPORT: &str = "regard.e37f21ba1cd7cf9de5af@example.org";
/// The regression's id.
pub(crate) const ID: &str = "z3anh3v5";
/// Message-ID of a report that somebody else wrote, tracked too.
pub(crate) const OTHER: &str = "other-report@example.net";

pub(crate) struct House {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) desk: Desk,
    pub(crate) config: Config,
    mails: u32,
}

/// `n` hours after the second of March 2026, when the demo's first notification was sent.
pub(crate) fn hour(n: i64) -> Timestamp {
    "2026-03-02T06:10:00Z".parse::<Timestamp>().unwrap() + SignedDuration::from_hours(n)
}

impl House {
    /// A desk with more lines at the end of `[bot]`, and further sections.
    pub(crate) fn build(more: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("regard.toml");
        let text = format!(
            "[bot]\naddress = \"bot@example.org\"\nlabs = [\"lab@example.org\"]\n\
             operators = [\"ops@example.org\"]\nlists = [\"perf@lists.example.org\"]\n\
             archive_url = \"https://lists.example.org/r/\"\n{more}\n"
        );
        std::fs::write(&path, text).unwrap();
        let config = config::load(&path).unwrap_or_else(|e| panic!("{e:?}"));
        let desk = Desk::open(&config).unwrap_or_else(|e| panic!("{e:?}"));
        let mut house = Self { folder, desk, config, mails: 0 };
        house.furnish();
        house
    }

    /// Forgets everything but the two reports; rules are not compiled again.
    pub(crate) fn start_again(&mut self) {
        self.desk.store = Store::in_memory().unwrap();
        self.mails = 0;
        self.furnish();
    }

    fn furnish(&mut self) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/demo");
        let raw = std::fs::read(path.join("01-hackbench-gets-worse.eml")).unwrap();
        self.take(&raw, hour(0));
        assert_eq!(self.regression(ID).about.report.as_deref(), Some(REPORT));
        self.track(OTHER, "fio.read_iops -7.1% regression", hour(-24));
    }

    /// Tracks somebody else's report.
    pub(crate) fn track(&mut self, report: &str, title: &str, at: Timestamp) -> RegressionId {
        let id = RegressionId::derive(report);
        let about = Opening {
            id: id.clone(),
            kind: ReportKind::Regression,
            title: title.to_owned(),
            ours: false,
            report: Some(report.to_owned()),
            reporter: None,
            by_robot: true,
            tree: None,
            branch: None,
            base: None,
            commit: Some("7c0ffee1234567890abcdef1234567890abcdef1".to_owned()),
            commit_subject: None,
            author: None,
            maintainers: Vec::new(),
            patch: None,
            test: None,
            metric: None,
            change_percent: None,
            machine: None,
            parameters: String::new(),
            readers: Default::default(),
        };
        let cause = Cause::Operator { who: "ops".to_owned(), line: "by hand".to_owned() };
        let entry = Entry { at, cause, what: Happening::Opened(Box::new(about)) };
        self.desk
            .store
            .transaction(|tx| {
                tx.append(&id, &entry)?;
                tx.join_thread(report, &id)
            })
            .unwrap();
        id
    }

    /// Takes in a mail as it is.
    pub(crate) fn take(&mut self, raw: &[u8], at: Timestamp) -> Story {
        let mail = Incoming { raw: raw.to_vec(), received: Some(at), place: None, cut: false };
        self.desk.receive(&[mail], None, at).unwrap().pop().unwrap()
    }

    /// The next mail, an hour after the last one: more header lines, then the text.
    pub(crate) fn mail(&mut self, header: &str, text: &str) -> Story {
        self.mails += 1;
        let number = self.mails;
        let raw = format!("Message-ID: <mail-{number}@example.net>\n{header}\n{text}\n");
        self.take(raw.as_bytes(), hour(i64::from(number)))
    }

    /// An answer to our report.
    pub(crate) fn reply(&mut self, from: &str, text: &str) -> Story {
        let header = format!(
            "From: {from}\nTo: bot@example.org\nSubject: Re: regression\nIn-Reply-To: <{REPORT}>\n"
        );
        self.mail(&header, text)
    }

    pub(crate) fn regression(&mut self, id: &str) -> Regression {
        let id = RegressionId::parse(id).unwrap();
        self.desk.store.look(|tx| tx.regression(&id)).unwrap().unwrap()
    }

    pub(crate) fn entries(&mut self, id: &str) -> Vec<Entry> {
        let id = RegressionId::parse(id).unwrap();
        self.desk.store.look(|tx| tx.entries(&id)).unwrap()
    }

    /// Runs the program with the configuration of the house.
    pub(crate) fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_regard"))
            .env("USER", "olga")
            .current_dir(self.folder.path())
            .args(["--quiet", "--config"])
            .arg(self.folder.path().join("regard.toml"))
            .args(args)
            .output()
            .unwrap()
    }

    /// What it prints, when all is fine.
    pub(crate) fn regard(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Writes something of the tests into the store.
    pub(crate) fn write<T>(
        &mut self,
        work: impl FnOnce(&mut regard::store::Tx<'_>) -> Result<T, StoreError>,
    ) -> T {
        self.desk.store.transaction(work).unwrap()
    }
}

/// Compares with a file beside the tests; `REGARD_BLESS=1` rewrites it.
pub(crate) fn golden(path: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("REGARD_BLESS").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let diff = similar::TextDiff::from_lines(expected.as_str(), found);
    assert!(expected == found, "{}:\n{}", path.display(), diff.unified_diff());
}
